/** The form of one record: new, changed, in conflict, deleted, and taken back. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WritableResource } from '../../../api/contract/names.ts';
import { listPath, recordPath } from '../../../api/contract/routes.ts';
import { capitalized, count, nouns } from '../shared/format.ts';
import * as controls from './controls.tsx';
import {
  type Entries,
  type Entry,
  entryOf,
  type Field,
  fieldsOf,
  textOf,
  valueFrom,
  valuesOf,
} from './fields.ts';
import * as service from './service.ts';

type Props = { resource: WritableResource; id: number | undefined; access: controls.Access };

/** @param props.id undefined for a new record */
export function RecordForm({ resource, id: first, access }: Props) {
  const fields = fieldsOf(resource);
  const { one } = nouns[resource];
  const [id, setId] = useState(first);
  /** undefined before it is read, and after it is deleted. */
  const [base, setBase] = useState<service.Stored | undefined>(first ? undefined : service.noRecord);
  const values = base?.values ?? {};
  const [edits, setEdits] = useState<Entries>({});
  /** Fields that another editor has changed, too. */
  const [contested, setContested] = useState<readonly string[]>([]);
  const attempt = useRef<readonly service.Write[] | undefined>(undefined);
  /** What the last write was made from: more can be typed before its answer is there. */
  const sent = useRef<Entries>({});
  const labelOf = (control: string) => fields.find(({ name }) => name === control)?.label ?? 'The record';
  const working = controls.useWork(access, labelOf);
  const show = async (stored: number) => void setBase(await service.load(resource, stored));
  useEffect(() => {
    if (first !== undefined) void working.work(() => show(first));
  }, []);
  const differsFrom = (stored: service.Values) => (field: Field) =>
    field.name in edits && !service.isSame(valueFrom(field, edits[field.name]!), stored[field.name]);
  const changed = fields.filter(differsFrom(values));
  const keep = (isKept: (name: string, entry: Entry) => boolean) =>
    setEdits((now) => Object.fromEntries(Object.entries(now).filter((edit) => isKept(...edit))));

  const make = async (making: service.Making) => {
    sent.current = edits;
    const own = await valuesOf({ fields: changed, entries: edits }, making);
    const path = id === undefined ? listPath(resource) : recordPath(resource, id);
    const number = id === undefined && { id: await making.freeId(resource) };
    const body = { ...number, ...service.bodyOf(resource, own) };
    making.writes.push({ method: number ? 'POST' : 'PATCH', path, body, if_match: base!.etag });
  };
  /** After a change by another editor: shows both. */
  const onStale = async (): Promise<controls.Notice> => {
    const now = await service.load(resource, id!);
    const theirs = fields.filter(({ name }) => !service.isSame(values[name], now.values[name]));
    const mine = fields.filter(differsFrom(now.values));
    setBase(now);
    setContested(theirs.filter((field) => mine.includes(field)).map(({ name }) => name));
    keep((name, entry) => entry !== edits[name] || mine.some((field) => field.name === name));
    if (mine.length === 0 && theirs.every((field) => changed.includes(field))) return controls.savedBefore;
    const was = (own: Field) => `${own.label}: was ${textOf(own, values)}, is now ${textOf(own, now.values)}`;
    const advice =
      'Nothing was saved yet. What you typed is still here; save again to write it over these changes:';
    const title = 'Another editor changed this record meanwhile';
    return { isGood: false, title, lines: [advice, ...theirs.map(was)] };
  };
  const save = (isAnother: boolean) =>
    working.work(async () => {
      const outcome = await service.sendOnce(attempt, make, access.key);
      const stored = outcome.last.values.id as number;
      setContested([]);
      const isOfNext = (name: string) => isAnother && (name === 'ceremony_id' || name === 'category_id');
      keep((name, entry) => entry !== sent.current[name] || isOfNext(name));
      if (isAnother) {
        document.getElementById(resource === 'nominations' ? 'movie_id' : fields[0]!.name)?.focus();
      } else {
        history.replaceState(null, '', `/edit/${resource}/${stored}`);
        setId(stored);
        setBase(outcome.last);
      }
      return controls.noticeOf(outcome, id ? 'Saved.' : `The ${one} was added.`);
    }, onStale);
  const remove = () =>
    confirm(`Delete this ${one}?`) &&
    working.work(async () => {
      const write = { method: 'DELETE', path: recordPath(resource, id!), if_match: base!.etag } as const;
      const outcome = await service.send([write], access.key);
      setBase(undefined);
      setEdits({});
      return controls.noticeOf(outcome, 'Deleted.');
    }, onStale);
  const showUndone = async (receipts: controls.Receipts = []) => {
    if (receipts.some((it) => it.resource === resource && it.record_id === id))
      setBase(await service.loadIfThere(resource, id!));
  };
  const decide = (name: string, isTheirs: boolean) => {
    if (isTheirs) keep((own) => own !== name);
    setContested(contested.filter((it) => it !== name));
    document.getElementById(name)?.focus();
  };
  const number = `${capitalized(one)} no. ${id}`;
  const title = base ? service.titleOf(values) : number;
  return (
    <>
      <controls.Heading text={id ? title : `New ${one}`}>
        {id && (
          <>
            {number} <a href={`/${resource}/${id}`}>Public page</a>{' '}
            <a href={`/edit/receipts?resource=${resource}&record_id=${id}`}>History</a>{' '}
            {resource === 'ceremonies' && (
              <a href={`/edit/ceremonies/${id}/winners`}>Nominations and winners of the night</a>
            )}
          </>
        )}
      </controls.Heading>
      {!base && <controls.NoticeBox working={working} show={showUndone} />}
      {base && (
        <controls.SaveForm
          working={working}
          unsaved={changed.length > 0 ? count(changed.length, 'changed field') : ''}
          onSave={() => void save(false)}
          show={showUndone}
          button={
            <button type="button" onClick={() => void (id ? remove() : save(true))}>
              {id ? 'Delete' : 'Save and add another'}
            </button>
          }
        >
          <div class="fields">
            {fields.map((field) => (
              <controls.Control
                key={field.name}
                id={field.name}
                field={field}
                entry={edits[field.name] ?? entryOf(field, values)}
                fault={working.faultsOf(field.name)}
                onEnter={(entry) => setEdits((now) => ({ ...now, [field.name]: entry }))}
              >
                {contested.includes(field.name) && (
                  <p class="contested">
                    The other editor wrote: <q>{textOf(field, values)}</q>{' '}
                    <button type="button" onClick={() => decide(field.name, true)}>
                      Take theirs
                    </button>{' '}
                    <button type="button" onClick={() => decide(field.name, false)}>
                      Keep mine
                    </button>
                  </p>
                )}
              </controls.Control>
            ))}
          </div>
        </controls.SaveForm>
      )}
    </>
  );
}
