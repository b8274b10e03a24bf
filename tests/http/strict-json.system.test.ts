/** A body is read as JSON.parse reads it, or refused with one sentence about its first fault. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { Refusal } from '../../api/write/requests.ts';
import { readStrictJson } from '../../api/write/strict-json.ts';
import { runs } from '../support/settings.ts';

const read = (text: string) => readBytes(new TextEncoder().encode(text));
function readBytes(bytes: Uint8Array) {
  try {
    return { ok: true as const, value: readStrictJson(bytes) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason.problem !== 'malformed-body') throw error;
    return { ok: false as const, detail: error.reason.detail };
  }
}
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const tooDeep = 'lists and objects are nested more than 64 levels deep';

/** JSON, but refused. */
const refusedJson: [text: string, detail: string][] = [
  ['{"a":1,"a":1}', '/a is given more than once'],
  ['{"a":1,"\\u0061":2}', '/a is given more than once'],
  ['{"x":[{"b/~":1,"b\\/~":2}]}', '/x/0/b~1~0 is given more than once'],
  ['{"":1,"":2}', '/ is given more than once'],
  ['{"__proto__":1}', '/__proto__ is a name that is not allowed'],
  ['[{"a":{"\\u005f_proto__":1}}]', '/0/a/__proto__ is a name that is not allowed'],
  ['"\\u0000"', 'the body holds the character NUL'],
  ['{"genres":["War","a\\u0000b"]}', '/genres/1 holds the character NUL'],
  ['{"a":{"b\\u0000":1}}', 'a name in /a holds the character NUL'],
  ['{"title":"\\ud83c"}', '/title holds half a character (a lone surrogate)'],
  ['{"title":"\\udfac\\ud83c"}', '/title holds half a character (a lone surrogate)'],
  ['{"\\udfac":1}', 'a name in the body holds half a character (a lone surrogate)'],
  ['{"runtime":1e400}', '/runtime is a number too large'],
  ['[-1e400]', '/0 is a number too large'],
  [`1${'0'.repeat(400)}`, 'the body is a number too large'],
  [nested(65), tooDeep],
  [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, tooDeep],
];

/** Not JSON. */
const notJson: [text: string, detail: string][] = [
  ['{"a":1,}', 'line 1, column 8: unexpected }'],
  ['[1,]', 'line 1, column 4: unexpected ]'],
  ['[,1]', 'line 1, column 2: unexpected ,'],
  ['{"a" 1}', 'line 1, column 6: unexpected 1'],
  ['{"a":1 "b":2}', 'line 1, column 8: unexpected "b"'],
  ['{"a":1', 'line 1, column 7: unexpected end of the body'],
  ['[1', 'line 1, column 3: unexpected end of the body'],
  ['{}\r\n\n {}', 'line 3, column 2: unexpected {'],
  ['01', 'line 1, column 2: unexpected 1'],
  ["{'a':1}", "line 1, column 2: unexpected 'a'"],
  ['{"a":nul}', 'line 1, column 6: unexpected nul'],
  ['[NaN]', 'line 1, column 2: unexpected NaN'],
  ['-', 'line 1, column 1: unexpected -'],
  ['[1.]', 'line 1, column 2: unexpected 1.'],
  ['"\\u12"', 'line 1, column 1: unexpected "\\u12"'],
  ['"\\x"', 'line 1, column 1: unexpected "\\x"'],
  ['"a\tb"', 'line 1, column 1: unexpected "a\tb"'],
  ['{"a":"b\n"}', 'line 1, column 6: unexpected "b'],
  ['{"a":/* b */1}', 'line 1, column 6: unexpected /* b */'],
  ['1// b', 'line 1, column 2: unexpected // b'],
  [`"${'a'.repeat(90)}`, `line 1, column 1: unexpected "${'a'.repeat(59)}…`],
  ['', 'line 1, column 1: unexpected end of the body'],
  [' \n', 'line 2, column 1: unexpected end of the body'],
  ['\ufeff{}', 'line 1, column 1: unexpected \ufeff'],
];

