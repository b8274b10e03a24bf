/** The form of a record: loads it, saves the changed fields and shows the outcome. */
import { useEffect, useState } from 'preact/hooks';
import { defaultOf, type WritableResource } from '../../../api/contract/bodies.ts';
import { count, nouns } from '../shared/format.ts';
import { refreshRecord } from './candidates.ts';
import { FieldControl } from './field-control.tsx';
import { type Entry, entryOf, type Field, fieldsOf, isSame, type Values, valueFrom } from './fields.ts';
import { allowLeaving, useLeavingGuard } from './navigation.ts';
import { fieldOf, type Notice, NoticeBox, Receipt } from './outcome.tsx';
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
  onWrongKey: () => void;
  /** The receipt of a record that was created just now. */
  created: ReceiptDocument | undefined;
  onCreated: (id: number, receipt: ReceiptDocument | undefined) => void;
}

type Entries = Readonly<Record<string, Entry>>;

const newRecord = (fields: readonly Field[]): Loaded => ({
  values: Object.fromEntries(fields.map(({ name }) => [name, defaultOf(name)])),
  etag: undefined,
  names: {},
});

const entriesOf = (fields: readonly Field[], values: Values): Entries =>
  Object.fromEntries(fields.map((field) => [field.name, entryOf(field, values[field.name] ?? null)]));

export function RecordEditor(props: RecordEditorProps) {
  const { resource, id } = props;
  const fields = fieldsOf(resource, id === undefined);
  const [base, setBase] = useState<Loaded | undefined>(id === undefined ? newRecord(fields) : undefined);
  const [refused, setRefused] = useState<Refused>();
  useEffect(() => {
    if (id !== undefined) load(resource, id).then(setBase, setRefused);
  }, [resource, id]);
  if (refused)
    return (
      <p role="alert">
        {refused.status === 404 ? `There is no ${nouns[resource].one} no. ${id}.` : refused.detail}
      </p>
    );
  if (base === undefined) return <p role="status">Loading …</p>;
  return <Form {...props} fields={fields} base={base} onBase={setBase} />;
}

interface FormProps extends RecordEditorProps {
  fields: readonly Field[];
  /** The version that changes are based on. */
  base: Loaded;
  onBase: (base: Loaded) => void;
}

/** What is entered in the form, by field. */
function useEntries(fields: readonly Field[], base: Loaded) {
  const [entries, setEntries] = useState<Entries>(() => entriesOf(fields, base.values));
  const [names, setNames] = useState(base.names);
  // A browser may fill in several fields before the next render: updates are functions of the state.
  const enter = (field: string, entry: Entry, name?: string): void => {
    setEntries((before) => ({ ...before, [field]: entry }));
    if (name !== undefined) setNames((before) => ({ ...before, [field]: name }));
  };
  return { entries, setEntries, names, enter, changes: changesOf(fields, base.values, entries) };
}

/** The outcome of the last write, and the function that writes. */
function useSaving(props: FormProps, { entries, setEntries, names, changes }: ReturnType<typeof useEntries>) {
  const { resource, id, accessKey, onWrongKey, created, onCreated, fields, base, onBase } = props;
  const [notice, setNotice] = useState<Notice | undefined>(
    created && { kind: 'saved', text: 'The record was created.' },
  );
  const [receipt, setReceipt] = useState(created);
  const [isBusy, setBusy] = useState(false);

  async function handleRefused(refused: Refused): Promise<void> {
    const current =
      refused.status === 412 && id !== undefined
        ? await load(resource, id).catch(() => undefined)
        : undefined;
    if (current === undefined) {
      setNotice(refused);
      if (refused.status === 401) onWrongKey();
      return;
    }
    setNotice({ kind: 'conflict', was: base.values, is: current.values });
    // Changed fields keep their entries; all others get the values of the other editor.
    setEntries({ ...entriesOf(fields, current.values), ...pick(entries, Object.keys(changes)) });
    onBase(current);
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

  async function save(values: Values, text: string): Promise<void> {
    setBusy(true);
    setNotice(undefined);
    try {
      const outcome = await write(resource, id, values, accessKey, base.etag);
      await (outcome.kind === 'saved' ? handleSaved(outcome, text) : handleRefused(outcome));
    } finally {
      setBusy(false);
    }
  }

  return { notice, receipt, isBusy, save };
}

function Form(props: FormProps) {
  const { id, fields } = props;
  const entered = useEntries(fields, props.base);
  const { entries, names, enter, changes } = entered;
  const { notice, receipt, isBusy, save } = useSaving(props, entered);
  const changeCount = Object.keys(changes).length;
  useLeavingGuard(changeCount > 0);
  const faults = notice?.kind === 'refused' ? notice.faults : [];
  const before = receipt?.before;
  const fieldNames = fields.map(({ name }) => name);
  const undo = before ? () => save(pick(before, fieldNames), 'The change was undone.') : undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    void save(changes, 'The change was saved. Everyone sees it now.');
  };
  return (
    <>
      {notice && <NoticeBox notice={notice} fields={fields} />}
      {receipt && <Receipt receipt={receipt} fields={fields} isBusy={isBusy} onUndo={undo} />}
      <form noValidate onSubmit={submit}>
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
              onEnter={(entry, name) => enter(field.name, entry, name)}
            />
          ))}
        </div>
        <SaveBar isNew={id === undefined} changeCount={changeCount} isBusy={isBusy} />
      </form>
    </>
  );
}

function SaveBar(props: { isNew: boolean; changeCount: number; isBusy: boolean }) {
  const { isNew, changeCount, isBusy } = props;
  const status = changeCount === 0 ? 'Nothing changed yet' : `${count(changeCount, 'field')} changed`;
  return (
    <div class="save-bar">
      <button type="submit" class="primary" disabled={isBusy || (changeCount === 0 && !isNew)}>
        {isBusy ? 'Saving …' : isNew ? 'Create' : 'Save'}
      </button>
      <span>{isNew ? '' : status}</span>
    </div>
  );
}

function changesOf(fields: readonly Field[], base: Values, entries: Entries): Values {
  return Object.fromEntries(
    fields
      .map((field) => [field.name, valueFrom(field, entries[field.name] ?? '')] as const)
      .filter(([name, value]) => !isSame(value, base[name] ?? null)),
  );
}

function pick<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
