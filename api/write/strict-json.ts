/**
 * Reading the body of a write: JSON, and none of what parsers pass over in silence or disagree about, so that what is
 * stored is what every reader of the body takes it to be.
 */
import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { pointerTo } from '../contract/problems.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

export type StrictJson = { ok: true; value: JsonValue } | { ok: false; detail: string };

/** Lists and objects within each other. */
const deepest = 64;

/** Ends the reading at the first thing that is refused. Its message is for the sender. */
class Refused extends Error {}

/**
 * Reads a body.
 * @returns the value, or one sentence about the first thing that stands in the way: no UTF-8, no JSON, a name twice in one
 *   object, `__proto__`, NUL or a lone surrogate in any text, a number too large, lists and objects nested too deep
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  try {
    const text = decode(bytes);
    visit(text, refusing(text), { disallowComments: true, allowTrailingComma: false });
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, detail: error.message };
    // The two parsers agree in every test; should they ever not, the body is not beyond doubt.
    if (error instanceof SyntaxError) return { ok: false, detail: 'the body is not JSON' };
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused('the body is not valid UTF-8');
  }
  if (text.startsWith('\ufeff'))
    throw new Refused('the body begins with a byte order mark, which is no part of JSON');
  if (/^[ \t\r\n]*$/.test(text)) throw new Refused('the body is empty');
  return text;
}

/** Throws Refused at the first thing that is not allowed; so the parser does not go deeper than what is. */
function refusing(text: string): JSONVisitor {
  /** The names so far of each object that is open. */
  const names: Set<string>[] = [];
  let depth = 0;
  const enter = () => {
    depth += 1;
    if (depth > deepest) throw new Refused(`lists and objects are nested more than ${deepest} levels deep`);
  };
  const leave = () => {
    depth -= 1;
  };
  return {
    onObjectBegin: () => {
      enter();
      names.push(new Set());
    },
    onObjectEnd: () => {
      leave();
      names.pop();
    },
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      refuseText(name, () => `a name in ${placeOf(path())}`);
      if (name === '__proto__')
        throw new Refused(`${placeOf([...path(), name])} is a name that is not allowed`);
      const known = names.at(-1)!;
      if (known.has(name)) throw new Refused(`${placeOf([...path(), name])} is given more than once`);
      known.add(name);
    },
    onLiteralValue: (value: unknown, _offset, _length, _line, _column, path) => {
      if (typeof value === 'string') refuseText(value, () => placeOf(path()));
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new Refused(`${placeOf(path())} is a number too large`);
    },
    onError: (code, offset, length, line, column) => {
      const place = `line ${line + 1}, column ${column + 1}`;
      throw new Refused(
        `the body is not JSON: ${place} has ${syntaxFault(code, text.slice(offset, offset + length))}`,
      );
    },
  };
}

function refuseText(text: string, place: () => string): void {
  if (text.includes('\0')) throw new Refused(`${place()} holds the character NUL`);
  // In Unicode mode a surrogate is one only where it stands alone.
  if (/\p{Surrogate}/u.test(text)) throw new Refused(`${place()} holds half a character (a lone surrogate)`);
}

const placeOf = (path: readonly (string | number)[]) =>
  path.length === 0 ? 'the body' : shortened(pointerTo(path));

/** What should have stood there instead, by the parser's name for the fault. */
const expectations: Record<string, string> = {
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
  EndOfFileExpected: 'the end of the body',
};
/** What is wrong with what stands there. */
const defects: Record<string, string> = {
  InvalidCommentToken: 'is a comment',
  UnexpectedEndOfString: 'is a text without closing quote',
  UnexpectedEndOfNumber: 'is a number that breaks off',
  InvalidUnicode: 'is a text with \\u and not four hexadecimal digits',
  InvalidEscapeCharacter: 'is a text with an escape that JSON does not have',
  InvalidCharacter: 'is a text with a control character that is not escaped',
};

function syntaxFault(code: ParseErrorCode, found: string): string {
  const name = printParseErrorCode(code);
  const shown = found === '' ? 'the end of the body' : shortened(found);
  const expected = expectations[name];
  return expected
    ? `${shown} instead of ${expected}`
    : `${shown}, which ${defects[name] ?? 'JSON does not know'}`;
}

/** Enough of a text to recognise it by. */
function shortened(text: string): string {
  const characters = [...text.slice(0, 200)];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text;
}
