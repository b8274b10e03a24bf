/** Whatever bytes are sent: they are read as JSON.parse reads them, or refused; never as another reader would not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, readStrictJson } from '../../api/write/strict-json.ts';
import { runs } from '../settings.ts';

const read = (text: string) => readStrictJson(new TextEncoder().encode(text));

/** Texts of single UTF-16 units, so that there are NULs and lone surrogates among them. */
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

/** Whether a value may be in a body. */
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

describe('whatever is sent', () => {
  it('is read as what was meant, in any spelling, or refused for what is in it', () => {
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
      { numRuns: runs(2000) },
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(...'{}[]":,.\\-+eE0123456789 \t\n/*', '\u00a0', '\ufeff', '\u2028', '\f'),
    fc.constantFrom('null', 'true', '//', '/*', '*/', '\\u0061', '"a":', '1e999', ',}', ',]', 'NaN'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), put: piece });

  it('is accepted only if JSON.parse accepts it, with the same value, and called no JSON only if it is none', () => {
    fc.assert(
      fc.property(anyJson, fc.array(edit, { minLength: 1, maxLength: 4 }), (value, edits) => {
        let text = JSON.stringify(value);
        for (const { at, removed, put } of edits) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + put + text.slice(start + removed);
        }
        const sent = new TextEncoder().encode(text);
        const found = readStrictJson(sent);
        const parsed = parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent));
        if (found.ok) expect(found.value).toEqual(parsed?.value);
        else if (found.detail.includes('JSON') || found.detail.includes('empty'))
          expect(parsed).toBeUndefined();
      }),
      { numRuns: runs(3000) },
    );
  });

  it('never throws, and says what is wrong in one line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, quoted) => {
        const sent = quoted ? Uint8Array.from([0x22, ...bytes, 0x22]) : bytes;
        const found = readStrictJson(sent);
        if (!found.ok) expect(found.detail.length).toBeGreaterThan(10);
      }),
      { numRuns: runs(2000) },
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
