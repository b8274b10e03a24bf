/** Saves the form of a record, and tells the outcome. */
import { useRef, useState } from 'preact/hooks';
import { freeId, refreshRecord } from './candidates.ts';
import { isSame, type Values } from './fields.ts';
import { allowLeaving } from './navigation.ts';
import type { Notice } from './outcome.tsx';
import type { FormProps } from './record-editor.tsx';
import { entriesOf, type useEntries } from './record-entries.ts';
import {
  type Attempts,
  create,
  load,
  noAnswer,
  type Refused,
  readReceipt,
  type Saved,
  write,
} from './service.ts';

/** The outcome of the last write, and the function that writes. */
export function useSaving(props: FormProps, entered: ReturnType<typeof useEntries>) {
  const { entries, setEntries, names, changes, companions } = entered;
  const { resource, id, accessKey, onWrongKey, created, onCreated, fields, base, onBase } = props;
  const [notice, setNotice] = useState<Notice | undefined>(
    created && { kind: 'saved', text: 'The record was created.' },
  );
  const [receipt, setReceipt] = useState(created);
  const [isBusy, setBusy] = useState(false);
  const attempts = useRef<Attempts>({ ids: new Map(), hasLostAnswer: false });

  async function handleRefused(refused: Refused): Promise<void> {
    const current =
      refused.status === 412 && id !== undefined
        ? await load(resource, id).catch(() => undefined)
        : undefined;
    if (current === undefined) {
      setNotice(refused);
      if (refused.status === 409 && id === undefined) await proposeAnotherId();
      if (refused.status === 401) onWrongKey();
      return;
    }
    const isStored = (name: string) =>
      name in changes && isSame(changes[name]!, current.values[name] ?? null);
    const differing = differencesOf(base.values, current.values);
    // The answer to the same change was lost, and nothing else was changed since.
    const isOwn = [...differing, ...Object.keys(changes)].every(isStored);
    setNotice(
      isOwn
        ? { kind: 'saved', text: 'The change had been saved before the network broke off.' }
        : { kind: 'conflict', was: base.values, is: current.values },
    );
    // Changed fields keep their entries; all others get the values of the other editor.
    setEntries({ ...entriesOf(fields, current.values), ...pick(entries, Object.keys(changes)) });
    onBase(current);
  }

  async function proposeAnotherId(): Promise<void> {
    const proposed = await freeId(resource).catch(() => undefined);
    if (proposed !== undefined) setEntries((before) => ({ ...before, id: String(proposed) }));
  }

  async function handleSaved(outcome: Saved, text: string): Promise<void> {
    await refreshRecord();
    const written = outcome.receipt === undefined ? undefined : await readReceipt(outcome.receipt, accessKey);
    if (id === undefined) {
      allowLeaving();
      onCreated(outcome.id, written);
      return;
    }
    onBase({ ...outcome, names });
    setEntries(entriesOf(fields, outcome.values));
    setNotice({ kind: 'saved', text: outcome.receipt === undefined ? 'Nothing had to be changed.' : text });
    if (written !== undefined) setReceipt(written);
  }

  function send(values: Values): Promise<Saved | Refused> {
    if (id !== undefined) return write(resource, id, values, accessKey, base.etag);
    return create(
      resource,
      { id: base.values.id ?? null, ...values },
      companions,
      accessKey,
      attempts.current,
    );
  }

  async function save(values: Values, text: string): Promise<void> {
    setBusy(true);
    setNotice(undefined);
    try {
      // A new record needs a free number, and the record cannot be read.
      const outcome = await send(values).catch(() => noAnswer);
      await (outcome.kind === 'saved' ? handleSaved(outcome, text) : handleRefused(outcome));
    } finally {
      setBusy(false);
    }
  }

  return { notice, receipt, isBusy, save };
}

/** Names of the fields whose values differ. */
const differencesOf = (one: Values, other: Values): string[] =>
  Object.keys({ ...one, ...other }).filter((name) => !isSame(one[name] ?? null, other[name] ?? null));

function pick<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
