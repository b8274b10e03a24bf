/** Reads JSON bodies, and refuses everything that JSON parsers ignore or disagree about. */
import { isUtf8 } from 'node:buffer';
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { JsonValue } from '../contract/bodies.ts';
import { pointerTo, shortened } from '../contract/problems.ts';

type StrictJson = { ok: true; value: JsonValue } | { ok: false; detail: string };

const maxDepth = 64;

/** Stops the parser at the first fault. The message is for the client. */
class Refusal extends Error {}

/**
 * Reads a body.
 * @returns the value, or one sentence about the first fault: invalid UTF-8, no JSON, a name twice in one object, `__proto__`,
 *   NUL or a lone surrogate in any text, a number too large, lists and objects nested too deep
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  if (!isUtf8(bytes)) return { ok: false, detail: 'the body is not valid UTF-8' };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  try {
    visit(text, strictVisitor(text), { disallowComments: true, allowTrailingComma: false });
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, detail: error.message };
    // Refuse a text that only one of the two parsers accepts. None is known.
    if (error instanceof SyntaxError) return { ok: false, detail: 'the body is not JSON' };
    throw error;
  }
}

/** Throws Refusal at the first fault, so the parser's recursion is limited, too. */
function strictVisitor(text: string): JSONVisitor {
  /** The names so far of each open object; those of a list stay empty. */
  const open: Set<string>[] = [];
  const enter = () => {
    open.push(new Set());
    if (open.length > maxDepth)
      throw new Refusal(`lists and objects are nested more than ${maxDepth} levels deep`);
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
      if (name === '__proto__') throw new Refusal(`${place()} is a name that is not allowed`);
      const names = open.at(-1)!;
      if (names.has(name)) throw new Refusal(`${place()} is given more than once`);
      names.add(name);
    },
    onLiteralValue: (value: unknown, _offset, _length, _line, _column, path) => {
      if (typeof value === 'string') checkText(value, () => placeOf(path()));
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new Refusal(`${placeOf(path())} is a number too large`);
    },
    onError: (_code, offset, length, line, column) => {
      const found = shortened(text.slice(offset, offset + length)) || 'end of the body';
      throw new Refusal(`the body is not JSON: line ${line + 1}, column ${column + 1}: unexpected ${found}`);
    },
  };
}

function checkText(text: string, place: () => string): void {
  if (text.includes('\0')) throw new Refusal(`${place()} holds the character NUL`);
  // With the flag u, only a lone surrogate matches.
  if (/\p{Surrogate}/u.test(text)) throw new Refusal(`${place()} holds half a character (a lone surrogate)`);
}

const placeOf = (path: readonly (string | number)[]) =>
  path.length === 0 ? 'the body' : shortened(pointerTo(path));
