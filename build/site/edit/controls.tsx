/** What the views of the editor share: the form with its notice, fields, and names of records. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count, joined, nouns } from '../shared/format.ts';
import { changeInWords, type Entry, type Field } from './fields.ts';
import * as service from './service.ts';
import { planUndo } from './undo.ts';

/** The key, and a function that shows where it is typed. */
export type Access = { key: string; onWrongKey: () => void };

/** The result of `load` for this key; undefined until it is there. */
export function useLatest<T>(key: string, load: () => Promise<T>): T | undefined {
  const [result, setResult] = useState<{ key: string; value: T }>();
  useEffect(() => {
    const current = new AbortController();
    setTimeout(async () => {
      // Not for each letter of a word.
      const value = current.signal.aborted ? undefined : await load().catch(() => undefined);
      if (value !== undefined && !current.signal.aborted) setResult({ key, value });
    }, 100);
    return () => current.abort();
  }, [key]);
  return result?.key === key ? result.value : undefined;
}

/** The heading of a view, which is also the title of the page, and links to other views. */
export function Heading({ text, children }: { text: string; children?: ComponentChildren }) {
  document.title = `${text} · Film Awards`;
  return (
    <div>
      <h1>{text}</h1>
      <p class="links">{children}</p>
    </div>
  );
}

/** What came of a piece of work, with the receipts of writes that can be undone. */
export type Notice = { isGood: boolean; title: string; lines?: readonly string[]; receipts?: Receipts };

/** The notice where the service holds all that is sent again after a lost answer. */
export const savedBefore: Notice = {
  isGood: true,
  title: 'The change had been saved before the network broke off.',
};

/** The notice of writes that were carried out. */
export const noticeOf = (saved: service.Outcome, title: string) => ({ ...saved, isGood: true, title });

const isKept = 'What you typed is still here.';
/** Status of a refusal → what the editor reads. */
const refusals: Readonly<Record<number, readonly string[]>> = {
  0: ['The service did not answer', `${isKept} Save again when the network is back: nothing is saved twice.`],
  401: ['The key was not accepted', `${isKept} Check that the key is whole, and that it was not revoked.`],
  404: ['There is no such record'],
  405: ['This copy of the record is read-only', 'Ask the operator of this site where it can be changed.'],
  429: ['Too many changes in a short time', `${isKept} Wait a minute, then save again.`],
  502: ['The service could not answer', `${isKept} Save again later: nothing is saved twice.`],
};

/** A message of the service in the words of a form. */
const inWords = (message: string): string => {
  const words = message.replace(/ from [01] to 9007199254740991/, '').replace(/ or null$/, ', or stay empty');
  return words.replace(/^must not be null$|^is required$/, 'must be filled in');
};

export type Receipts = readonly service.Receipt[];
const records = { load: service.loadIfThere, nominationsOf: service.nominationsOf };

type Show = (receipts?: Receipts) => Promise<unknown>;
type Run = () => Promise<Notice | undefined>;

/**
 * The notice of the last piece of work, and functions that carry out the next.
 * @param labelOf the name of a control
 */
export function useWork({ key, onWrongKey }: Access, labelOf = (control: string) => control) {
  const [notice, setNotice] = useState<Notice>();
  const [faults, setFaults] = useState<readonly service.Fault[]>([]);
  const [isBusy, setBusy] = useState(false);
  /** @param onStale gives the notice where another editor has changed what is written */
  const work = async (run: Run, onStale?: Run) => {
    if (isBusy) return;
    setBusy(true);
    const refuse = async (error: Partial<service.Refusal>): Promise<Notice> => {
      const { status = 0, message = '', faults: found = [] } = error;
      const stale = status === 412 ? await onStale?.() : undefined;
      if (stale) return stale;
      const [title = 'Nothing was saved', advice = message] = refusals[Math.min(status, 502)] ?? [];
      const texts = found.map((one) => `${labelOf(one.control)}: ${inWords(one.message)}`);
      setFaults(found);
      if (status === 401) onWrongKey();
      document.getElementById(found[0]?.control ?? '')?.focus();
      return { isGood: false, title, lines: texts.length > 0 ? texts : [advice] };
    };
    setFaults([]);
    setNotice(await run().catch(refuse));
    setBusy(false);
  };
  /** Takes changes back as one batch, after a question. @param show shows the record as it is then */
  const undo = (receipts: Receipts, show: Show) => {
    const run = async () => {
      const { writes, changes, left } = await planUndo(receipts, records);
      const lines = left.length > 0 ? [`Left as it is: ${left.join('; ')}.`] : [];
      if (writes.length === 0) return { isGood: false, title: 'Nothing was taken back', lines };
      const question = [`Take back ${count(changes.length, 'change')}?`, ...changes, ...lines].join('\n');
      if (!confirm(question)) return notice;
      const outcome = await service.send(writes, key);
      await show(receipts);
      return { ...noticeOf(outcome, 'Taken back.'), lines };
    };
    const title = 'A record changed at this moment: nothing was taken back. Try again';
    return work(run, async () => ({ isGood: false, title }));
  };
  const faultsOf = (control: string): string =>
    faults.flatMap((one) => (one.control === control ? [inWords(one.message)] : [])).join('; ');
  return { notice, faultsOf, isBusy, work, undo };
}
type Working = ReturnType<typeof useWork>;

