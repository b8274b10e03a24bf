/** Reads JSON bodies, and refuses everything that JSON parsers ignore or disagree about. */
import { isUtf8 } from 'node:buffer';
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { JsonValue } from '../contract/bodies.ts';
import { pointerTo, shortened } from '../contract/problems.ts';
import { Refusal } from './requests.ts';

const maxDepth = 64;

const malformed = (detail: string) => new Refusal('malformed-body', detail);

/**
 * Reads a body. A byte order mark before it is ignored (RFC 8259, section 8.1).
 * @throws Refusal with one sentence about the first fault: invalid UTF-8, no JSON, a name twice in one
 *   object, `__proto__`, NUL or a lone surrogate in any text, a number too large, lists and objects nested
 *   too deep
 */
export function readStrictJson(bytes: Uint8Array): JsonValue {
  if (!isUtf8(bytes)) throw malformed('the body is not valid UTF-8');
  const text = new TextDecoder().decode(bytes);
  visit(text, strictVisitor(text), { disallowComments: true, allowTrailingComma: false });
  return JSON.parse(text) as JsonValue;
}

/** Throws at the first fault, so the parser's recursion is limited, too. */
function strictVisitor(text: string): JSONVisitor {
  /** The names so far of each open object; those of a list stay empty. */
  const open: Set<string>[] = [];
  const enter = () => {
    open.push(new Set());
    if (open.length > maxDepth)
      throw malformed(`lists and objects are nested more than ${maxDepth} levels deep`);
  };
  const leave = () => void open.pop();
  return {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      checkText(name, () => `a name in ${placeOf(path())}`);
      const place = () => placeOf([...path(), name]);
      if (name === '__proto__') throw malformed(`${place()} is a name that is not allowed`);
      const names = open.at(-1)!;
      if (names.has(name)) throw malformed(`${place()} is given more than once`);
      names.add(name);
    },
    onLiteralValue: (value: unknown, _offset, _length, _line, _column, path) => {
      if (typeof value === 'string') checkText(value, () => placeOf(path()));
      if (typeof value === 'number' && !Number.isFinite(value))
        throw malformed(`${placeOf(path())} is a number too large`);
    },
    onError: (_code, offset, length, line, column) => {
      const found = shortened(text.slice(offset, offset + length)) || 'end of the body';
      throw malformed(`the body is not JSON: line ${line + 1}, column ${column + 1}: unexpected ${found}`);
    },
  };
}

function checkText(text: string, place: () => string): void {
  if (text.includes('\0')) throw malformed(`${place()} holds the character NUL`);
  // With the flag u, only a lone surrogate matches.
  if (/\p{Surrogate}/u.test(text)) throw malformed(`${place()} holds half a character (a lone surrogate)`);
}

const placeOf = (path: readonly (string | number)[]) =>
  path.length === 0 ? 'the body' : shortened(pointerTo(path));
