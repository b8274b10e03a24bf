/** A record in a form: loaded as the service has it, saved as far as it was changed, with what came of that. */
import { useEffect, useState } from 'preact/hooks';
import { defaultOf, type WritableResource } from '../../../api/contract/bodies.ts';
import { nouns } from './addresses.ts';
import { FieldControl } from './field-control.tsx';
import { type Entry, entryOf, type Field, fieldsOf, isSame, type Values, valueFrom } from './fields.ts';
import { allowLeaving, useLeavingGuard } from './leaving.ts';
import { fieldOf, type Notice, NoticeBox } from './notice.tsx';
import { Receipt } from './receipt.tsx';
import { refreshRecord } from './record.ts';
import {
  type Loaded,
  load,
  type ReceiptDocument,
  type Refused,
  readReceipt,
  type Saved,
  write,
} from './service.ts';

interface RecordEditorProps {
  resource: WritableResource;
  /** undefined for a new record. */
  id: number | undefined;
  accessKey: string;
  /** Told when the service did not accept the key. */
  onWrongKey: () => void;
  /** The receipt of the record if it was created just now. */
  created: ReceiptDocument | undefined;
  onCreated: (id: number, receipt: ReceiptDocument | undefined) => void;
}

type Entries = Readonly<Record<string, Entry>>;

/** A new record before anything is entered. */
const blank = (fields: readonly Field[]): Loaded => ({
  values: Object.fromEntries(fields.map(({ name }) => [name, defaultOf(name)])),
  etag: undefined,
  names: {},
});

const entriesOf = (fields: readonly Field[], values: Values): Entries =>
  Object.fromEntries(fields.map((field) => [field.name, entryOf(field, values[field.name] ?? null)]));

export function RecordEditor(props: RecordEditorProps) {
  const { resource, id } = props;
  const fields = fieldsOf(resource, id === undefined);
  const [base, setBase] = useState<Loaded | undefined>(id === undefined ? blank(fields) : undefined);
  const [missing, setMissing] = useState<Refused | undefined>(undefined);
  useEffect(() => {
    if (id !== undefined) load(resource, id).then(setBase, (refused: Refused) => setMissing(refused));
  }, [resource, id]);
  if (missing)
    return (
      <p role="alert">
        {missing.status === 404 ? `There is no ${nouns[resource].one} no. ${id}.` : missing.detail}
      </p>
    );
  if (base === undefined) return <p role="status">Loading …</p>;
  return <Form {...props} fields={fields} base={base} onBase={setBase} />;
}

interface FormProps extends RecordEditorProps {
  fields: readonly Field[];
  base: Loaded;
  onBase: (base: Loaded) => void;
}

function Form({ resource, id, accessKey, onWrongKey, created, onCreated, fields, base, onBase }: FormProps) {
  const [entries, setEntries] = useState<Entries>(() => entriesOf(fields, base.values));
  const [names, setNames] = useState(base.names);
  const [notice, setNotice] = useState<Notice | undefined>(
    created && { kind: 'saved', text: 'The record was created.' },
  );
  const [receipt, setReceipt] = useState<ReceiptDocument | undefined>(created);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(fields, base.values, entries);
  useLeavingGuard(Object.keys(changes).length > 0);

  const enter = (field: Field) => (entry: Entry, name?: string) => {
    // The browser may fill in several fields before any of them is shown.
    setEntries((before) => ({ ...before, [field.name]: entry }));
    if (name !== undefined) setNames((before) => ({ ...before, [field.name]: name }));
  };

  async function refused(refusal: Refused): Promise<void> {
    if (refusal.status === 412 && id !== undefined) {
      const now = await load(resource, id).catch(() => undefined);
      if (now !== undefined) {
        setNotice({ kind: 'overtaken', was: base.values, is: now.values });
        // What was not touched here follows what others wrote; what was, stays as it was typed.
        setEntries({ ...entriesOf(fields, now.values), ...pick(entries, Object.keys(changes)) });
        onBase(now);
        return;
      }
    }
    setNotice({ kind: 'refused', refused: refusal });
    if (refusal.status === 401) onWrongKey();
  }

  async function saved(outcome: Saved, text: string): Promise<void> {
    await refreshRecord();
    const told = outcome.receipt === undefined ? undefined : await readReceipt(outcome.receipt, accessKey);
    if (id === undefined) {
      allowLeaving();
      onCreated(outcome.id, told);
      return;
    }
    onBase({ values: outcome.values, etag: outcome.etag, names });
    setEntries(entriesOf(fields, outcome.values));
    setNotice({ kind: 'saved', text: outcome.receipt === undefined ? 'Nothing had to be changed.' : text });
    if (told !== undefined) setReceipt(told);
  }

  async function send(body: Values, text: string): Promise<void> {
    setBusy(true);
    setNotice(undefined);
    try {
      const outcome = await write(resource, id, body, accessKey, base.etag);
      await (outcome.kind === 'saved' ? saved(outcome, text) : refused(outcome));
    } finally {
      setBusy(false);
    }
  }

  const faults = notice?.kind === 'refused' ? notice.refused.faults : [];
  const before = receipt?.before;
  return (
    <>
      {notice && <NoticeBox notice={notice} fields={fields} />}
      {receipt && (
        <Receipt
          receipt={receipt}
          fields={fields}
          isBusy={isBusy}
          onUndo={
            before
              ? () =>
                  send(
                    pick(
                      before,
                      fields.map(({ name }) => name),
                    ),
                    'The change was taken back.',
                  )
              : undefined
          }
        />
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(
            changes,
            id === undefined ? 'The record was created.' : 'The change was saved. Everyone sees it now.',
          );
        }}
      >
        <div class="fields">
          {fields.map((field) => (
            <FieldControl
              key={field.name}
              field={field}
              entry={entries[field.name] ?? ''}
              name={names[field.name]}
              faults={faults
                .filter(({ pointer }) => fieldOf(pointer, fields) === field)
                .map(({ message }) => message)}
              onEnter={enter(field)}
            />
          ))}
        </div>
        <SaveBar isNew={id === undefined} count={Object.keys(changes).length} isBusy={isBusy} />
      </form>
    </>
  );
}

function SaveBar({ isNew, count, isBusy }: { isNew: boolean; count: number; isBusy: boolean }) {
  const told =
    count === 0 ? 'Nothing changed yet' : count === 1 ? '1 field changed' : `${count} fields changed`;
  return (
    <div class="save-bar">
      <button type="submit" class="primary" disabled={isBusy || (count === 0 && !isNew)}>
        {isBusy ? 'Saving …' : isNew ? 'Create' : 'Save'}
      </button>
      <span>{isNew ? '' : told}</span>
    </div>
  );
}

/** The fields whose value is another one now. */
function changesOf(fields: readonly Field[], base: Values, entries: Entries): Values {
  return Object.fromEntries(
    fields
      .map((field) => [field.name, valueFrom(field, entries[field.name] ?? '')] as const)
      .filter(([name, value]) => !isSame(value, base[name] ?? null)),
  );
}

function pick<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
