/** The state of the form of one record: what is stored, what is typed, and what another editor wrote. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WritableResource } from '../../../api/contract/names.ts';
import { useDraft } from './drafts.ts';
import { type Entries, type Entry, type Field, fieldsOf, textOf, valueFrom, valuesOf } from './fields.ts';
import { addRecord, type Making, sendOnce, useAttempt } from './making.ts';
import { isSame, load, loadIfThere, noRecord, type Stored, type Values } from './reading.ts';
import { findReceipts, type Outcome } from './requests.ts';
import { whenOf } from './times.ts';
import { type Notice, type Receipts, savedBefore, type Working } from './work.tsx';

/** The year in what a reference to a ceremony is called, such as "2026". */
const yearIn = (entry: Entry | undefined): number | undefined => {
  const [year] = (typeof entry === 'object' && /\b(19|20)\d\d\b/.exec(entry.name)) || [];
  return year ? Number(year) : undefined;
};

/** @param first id of the record; undefined for a new one */
export function useRecord(resource: WritableResource, first: number | undefined, working: Working) {
  const fields = fieldsOf(resource);
  const [id, setId] = useState(first);
  /** undefined before it is read, and after it is deleted. */
  const [base, setBase] = useState<Stored | undefined>(first ? undefined : noRecord);
  const values = base?.values ?? {};
  const [edits, setEdits] = useDraft<Entries>('edits', {});
  /** Fields that another editor has changed, too. */
  const [contested, setContested] = useState<readonly string[]>([]);
  const attempt = useAttempt();
  /** What the last write was made from: more can be typed before its answer is there. */
  const sent = useRef<Entries>({});
  useEffect(() => {
    if (first === undefined) return;
    void working.work(async () => {
      setBase(await load(resource, first));
      return undefined;
    });
  }, []);
  const differsFrom = (stored: Values) => (field: Field) =>
    field.name in edits && !isSame(valueFrom(field, edits[field.name]!), stored[field.name]);
  const changed = base ? fields.filter(differsFrom(values)) : [];
  const year = yearIn(edits.ceremony_id) ?? (values.ceremony_year as number | undefined);
  const keep = (isKept: (name: string, entry: Entry) => boolean) =>
    setEdits((now) => Object.fromEntries(Object.entries(now).filter((edit) => isKept(...edit))));

  const make = async (making: Making) => {
    sent.current = edits;
    const own = await valuesOf(changed, edits, making, year);
    await addRecord(resource, id, own, base!.etag, making);
  };
  /** After a change by another editor: shows both. */
  const onStale = async (): Promise<Notice> => {
    const now = await load(resource, id!);
    const theirs = fields.filter(({ name }) => !isSame(values[name], now.values[name]));
    const mine = fields.filter(differsFrom(now.values));
    setBase(now);
    setContested(theirs.filter((field) => mine.includes(field)).map(({ name }) => name));
    keep((name, entry) => entry !== edits[name] || mine.some((field) => field.name === name));
    if (mine.length === 0 && theirs.every((field) => changed.includes(field))) return savedBefore;
    const was = (own: Field) => `${own.label}: was ${textOf(own, values)}, is now ${textOf(own, now.values)}`;
    const advice =
      'Nothing was saved yet. What you typed is still here; save again to write it over these changes:';
    const title = `Another editor changed this record meanwhile${await lastEditor(resource, id!, working)}`;
    return { isGood: false, title, lines: [advice, ...theirs.map(was)] };
  };
  /** @param isAnother whether the form is for another new record afterwards */
  const save = async (isAnother: boolean): Promise<Outcome> => {
    const outcome = await sendOnce(attempt, make, working.signature);
    setContested([]);
    const isOfNext = (name: string) => isAnother && (name === 'ceremony_id' || name === 'category_id');
    keep((name, entry) => entry !== sent.current[name] || isOfNext(name));
    if (isAnother) return outcome;
    const stored = outcome.last.values.id as number;
    history.replaceState(null, '', `/edit/${resource}/${stored}`);
    setId(stored);
    // The answer has a field that is shown on request only if it was sent.
    setBase({ ...outcome.last, values: { ...values, ...outcome.last.values } });
    return outcome;
  };
  /** Shows the record after an undo. */
  const showUndone = async (receipts: Receipts = []) => {
    if (receipts.some((it) => it.resource === resource && it.record_id === id))
      setBase(await loadIfThere(resource, id!));
  };
  const decide = (name: string, isTheirs: boolean) => {
    if (isTheirs) keep((own) => own !== name);
    setContested(contested.filter((it) => it !== name));
    document.getElementById(name)?.focus();
  };
  return {
    id,
    base,
    values,
    fields,
    edits,
    changed,
    contested,
    year,
    save,
    onStale,
    showUndone,
    decide,
    enter: (name: string, entry: Entry) => setEdits((now) => ({ ...now, [name]: entry })),
    discard: () => setEdits({}),
    forget() {
      setBase(undefined);
      setEdits({});
    },
  };
}
export type RecordState = ReturnType<typeof useRecord>;

/** ": alice, today, 14:02", from the newest receipt; '' if it cannot be read. */
async function lastEditor(resource: WritableResource, id: number, { signature }: Working): Promise<string> {
  const query = `resource=${resource}&record_id=${id}&limit=1`;
  const found = await findReceipts(query, signature.key).catch(() => undefined);
  const [last] = found?.receipts ?? [];
  return last ? `: ${last.key}, ${whenOf(last.at)}` : '';
}
