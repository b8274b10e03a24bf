/** The form of a record: what is entered, and the function that saves it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { defaultOf } from '../../../api/contract/bodies.ts';
import type { WritableResource } from '../../../api/contract/names.ts';
import { joined, nouns } from '../shared/format.ts';
import type { Refused } from './answers.ts';
import { freeId, refreshRecord } from './candidates.ts';
import { Duplicates } from './duplicates.tsx';
import { type Entries, entriesOf, useEntries } from './entries.ts';
import { FieldControl } from './field-control.tsx';
import {
  canBeCreated,
  type Field,
  fieldsOf,
  isSame,
  nameFieldOf,
  undoValues,
  type Values,
} from './fields.ts';
import { allowLeaving } from './navigation.ts';
import { fieldOf, inWords, type Notice, NoticeBox, pendingText, Receipt, useWriting } from './outcome.tsx';
import { SaveForm, unsavedText } from './save-form.tsx';
import {
  type Attempts,
  create,
  type FlatReceipt,
  type Loaded,
  load,
  readReceipt,
  remove,
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
  created: FlatReceipt | undefined;
  onCreated: (id: number, receipt: FlatReceipt | undefined) => void;
  onDeleted: () => void;
  /** Called with what the stored record is called. */
  onName: (name: string | undefined) => void;
}

const newRecord = (fields: readonly Field[], id: number | null): Loaded => ({
  values: { ...Object.fromEntries(fields.map(({ name }) => [name, defaultOf(name)])), id },
  etag: undefined,
  names: {},
});

/** The first version of a form. The service gives no ids to nominations, so that a free one is proposed. */
async function firstVersion(resource: WritableResource, id: number | undefined, fields: readonly Field[]) {
  if (id !== undefined) return load(resource, id);
  // Without the record, the editor types an id.
  const proposed = resource === 'nominations' ? await freeId(resource).catch(() => null) : null;
  return newRecord(fields, proposed);
}

