/** What the views of the editor share: a piece of work with its notice, its undo, and the bar that saves. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../shared/format.ts';
import { isConfirmed } from './dialog.ts';
import { useDraft } from './drafts.ts';
import { changeInWords } from './fields.ts';
import { editHref } from './naming.ts';
import { loadIfThere, nominationsOf } from './reading.ts';
import type { Fault, Refusal } from './refusal.ts';
import { type Outcome, type Receipt, send, type Signature } from './requests.ts';
import { planUndo } from './undo.ts';

/** The key, and a function that shows where it is typed. */
export type Access = { key: string; onWrongKey: () => void };

/**
 * Gives the control in which the editor begins to type the focus, without moving the page. A phone would
 * show its keyboard over the page: there, nothing gets it.
 * @param isReady whether the control is there
 */
export function useFirstFocus(id: string, isReady = true): void {
  useEffect(() => {
    const isFree = document.activeElement === document.body && matchMedia('(pointer: fine)').matches;
    if (isReady && isFree) document.getElementById(id)?.focus({ preventScroll: true });
  }, [isReady]);
}

/** The heading of a view, which is also the title of the page, and links to other views. */
export function Heading({ text, children }: { text: string; children?: ComponentChildren }) {
  document.title = `${text} · Film Awards`;
  return (
    <div class="view-heading">
      <h1>{text}</h1>
      {children && <p class="links">{children}</p>}
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
export const noticeOf = ({ receipts }: Outcome, title: string): Notice => ({ isGood: true, title, receipts });

/** The notice where others changed a night before a save. @param lines what they changed */
export const changedMeanwhile = (lines: readonly string[]): Notice => ({
  isGood: false,
  title: 'The record of this night changed meanwhile',
  lines: ['Nothing was saved yet. What you typed is still here; look at these, then save again:', ...lines],
});

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
  // Records have names; an address says nothing to an editor.
  const named = words.replace(/\/api\/\w+\/\d+ is still referred to by/, 'It is still used by');
  return named.replace(/^must not be null$|^is required$/, 'must be filled in');
};

export type Receipts = readonly Receipt[];
const records = {
  load: loadIfThere,
  nominationsOf: async (...record: Parameters<typeof nominationsOf>) =>
    (await nominationsOf(...record)).map(({ id }) => id),
};

type Show = (receipts?: Receipts) => Promise<unknown>;
type Run = () => Promise<Notice | undefined>;

/**
 * The notice of the last piece of work, and functions that carry out the next.
 * @param labelOf the name of a control
 */
export function useWork({ key, onWrongKey }: Access, labelOf = (control: string) => control) {
  const [notice, setNotice] = useState<Notice>();
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useDraft('note', '');
  const refuse = (error: Partial<Refusal>): Notice => {
    const { status = 0, message = '', faults: found = [] } = error;
    const [title = 'Nothing was saved', advice = inWords(message)] = refusals[Math.min(status, 502)] ?? [];
    const texts = found.map((one) => joinedFault(labelOf(one.control), inWords(one.message)));
    setFaults(found);
    if (status === 401) onWrongKey();
    document.getElementById(found[0]?.control ?? '')?.focus();
    return { isGood: false, title, lines: texts.length > 0 ? texts : [advice] };
  };
  /** @param onStale gives the notice where another editor has changed what is written */
  const work = async (run: Run, onStale?: Run) => {
    if (isBusy) return;
    setBusy(true);
    setFaults([]);
    const answer = await run().catch(async (error: Partial<Refusal>) => {
      const stale = error.status === 412 ? await onStale?.() : undefined;
      return stale ?? refuse(error);
    });
    setNotice(answer);
    if (answer?.isGood) setNote('');
    setBusy(false);
  };
  const signature: Signature = { key, note };
  /** Takes changes back as one batch, after a question. @param show shows the record as it is then */
  const undo = (receipts: Receipts, show: Show) => {
    const run = async () => {
      const { writes, changes, left } = await planUndo(receipts, records);
      const lines = left.length > 0 ? [`Left as it is: ${left.join('; ')}.`] : [];
      if (writes.length === 0) return { isGood: false, title: 'Nothing was taken back', lines };
      const title = `Take back ${count(changes.length, 'change')}?`;
      if (!(await isConfirmed({ title, lines: [...changes, ...lines], button: 'Take back' }))) return notice;
      const outcome = await send(writes, signature);
      await show(receipts);
      return { ...noticeOf(outcome, 'Taken back.'), lines };
    };
    const title = 'A record changed at this moment: nothing was taken back. Try again';
    return work(run, async () => ({ isGood: false, title }));
  };
  const faultsOf = (control: string): string =>
    faults.flatMap((one) => (one.control === control ? [inWords(one.message)] : [])).join('; ');
  const dismiss = () => setNotice(undefined);
  return { notice, faultsOf, isBusy, work, undo, dismiss, note, setNote, signature };
}
export type Working = ReturnType<typeof useWork>;

const joinedFault = (label: string, message: string) => (label ? `${label}: ${message}` : message);

export function NoticeBox({ working: { notice, undo, dismiss }, show }: { working: Working; show: Show }) {
  if (notice === undefined) return null;
  const { isGood, title, lines = [], receipts = [] } = notice;
  return (
    <div class={isGood ? 'notice' : 'notice bad'} role={isGood ? 'status' : 'alert'}>
      <strong>{title}</strong>
      {receipts.length > 0 && (
        <button type="button" onClick={() => void undo(receipts, show)}>
          Undo
        </button>
      )}
      <button type="button" class="quiet" aria-label="Close this message" onClick={dismiss}>
        ×
      </button>
      {lines.length > 0 && <p>{lines.join('\n')}</p>}
      {receipts.length > 0 && <Changes receipts={receipts} />}
    </div>
  );
}

/** What other editors changed while the page was open. */
export function NewsBox({ news, onClose }: { news: readonly string[]; onClose: () => void }) {
  if (news.length === 0) return null;
  return (
    <div class="notice" role="status">
      <strong>Changed by another editor</strong>
      <button type="button" class="quiet" aria-label="Close this message" onClick={onClose}>
        ×
      </button>
      <p>{news.join('\n')}</p>
    </div>
  );
}

/** Changes that are shown at once; the others are folded away. */
const shownChanges = 3;

/** Changes in words, each with a link to its record. */
export function Changes({ receipts }: { receipts: Receipts }) {
  const items = receipts.map((one) => (
    <li key={one.id}>
      <a href={editHref(one.resource, one.record_id)}>{one.title}</a>: {changeInWords(one)}
      {one.note && <q class="note">{one.note}</q>}
    </li>
  ));
  if (items.length <= shownChanges + 1) return <ul class="changes">{items}</ul>;
  return (
    <>
      <ul class="changes">{items.slice(0, shownChanges)}</ul>
      <details>
        <summary>{count(items.length - shownChanges, 'more change')}</summary>
        <ul class="changes">{items.slice(shownChanges)}</ul>
      </details>
    </>
  );
}

interface SaveFormProps {
  working: Working;
  /** What is not saved yet; '' for nothing. The browser asks before it is lost. */
  unsaved: string;
  onSave: () => void;
  /** Drops what is not saved. */
  onDiscard: () => void;
  show: Show;
  /** Whether there is nothing to save yet: the bar is left out. */
  isBare?: boolean;
  /** What the button that saves is called. */
  saveText?: string;
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

/** A form with the bar that saves it: one line, always in sight. */
export function SaveForm(props: SaveFormProps) {
  const {
    working,
    unsaved,
    onSave,
    onDiscard,
    show,
    saveText = 'Save',
    isBare = false,
    buttons,
    children,
  } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form class={unsaved && 'unsaved'} method="post" noValidate onSubmit={submit}>
      <NoticeBox working={working} show={show} />
      {children}
      <div class="save-bar" hidden={isBare}>
        <button type="submit" class="primary">
          {saveText}
        </button>
        <span class="state" role="status">
          {working.isBusy ? 'Saving …' : unsaved && `${unsaved}, not saved yet`}
        </span>
        {unsaved && (
          <button type="button" class="quiet" onClick={onDiscard}>
            Discard
          </button>
        )}
        <input
          class="note"
          aria-label="Note for the history, such as the source"
          placeholder="Note for the history: source …"
          maxLength={1000}
          value={working.note}
          onInput={({ currentTarget: { value } }) => working.setNote(value)}
        />
        {buttons}
      </div>
    </form>
  );
}
