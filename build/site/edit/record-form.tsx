/** The form of one record: new, changed, in conflict, deleted, and taken back. */
import type { WritableResource } from '../../../api/contract/names.ts';
import { capitalized, count, nouns } from '../shared/format.ts';
import { Control } from './control.tsx';
import { planRemoval } from './dependants.ts';
import { isConfirmed } from './dialog.ts';
import { entryOf, type Field, textOf } from './fields.ts';
import { editHref, isNamed, titleOf } from './naming.ts';
import { type RecordState, useRecord } from './record-state.ts';
import { send } from './requests.ts';
import {
  type Access,
  Heading,
  noticeOf,
  NoticeBox,
  SaveForm,
  useFirstFocus,
  useWork,
  type Working,
} from './work.tsx';

type Props = { resource: WritableResource; id: number | undefined; access: Access };

/** @param props.id undefined for a new record */
export function RecordForm({ resource, id: first, access }: Props) {
  const working = useWork(access, (control) => labels.get(control) ?? 'The record');
  const record = useRecord(resource, first, working);
  const labels = new Map(record.fields.map(({ name, label }) => [name, label]));
  const { one } = nouns[resource];
  const { id, base, changed } = record;
  useFirstFocus(record.fields[0]!.name, base !== undefined);
  const save = (isAnother: boolean) =>
    working.work(async () => {
      const outcome = await record.save(isAnother);
      const next = resource === 'nominations' ? 'movie_id' : record.fields[0]!.name;
      if (isAnother) document.getElementById(next)?.focus();
      return noticeOf(outcome, id ? 'Saved.' : `The ${one} was added.`);
    }, record.onStale);
  const button = id ? (
    <button type="button" class="danger" onClick={() => void remove(resource, record, working)}>
      Delete …
    </button>
  ) : (
    <button type="button" onClick={() => void save(true)}>
      Save and add another
    </button>
  );
  return (
    <>
      <RecordHeading resource={resource} record={record} />
      {!base && !working.notice && <p class="empty">Reading the record …</p>}
      {!base && <NoticeBox working={working} show={record.showUndone} />}
      {base && (
        <SaveForm
          working={working}
          unsaved={changed.length > 0 ? count(changed.length, 'changed field') : ''}
          onSave={() => void save(false)}
          onDiscard={record.discard}
          show={record.showUndone}
          buttons={button}
        >
          <Groups resource={resource} record={record} working={working} />
        </SaveForm>
      )}
    </>
  );
}

/** Deletes the record with the nominations that refer to it, after a question that names them. */
async function remove(resource: WritableResource, record: RecordState, working: Working): Promise<void> {
  const { one } = nouns[resource];
  await working.work(async () => {
    const { writes, lines } = await planRemoval(resource, record.id!, record.base!);
    const name = titleOf(record.values);
    const others = lines.length > 0 ? ` with ${count(lines.length, 'reference')}` : '';
    const title = `Delete the ${one} ${name}${others}?`;
    if (!(await isConfirmed({ title, lines, button: 'Delete' }))) return working.notice;
    const outcome = await send(writes, working.signature);
    record.forget();
    const also = lines.length > 0 ? ` with ${count(lines.length, 'reference')}` : '';
    return noticeOf(outcome, `Deleted: ${name}${also}.`);
  }, record.onStale);
}

function RecordHeading({
  resource,
  record: { id, base, values },
}: {
  resource: WritableResource;
  record: RecordState;
}) {
  const { one } = nouns[resource];
  if (!id) return <Heading text={`New ${one}`} />;
  const number = `${capitalized(one)} no. ${id}`;
  return (
    <Heading text={base ? titleOf(values) : number}>
      <span>{number}</span> <a href={`/${resource}/${id}`}>Public page</a>{' '}
      <a href={`/edit/receipts?resource=${resource}&record_id=${id}`}>History</a>{' '}
      {isNamed(resource) && <a href={`${editHref(resource, id)}/merge`}>Merge with another …</a>}
      {resource === 'ceremonies' && (
        <>
          <a href={`/edit/ceremonies/${id}/winners`}>Nominations and winners of the night</a>{' '}
          <a href={`/edit/ceremonies/${id}/sheet`}>Nominations from a sheet</a>{' '}
          <a href={`/edit/ceremonies/${id}/honors`}>Honors</a>
        </>
      )}
      {resource === 'honors' && base && (
        <a href={`/edit/ceremonies/${values.ceremony_id}/honors`}>All honors of that ceremony</a>
      )}
      {resource === 'nominations' && base && <References values={values} />}
    </Heading>
  );
}

/** Links from a nomination to the records that it refers to. */
function References({ values }: { values: RecordState['values'] }) {
  const night = `/edit/ceremonies/${values.ceremony_id}/categories/${values.category_id}`;
  return (
    <>
      <a href={editHref('movies', Number(values.movie_id))}>{String(values.movie)}</a>{' '}
      <a href={editHref('nominees', Number(values.nominee_id))}>{String(values.nominee)}</a>{' '}
      {values.song_id !== null && (
        <a href={editHref('songs', Number(values.song_id))}>{String(values.song_title)}</a>
      )}{' '}
      <a href={night}>The category that night</a>
    </>
  );
}

/** Title of a group → the fields that belong to it; all others come first. */
const groups: readonly (readonly [title: string, fields: RegExp])[] = [
  ['Identifiers', /^(moviedb|filmindex|streaming)_/],
  ['Pictures and links', /_path$|_url$|^(homepage|wikiurl)$/],
  ['Moments', /^moment_/],
];

/** The fields of the form, by what they are about. */
function Groups(props: { resource: WritableResource; record: RecordState; working: Working }) {
  const { fields } = props.record;
  const groupOf = ({ name }: Field) => groups.findLast(([, pattern]) => pattern.test(name))?.[0] ?? '';
  const own = fields.filter((field) => groupOf(field) === '');
  return (
    <>
      <div class="form-fields">
        <Fields {...props} fields={own} />
      </div>
      {groups.map(([title]) => {
        const members = fields.filter((field) => groupOf(field) === title);
        return members.length === 0 ? null : (
          <fieldset key={title}>
            <legend>{title}</legend>
            <div class="form-fields">
              <Fields {...props} fields={members} />
            </div>
          </fieldset>
        );
      })}
    </>
  );
}

function Fields({
  record,
  working,
  fields,
}: {
  record: RecordState;
  working: Working;
  fields: readonly Field[];
}) {
  const { edits, values, contested } = record;
  return fields.map((field) => (
    <Control
      key={field.name}
      id={field.name}
      field={field}
      entry={edits[field.name] ?? entryOf(field, values)}
      fault={working.faultsOf(field.name)}
      year={record.year}
      onEnter={(entry) => record.enter(field.name, entry)}
    >
      {contested.includes(field.name) && (
        <p class="contested">
          The other editor wrote: <q>{textOf(field, values)}</q>{' '}
          <button type="button" onClick={() => record.decide(field.name, true)}>
            Take theirs
          </button>{' '}
          <button type="button" onClick={() => record.decide(field.name, false)}>
            Keep mine
          </button>
        </p>
      )}
    </Control>
  ));
}