/** The stored name of a record; the nominee and film of a nomination; undefined for a ceremony and a new record. */
function nameIn({ values, names }: Loaded, resource: WritableResource): string | undefined {
  if (resource === 'nominations') return joined(names.nominee_id, names.movie_id) || undefined;
  const name = values[nameFieldOf(resource) ?? ''];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

export function RecordEditor(props: RecordEditorProps) {
  const { resource, id } = props;
  const fields = fieldsOf(resource, id === undefined);
  const [base, setBase] = useState<Loaded>();
  const [refused, setRefused] = useState<Refused>();
  useEffect(() => {
    firstVersion(resource, id, fields).then(setBase, setRefused);
  }, [resource, id]);
  const name = base && nameIn(base, resource);
  useEffect(() => props.onName(name), [name]);
  if (refused?.status === 404 && props.created)
    return (
      <>
        <NoticeBox notice={{ kind: 'saved', text: pendingText }} fields={fields} />
        <Receipt receipt={props.created} fields={fields} isBusy={false} onUndo={undefined} />
      </>
    );
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

/** The outcome of the last write, and the function that writes. */
function useSaving(props: FormProps, entered: ReturnType<typeof useEntries>) {
  const { entries, setEntries, names, changes, companions } = entered;
  const { resource, id, accessKey, onWrongKey, created, onCreated, fields, base, onBase } = props;
  const { notice, isBusy, carryOut } = useWriting(
    onWrongKey,
    created && { kind: 'saved', text: 'The record was created.' },
  );
  const [receipt, setReceipt] = useState(created);
  const attempts = useRef<Attempts>({ ids: new Map(), hasLostAnswer: false });

  async function handleRefused(refused: Refused): Promise<Notice> {
    const isStale = refused.status === 412 && id !== undefined;
    const current = isStale ? await load(resource, id).catch(() => undefined) : undefined;
    if (current === undefined) {
      if (refused.status === 409 && id === undefined) await proposeAnotherId();
      return refused;
    }
    const isStored = (name: string) =>
      name in changes && isSame(changes[name]!, current.values[name] ?? null);
    const differing = differencesOf(base.values, current.values);
    // The answer to the same change was lost, and nothing else was changed since.
    const isOwn = [...differing, ...Object.keys(changes)].every(isStored);
    // Changed fields keep their entries; all others get the values of the other editor.
    setEntries({ ...entriesOf(fields, current.values), ...pick(entries, Object.keys(changes)) });
    onBase(current);
    return isOwn
      ? { kind: 'saved', text: 'The change had been saved before the network broke off.' }
      : { kind: 'conflict', was: base.values, is: current.values };
  }

  async function proposeAnotherId(): Promise<void> {
    const proposed = await freeId(resource).catch(() => undefined);
    if (proposed !== undefined) setEntries((before) => ({ ...before, id: String(proposed) }));
  }

  async function handleSaved(outcome: Saved, text: string): Promise<Notice | undefined> {
    await refreshRecord();
    const written = outcome.receipt === undefined ? undefined : await readReceipt(outcome.receipt, accessKey);
    if (id === undefined) {
      allowLeaving();
      onCreated(outcome.id, written);
      return undefined;
    }
    onBase({ ...outcome, names });
    setEntries(entriesOf(fields, outcome.values));
    if (written !== undefined) setReceipt(written);
    if (outcome.isPending) return { kind: 'saved', text: pendingText };
    return { kind: 'saved', text: outcome.receipt === undefined ? 'Nothing had to be changed.' : text };
  }

  const save = (values: Values, text: string) =>
    carryOut(async () => {
      const record = { id: base.values.id ?? null, ...values };
      const outcome =
        id === undefined
          ? await create(resource, record, companions, accessKey, attempts.current)
          : await write(resource, id, values, accessKey, base.etag);
      return outcome.kind === 'saved' ? handleSaved(outcome, text) : handleRefused(outcome);
    });

  /** Deletes the stored record. */
  const removeRecord = (stored: number) =>
    carryOut(async () => {
      const outcome = await remove(resource, stored, accessKey, base.etag);
      if (outcome.kind !== 'saved') return handleRefused(outcome);
      await refreshRecord();
      allowLeaving();
      props.onDeleted();
      return undefined;
    });

  return { notice, receipt, isBusy, save, removeRecord };
}

/** Names of the fields whose values differ. */
const differencesOf = (one: Values, other: Values): string[] =>
  Object.keys({ ...one, ...other }).filter((name) => !isSame(one[name] ?? null, other[name] ?? null));

function pick<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function Form(props: FormProps) {
  const { resource, id, fields } = props;
  const entered = useEntries(fields, props.base);
  const { entries, names, enter, changes, companions } = entered;
  const { notice, receipt, isBusy, save, removeRecord } = useSaving(props, entered);
  const changeCount = Object.keys(changes).length + companions.length;
  const faults = notice?.kind === 'refused' ? notice.faults : [];
  // The fields of created records first: the names of their references are the beginnings of theirs.
  const allFields = [...companions.flatMap((companion) => companion.fields), ...fields];
  const before = receipt?.before;
  const undo = before ? () => save(undoValues(resource, before), 'The change was undone.') : undefined;
  const control = (field: Field) => (
    <FieldControl
      key={field.name}
      field={field}
      entry={entries[field.name] ?? ''}
      name={names[field.name]}
      isChanged={field.name in changes && id !== undefined}
      faults={faults
        .filter(({ pointer }) => fieldOf(pointer, allFields) === field)
        .map(({ message }) => inWords(message))}
      onEnter={(entry, name) => {
        enter(field.name, entry, name);
        entered.stopCreating(field);
      }}
      onCreate={
        id === undefined && field.collection !== undefined && canBeCreated(field.collection)
          ? (name) => entered.startCreating(field, name)
          : undefined
      }
    />
  );
  return (
    <>
      {notice && <NoticeBox notice={notice} fields={allFields} />}
      {receipt && <Receipt receipt={receipt} fields={fields} isBusy={isBusy} onUndo={undo} />}
      <SaveForm
        action={id === undefined ? 'Create' : 'Save'}
        status={id === undefined ? '' : unsavedText(changeCount, 'field')}
        hasChanges={changeCount > 0}
        isBusy={isBusy}
        isEnabled={changeCount > 0 || id === undefined}
        onSave={() => void save(changes, 'The change was saved. Everyone sees it now.')}
      >
        {id === undefined && <Duplicates resource={resource} entries={entries} />}
        <div class="fields">
          {fields.map((field) => {
            const companion = companions.find(({ reference }) => reference === field.name);
            if (companion === undefined) return control(field);
            return (
              <fieldset key={field.name} class="created">
                <legend>
                  {field.label}: new {nouns[companion.resource].one}
                </legend>
                <Duplicates
                  resource={companion.resource}
                  entries={withoutPrefix(entries, `${field.name}/`)}
                />
                <div class="fields">{companion.fields.map(control)}</div>
                <button type="button" onClick={() => entered.stopCreating(field)}>
                  Choose an existing {nouns[companion.resource].one}
                </button>
              </fieldset>
            );
          })}
        </div>
      </SaveForm>
      {id !== undefined && (
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => confirm(`Delete this ${nouns[resource].one}?`) && void removeRecord(id)}
          >
            Delete this {nouns[resource].one}
          </button>
        </p>
      )}
    </>
  );
}

const withoutPrefix = (entries: Entries, prefix: string): Entries =>
  Object.fromEntries(
    Object.entries(entries)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, entry]) => [name.slice(prefix.length), entry]),
  );
