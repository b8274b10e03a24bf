/** The outcome of a write: a notice that takes the focus, and the receipt with the way back. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { noAnswer, type Refused } from './answers.ts';
import { controlId } from './field-control.tsx';
import { type Field, isSame, textOf, type Values } from './fields.ts';
import type { FlatReceipt } from './service.ts';

export type Notice =
  | { kind: 'saved'; text: string }
  | Refused
  /** Another editor wrote first. */
  | { kind: 'conflict'; was: Values; is: Values }
  /** Another editor changed some of what a batch was to change. */
  | { kind: 'overtaken'; changed: readonly string[] };

/** In place of the text of a saved record that no page shows yet. */
export const pendingText =
  'Saved. No page shows it yet: the service cannot publish it, and tries again by itself.';

/** The notice about the last piece of work, and the function that carries out the next. @param first notice */
export function useWriting(onWrongKey: () => void, first?: Notice) {
  const [notice, setNotice] = useState(first);
  const [isBusy, setBusy] = useState(false);
  /** @param work returns its notice */
  async function carryOut(work: () => Promise<Notice | undefined>): Promise<void> {
    setBusy(true);
    setNotice(undefined);
    // The record cannot be read: whether something was saved is not known.
    const outcome = await work().catch(() => noAnswer);
    setNotice(outcome);
    if (outcome?.kind === 'refused' && outcome.status === 401) onWrongKey();
    setBusy(false);
  }
  return { notice, isBusy, carryOut };
}

interface RefusalText {
  title: string;
  advice?: string;
}

/** Status of the answer → what the editor reads. */
const refusals: Readonly<Record<number, RefusalText>> = {
  0: { title: 'The service did not answer' },
  400: { title: 'The search was not understood' },
  401: {
    title: 'The key was not accepted',
    advice: 'Check that the field above has the whole key without spaces, and that the key was not revoked.',
  },
  404: { title: 'There is no such record' },
  405: {
    title: 'This copy of the record is read-only',
    advice: 'Ask the operator of this site for the address at which the record can be changed.',
  },
  409: {
    title: 'There is a record with this number already',
    advice: 'The next free number is filled in. Save again to use it.',
  },
  429: {
    title: 'Too many changes in a short time',
    advice: 'Wait a minute, then save again. What you typed is still here.',
  },
};

/** A server between the editor and the service may answer so after the write. */
const failure: RefusalText = {
  title: 'The service could not answer',
  advice: 'What you typed is still here. Save again later: nothing is saved twice.',
};
const stillReferenced: RefusalText = {
  title: 'Other records refer to this one, so it cannot be deleted',
  advice: 'Delete them first, or let them refer to another record.',
};
const notSaved: RefusalText = { title: 'The record was not saved' };