describe('a body is refused', () => {
  it.each(refusedJson)('%s: %s', (text, detail) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(read(text)).toEqual({ ok: false, detail });
  });

  it.each(notJson)('%s: %s', (text, detail) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(read(text)).toEqual({ ok: false, detail: `the body is not JSON: ${detail}` });
  });

  it.each([
    ['a byte that begins no character', [0x22, 0xff, 0x22], 'the body is not valid UTF-8'],
    ['half a character', [0x22, 0xc3, 0x22], 'the body is not valid UTF-8'],
    ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22], 'the body is not valid UTF-8'],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 'the body is not valid UTF-8'],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00], 'the body is not valid UTF-8'],
  ])('if it is %s', (_name, bytes, detail) => {
    expect(readBytes(Uint8Array.from(bytes))).toEqual({ ok: false, detail });
  });

  it('without running out of stack, at any depth', () => {
    for (const text of ['[', '{"a":', '[{"":'])
      expect(read(text.repeat(1_000_000 / text.length))).toEqual({ ok: false, detail: tooDeep });
  });
});

describe('a body is read', () => {
  it.each([
    '{}',
    ' [1, -0.5e-3, 1E2, true, false, null, ""] \n',
    '"\\u00e9\\n\\"\\/ \u{1F3AC} \\ud83c\\udfac \u2028 \u007f"',
    '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    '["\ufeff"]',
    '[9007199254740993, 1e-400, 1.7976931348623157e308]',
    nested(64),
  ])('%s', (text) => {
    expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('with the sign of zero', () => {
    const found = read('-0');
    expect(found.ok && Object.is(found.value, -0)).toBe(true);
  });
});

/** Texts with NULs and lone surrogates among them. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '\0', '\ud83c', '\udfac', '"', '\\', '\n', '\u2028', '/') }),
  fc.constantFrom('__proto__', 'constructor', ''),
);
const { anyJson } = fc.letrec<{ anyJson: JsonValue }>((tie) => ({
  anyJson: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    anyText,
    fc.array(tie('anyJson'), { maxLength: 5 }),
    fc
      .array(fc.tuple(anyText, tie('anyJson')), { maxLength: 5 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

const isSound = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

function isAllowed(value: JsonValue): boolean {
  if (typeof value === 'string') return isSound(value);
  if (Array.isArray(value)) return value.every(isAllowed);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(
    ([name, inner]) => isSound(name) && name !== '__proto__' && isAllowed(inner),
  );
}

/** The same JSON with every character of every text escaped. */
const escaped = (json: string) =>
  json.replace(/"(?:\\.|[^"\\])*"/g, (literal) => {
    const text = JSON.parse(literal) as string;
    const units = Array.from({ length: text.length }, (_, at) =>
      text.charCodeAt(at).toString(16).padStart(4, '0'),
    );
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
  });

describe('any body', () => {
  it('of JSON is read as its value, in any spelling, or refused for its content', () => {
    fc.assert(
      fc.property(
        anyJson,
        fc.constantFrom(undefined, 1, '\t', '\r\n '),
        fc.boolean(),
        (value, space, mustEscape) => {
          const plain = JSON.stringify(value, null, space);
          const text = mustEscape ? escaped(plain) : plain;
          const found = read(text);
          expect(found.ok).toBe(isAllowed(value));
          if (found.ok) expect(found.value).toEqual(JSON.parse(text));
          else expect(found.detail).not.toContain('is not JSON');
        },
      ),
      { numRuns: runs(800) },
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(...'{}[]":,.\\-+eE0123456789 \t\n/*', '\u00a0', '\ufeff', '\u2028', '\f'),
    fc.constantFrom('null', 'true', '//', '/*', '*/', '\\u0061', '"a":', '1e999', ',}', ',]', 'NaN'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), put: piece });

  it('is accepted only with the value of JSON.parse, and "not JSON" only if JSON.parse refuses it', () => {
    fc.assert(
      fc.property(anyJson, fc.array(edit, { minLength: 1, maxLength: 4 }), (value, edits) => {
        let text = JSON.stringify(value);
        for (const { at, removed, put } of edits) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + put + text.slice(start + removed);
        }
        const sent = new TextEncoder().encode(text);
        const found = readBytes(sent);
        const parsed = parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent));
        if (found.ok) expect(found.value).toEqual(parsed?.value);
        else if (found.detail.includes('JSON')) expect(parsed).toBeUndefined();
      }),
      { numRuns: runs(1200) },
    );
  });
});

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