export function NoticeBox({ working: { notice, undo }, show }: { working: Working; show: Show }) {
  if (notice === undefined) return null;
  const { isGood, title, lines = [], receipts = [] } = notice;
  return (
    <div class={isGood ? 'notice' : 'notice bad'} role={isGood ? 'status' : 'alert'}>
      <strong>{title}</strong>
      <p>{lines.join('\n')}</p>
      {receipts.length > 0 && <Changes receipts={receipts} onUndo={() => void undo(receipts, show)} />}
    </div>
  );
}

/** Changes in words, and the way back. */
export function Changes({ receipts, onUndo }: { receipts: Receipts; onUndo: () => void }) {
  return (
    <>
      <ul>
        {receipts.map((one) => (
          <li key={one.id}>
            <a href={`/edit/${one.resource}/${one.record_id}`}>{one.title}</a>: {changeInWords(one)}
          </li>
        ))}
      </ul>
      <button type="button" onClick={onUndo}>
        Undo
      </button>
    </>
  );
}

interface SaveFormProps {
  working: Working;
  /** What is not saved yet; '' for nothing. The browser asks before it is lost. */
  unsaved: string;
  onSave: () => void;
  show: Show;
  button?: ComponentChildren;
  children: ComponentChildren;
}

/** A form with the bar that saves it. */
export function SaveForm({ working, unsaved, onSave, show, button, children }: SaveFormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form class={unsaved && 'unsaved'} method="post" noValidate onSubmit={submit}>
      {children}
      <div class="save-bar">
        <NoticeBox working={working} show={show} />
        <button type="submit" class="primary">
          Save
        </button>{' '}
        {button} {working.isBusy ? 'Saving …' : unsaved && `${unsaved}, not saved yet`}
      </div>
    </form>
  );
}

interface ControlProps {
  id: string;
  field: Field;
  entry: Entry;
  fault: string;
  onEnter: (entry: Entry) => void;
  onPaste?: (event: ClipboardEvent) => void;
  children?: ComponentChildren;
}

/**
 * One field of a form: its label, hint, control and faults; of a typed name also the record that it stands
 * for.
 */
export function Control({ id, field, entry, fault, onEnter, onPaste, children }: ControlProps) {
  const { label, hint, kind, isRequired, collection } = field;
  const reference = typeof entry === 'object' ? entry : undefined;
  const name = reference?.name ?? '';
  const load = async () => (name.trim() ? service.meaningOf(collection!, name) : undefined);
  const meaning = useLatest(`${collection} ${name}`, load);
  const onInput = ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
    onEnter(reference ? { name: value } : value);
  const invalid = { 'aria-invalid': fault !== '', 'aria-describedby': `${id}-hint` };
  const type = kind === 'date' ? 'date' : 'text';
  const common = { id, type, onInput, onPaste, rows: 5, autocomplete: 'off' };
  const text = { ...common, ...invalid, value: reference?.name ?? String(entry) };
  const flag = { id, type: 'checkbox', checked: entry === true, onChange: () => onEnter(entry !== true) };
  const attributes: object = kind === 'flag' ? flag : text;
  const Element = kind === 'paragraph' || kind === 'lines' ? 'textarea' : 'input';
  return (
    <div class="field">
      <label for={id}>
        {label} {isRequired && <small>(required)</small>}
      </label>
      <Element {...attributes} />
      {meaning && (
        <select
          aria-label={`Record named ${name}`}
          value={reference?.id ?? meaning.chosen ?? ''}
          onChange={(event) => onEnter({ name, id: Number(event.currentTarget.value) })}
        >
          {meaning.chosen === undefined && <option value="">Which one?</option>}
          {service.isNamed(collection!) && <option value={0}>New {nouns[collection].one}</option>}
          {meaning.options.map((one) => (
            <option key={one.id} value={one.id}>
              {joined(one.label, one.note, `no. ${one.id}`)}
            </option>
          ))}
        </select>
      )}
      <small id={`${id}-hint`}>
        {hint} <span class="fault">{fault}</span>
      </small>
      {children}
    </div>
  );
}
