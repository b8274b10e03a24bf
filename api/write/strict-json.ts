/** Reads JSON bodies, and refuses everything that JSON parsers ignore or disagree about. */
import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
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
  try {
    const text = decode(bytes);
    visit(text, strictVisitor(text), { disallowComments: true, allowTrailingComma: false });
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, detail: error.message };
    // Refuse a text that only one of the two parsers accepts. None is known.
    if (error instanceof SyntaxError) return { ok: false, detail: 'the body is not JSON' };
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('the body is not valid UTF-8');
  }
  if (text.startsWith('\ufeff'))
    throw new Refusal('the body begins with a byte order mark, which is no part of JSON');
  if (/^[ \t\r\n]*$/.test(text)) throw new Refusal('the body is empty');
  return text;
}

/** Throws Refusal at the first fault, so the parser's recursion is limited, too. */
function strictVisitor(text: string): JSONVisitor {
  /** The names so far of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  const enter = (names?: Set<string>) => {
    open.push(names);
    if (open.length > maxDepth)
      throw new Refusal(`lists and objects are nested more than ${maxDepth} levels deep`);
  };
  return {
    onObjectBegin: () => enter(new Set()),
    onObjectEnd: () => void open.pop(),
    onArrayBegin: () => enter(),
    onArrayEnd: () => void open.pop(),
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
    onError: (code, offset, length, line, column) => {
      const fault = syntaxFault(code, text.slice(offset, offset + length));
      throw new Refusal(`the body is not JSON: line ${line + 1}, column ${column + 1} has ${fault}`);
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

/** What follows the text at fault, by the parser's name for the error. */
const syntaxFaults: Record<string, string> = {
  PropertyNameExpected: ' instead of a name in double quotes',
  ValueExpected: ' instead of a value',
  ColonExpected: ' instead of a colon',
  CommaExpected: ' instead of a comma',
  CloseBraceExpected: ' instead of a closing brace',
  CloseBracketExpected: ' instead of a closing bracket',
  EndOfFileExpected: ' instead of the end of the body',
  InvalidCommentToken: ', which is a comment',
  UnexpectedEndOfString: ', which is a text without closing quote',
  UnexpectedEndOfNumber: ', which is a number that breaks off',
  InvalidUnicode: ', which is a text with \\u and not four hexadecimal digits',
  InvalidEscapeCharacter: ', which is a text with an escape that JSON does not have',
  InvalidCharacter: ', which is a text with a control character that is not escaped',
};

function syntaxFault(code: ParseErrorCode, found: string): string {
  const shown = found === '' ? 'the end of the body' : shortened(found);
  return shown + (syntaxFaults[printParseErrorCode(code)] ?? ', which JSON does not know');
}
