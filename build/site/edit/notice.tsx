/** What an editor is told about a write, in a place that gets the focus when there is something new. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { controlId } from './field-control.tsx';
import { type Field, shown, type Values } from './fields.ts';
import type { Refused } from './service.ts';

export type Notice =
  | { kind: 'saved'; text: string }
  | { kind: 'refused'; refused: Refused }
  /** Somebody else wrote first. */
  | { kind: 'overtaken'; was: Values; is: Values };

const titles: Readonly<Record<number, string>> = {
  0: 'Nothing was reached',
  401: 'The key was not accepted',
  404: 'There is no such record',
  405: 'This copy of the record is only for reading',
  409: 'There is a record with this number already',
  422: 'The record was not saved',
  429: 'Too many changes in a short time',
};

const advice: Readonly<Record<number, string>> = {
  401: 'Look whether the whole key is in the field above, without spaces, and whether it was revoked.',
  405: 'Changes are made where the record is kept; ask whoever runs this site for that address.',
  429: 'Wait a minute, then save again. What you typed is still here.',
};

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
      {contentOf(notice, fields)}
    </div>
  );
}

function contentOf(notice: Notice, fields: readonly Field[]): ComponentChildren {
  if (notice.kind === 'saved') return <p>{notice.text}</p>;
  if (notice.kind === 'overtaken') return <Overtaken {...notice} fields={fields} />;
  const { status, detail, faults } = notice.refused;
  return (
    <>
      <h2>{titles[status] ?? 'The record was not saved'}</h2>
      {faults.length === 0 && <p>{detail}</p>}
      {advice[status] !== undefined && <p>{advice[status]}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, message }) => (
            <li key={pointer + message}>{faultText(fieldOf(pointer, fields), message)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The field that a JSON pointer leads into. */
export const fieldOf = (pointer: string, fields: readonly Field[]): Field | undefined =>
  fields.find(({ name }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));

function faultText(field: Field | undefined, message: string): ComponentChildren {
  if (field === undefined) return message;
  const id = controlId(field.name);
  const lead = (event: Event) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
  return (
    <>
      <a href={`#${id}`} onClick={lead}>
        {field.label}
      </a>
      : {message}
    </>
  );
}

function Overtaken({ was, is, fields }: { was: Values; is: Values; fields: readonly Field[] }) {
  const changed = fields.filter(({ name }) => shown(was[name]) !== shown(is[name]));
  return (
    <>
      <h2>Somebody else changed this record meanwhile</h2>
      <p>Nothing was saved yet. What you typed is still here; save again to put it on top of this:</p>
      <ul>
        {changed.map(({ name, label }) => (
          <li key={name}>
            {label}: was {shown(was[name])}, is now {shown(is[name])}
          </li>
        ))}
      </ul>
    </>
  );
}