export function NoticeBox({ notice, fields }: { notice: Notice; fields: readonly Field[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [notice]);
  const isGood = notice.kind === 'saved';
  return (
    <div
      ref={box}
      class={isGood ? 'notice good' : 'notice bad'}
      role={isGood ? 'status' : 'alert'}
      tabIndex={-1}
    >
      {notice.kind === 'saved' ? (
        <p>{notice.text}</p>
      ) : notice.kind === 'overtaken' ? (
        <>
          <h2>The record of this night changed meanwhile</h2>
          <p>Nothing was saved yet. Your choices are still here; look at these, then save again:</p>
          <ul>
            {notice.changed.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </>
      ) : notice.kind === 'conflict' ? (
        <Conflict {...notice} fields={fields} />
      ) : (
        <Refusal refused={notice} fields={fields} />
      )}
    </div>
  );
}

function Refusal({ refused, fields }: { refused: Refused; fields: readonly Field[] }) {
  const { status, code, detail, faults } = refused;
  const isReferenced = code === 'still-referenced';
  const { title, advice } = isReferenced
    ? stillReferenced
    : (refusals[status] ?? (status >= 500 ? failure : notSaved));
  const isTaken = status === 409 && !isReferenced;
  return (
    <>
      <h2>{title}</h2>
      {faults.length === 0 && !isTaken && <p>{detail}</p>}
      {advice !== undefined && <p>{advice}</p>}
      {faults.length > 0 && !isTaken && (
        <ul>
          {faults.map(({ pointer, message }) => (
            <li key={pointer + message}>{faultText(fieldOf(pointer, fields), inWords(message))}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The field of a JSON pointer. */
export function fieldOf(pointer: string, fields: readonly Field[]): Field | undefined {
  const own = pointer.replace(/^\/details(?=\/)/, '');
  return fields.find(({ name }) => own === `/${name}` || own.startsWith(`/${name}/`));
}

/** Message of the service → the message that the form shows. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^must be a whole number from 0 to 9007199254740991/, 'must be a whole number'],
  [/^must be a whole number from 1 to 9007199254740991/, 'must be a whole number above zero'],
  [/^must be a calendar date as YYYY-MM-DD/, 'must be a date of the calendar'],
  [
    /^must be a text that is not blank \(at most (\d+) characters\)/,
    'must have 1 to $1 characters, not only blanks',
  ],
  [/^must be a list of at most (\d+) texts/, 'must have at most $1 lines'],
  [/ or null$/, ', or stay empty'],
  [/^must not be null$/, 'must not be empty'],
  [/^is required$/, 'must be filled in'],
  [/^there is no movie with id/, 'there is no film no.'],
  [/^there is no (\w+) with id/, 'there is no $1 no.'],
];

export const inWords = (message: string): string =>
  wordings.reduce((text, [pattern, words]) => text.replace(pattern, words), message);

/** The message, with a link that focuses the field. */
function faultText(field: Field | undefined, message: string): ComponentChildren {
  if (field === undefined) return message;
  const id = controlId(field.name);
  const focus = (event: Event) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
  return (
    <>
      <a href={`#${id}`} onClick={focus}>
        {field.label}
      </a>
      : {message}
    </>
  );
}

function Conflict({ was, is, fields }: { was: Values; is: Values; fields: readonly Field[] }) {
  const changed = fields.filter(({ name }) => textOf(was[name]) !== textOf(is[name]));
  return (
    <>
      <h2>Another editor changed this record meanwhile</h2>
      <p>Nothing was saved yet. What you typed is still here; save again to write it over these changes:</p>
      <ul>
        {changed.map(({ name, label }) => (
          <li key={name}>
            {label}: was {textOf(was[name])}, is now {textOf(is[name])}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ReceiptProps {
  receipt: FlatReceipt;
  fields: readonly Field[];
  isBusy: boolean;
  /** What the receipt is of, where the page does not say it. */
  about?: ComponentChildren;
  /** undefined if the write cannot be undone. */
  onUndo: (() => void) | undefined;
}

export function Receipt({ receipt, fields, isBusy, about, onUndo }: ReceiptProps) {
  const { id, at, key, before, after, files } = receipt;
  const changed = fields.filter(
    ({ name }) =>
      (name in (before ?? {}) || name in (after ?? {})) &&
      !isSame(before?.[name] ?? null, after?.[name] ?? null),
  );
  const titleId = `receipt-${id}`;
  return (
    <section class="receipt" aria-labelledby={titleId}>
      <h2 id={titleId}>Receipt {id}</h2>
      {about && <p>{about}</p>}
      <p>
        Written with the key “{key}” on <time dateTime={at}>{new Date(at).toLocaleString()}</time>.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen */}
      <section class="scrolling" aria-label={`What changed, receipt ${id}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ name, label }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{textOf(before?.[name])}</td>
                <td>{textOf(after?.[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {onUndo && (
        <button type="button" onClick={onUndo} disabled={isBusy}>
          Undo this change
        </button>
      )}
      {files !== undefined && <RewrittenFiles files={files} />}
    </section>
  );
}

function RewrittenFiles({ files }: { files: NonNullable<FlatReceipt['files']> | null }) {
  if (files === null) return <p>Its files are not written yet.</p>;
  return (
    <details>
      <summary>{files.length === 1 ? '1 file was' : `${files.length} files were`} rewritten</summary>
      <ul class="files">
        {files.map(({ path, action, cause }) => (
          <li key={path}>
            <code>{path}</code> {action === 'removed' ? 'removed' : ''} <small>{cause}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
