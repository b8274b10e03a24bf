/** A body is read as JSON.parse reads it, or refused with its first fault; its record has every fault named, with its place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import { Refusal } from '../../api/write/requests.ts';
import { readStrictJson } from '../../api/write/strict-json.ts';
import { checkBody } from '../../data/record/validation.ts';
import { anyCharacter } from '../records/characters.ts';
import { runs } from '../support/settings.ts';
import { anyBadField, anyBody, largest, required } from './random-bodies.ts';

/** The value of a body, or why it is refused. */
function read(body: string | Uint8Array): { value: JsonValue } | { refused: string } {
  try {
    return { value: readStrictJson(typeof body === 'string' ? new TextEncoder().encode(body) : body) };
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const { problem, detail } = (error as Refusal).reason;
    expect(problem).toBe('malformed-body');
    return { refused: detail };
  }
}
const parsed = (text: string): { value: JsonValue } | undefined => {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
};
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const tooDeep = 'lists and objects are nested more than 64 levels deep';

describe('a body is refused', () => {
  it.each([
    ['{"a":1,"\\u0061":2}', '/a is given more than once'],
    ['{"x":[{"b/~":1,"b\\/~":2}]}', '/x/0/b~1~0 is given more than once'],
    ['[{"a":{"\\u005f_proto__":1}}]', '/0/a/__proto__ is a name that is not allowed'],
    ['"\\u0000"', 'the body holds the character NUL'],
    ['{"title":"\\udfac\\ud83c"}', '/title holds half a character (a lone surrogate)'],
    ['{"\\udfac":1}', 'a name in the body holds half a character (a lone surrogate)'],
    ['{"runtime":1e400}', '/runtime is a number too large'],
    [nested(65), tooDeep],
    [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, tooDeep],
  ])('although it is JSON: %s: %s', (text, refused) => {
    expect(parsed(text)).toBeDefined();
    expect(read(text)).toEqual({ refused });
  });

  it.each([
    ['{"a":1,}', 'line 1, column 8: unexpected }'],
    ['{"a":1', 'line 1, column 7: unexpected end of the body'],
    ['{}\r\n\n {}', 'line 3, column 2: unexpected {'],
    ['[NaN]', 'line 1, column 2: unexpected NaN'],
    ['{"a":/* b */1}', 'line 1, column 6: unexpected /* b */'],
    [`"${'a'.repeat(90)}`, `line 1, column 1: unexpected "${'a'.repeat(59)}…`],
    ['', 'line 1, column 1: unexpected end of the body'],
    ['\ufeff\ufeff{}', 'line 1, column 1: unexpected \ufeff'],
  ])('that is not JSON: %s: %s', (text, detail) => {
    expect(read(text)).toEqual({ refused: `the body is not JSON: ${detail}` });
  });

  it('without the byte order mark before it', () => {
    expect(read('\ufeff{"a":"\ufeff"}')).toEqual({ value: { a: '\ufeff' } });
  });

  it('that is not UTF-8', () => {
    for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff, 0xfe, 0x31, 0x00]])
      expect(read(Uint8Array.of(0x22, ...bytes, 0x22))).toEqual({ refused: 'the body is not valid UTF-8' });
  });

  it('without running out of stack, at any depth', () => {
    expect(read('[{"":'.repeat(100_000))).toEqual({ refused: tooDeep });
  });
});

/** Texts with NULs and lone surrogates among them. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('a', '\0', '\ud83c', '\udfac', '"', '\\', '\n', '\u2028', '/') }),
  fc.constantFrom('__proto__', 'constructor', ''),
);
const { anyJson } = fc.letrec<{ anyJson: JsonValue }>((tie) => ({
  anyJson: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, -0, 2 ** 60, nested(60)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    anyText,
    fc.array(tie('anyJson'), { maxLength: 5 }),
    fc.array(fc.tuple(anyText, tie('anyJson')), { maxLength: 5 }).map((them) => Object.fromEntries(them)),
  ),
}));

const isSound = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
function isAllowed(value: JsonValue): boolean {
  if (typeof value === 'string') return isSound(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(
    ([name, inner]) => isSound(name) && name !== '__proto__' && isAllowed(inner),
  );
}

it('any JSON is read as its value, or refused for its content; anything else only as JSON.parse reads it', () => {
  const piece = fc.oneof(
    fc.constantFrom(...'{}[]":,.\\-+eE0123456789 \t\n/*', '\u00a0', '\ufeff', '\u2028', '\f'),
    fc.constantFrom('null', 'true', '//', '/*', '*/', '\\u0061', '"a":', '1e999', ',}', ',]', 'NaN'),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), put: piece });
  const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 1, '\t', '\r\n '), edits, (value, space, changes) => {
      const text = JSON.stringify(value, null, space);
      expect(read(text)).toEqual(
        isAllowed(value) ? parsed(text) : { refused: expect.not.stringContaining('is not JSON') },
      );
      const changed = changes.reduce((now, { at, removed, put }) => {
        const start = at % (now.length + 1);
        return now.slice(0, start) + put + now.slice(start + removed);
      }, text);
      // As it is sent: without lone surrogates.
      const due = parsed(new TextDecoder().decode(new TextEncoder().encode(changed)));
      const found = read(changed);
      if ('value' in found) expect(found).toEqual(due);
      else if (found.refused.includes('JSON')) expect(due).toBeUndefined();
    }),
    { numRuns: runs(500) },
  );
});

describe('the faults of a record', () => {
  /** Resource, body → pointer, message. */
  const table = `
nominations {"song_id":-1} → /song_id must be a whole number from 1 to ${largest} or null
nominations {"winner":"yes"} → /winner must be true or false
nominations {"category":null} → /category must not be null
ceremonies {"ceremony_year":10000} → /ceremony_year must be a whole number from 1 to 9999
ceremonies {"wikiurl":"a"} → /wikiurl must be an http or https address (at most 2000 characters) or null
movies {"tagline":""} → /tagline must be a text that is not blank (at most 500 characters) or null
movies {"release_date":"2023-02-29"} → /release_date must be a calendar date as YYYY-MM-DD or null
movies {"poster_path":"http://a"} → /poster_path must be an https address (at most 2000 characters) or null
movies {"filmindex_id":"nm1"} → /filmindex_id must be tt and digits (at most 20 characters) or null
nominees {"filmindex_id":"tt1"} → /filmindex_id must be nm or co and digits (at most 20 characters) or null
movies {"genres":["Drama",null]} → /genres/1 must not be null
movies {"titel":"a"} → /titel unknown field "titel"; did you mean "title"?
songs {"a/b~c":1} → /a~1b~0c unknown field "a/b~c"; the fields are id, original_title, artist_names, streaming_id, streaming_url, streaming_track_name, streaming_album_name, streaming_year`;
  it.each(table.trim().split('\n'))('%s', (row) => {
    const [, resource, body, pointer, message] = /^(\w+) (.*) → (\S+) (.*)$/.exec(row)!;
    const { faults } = checkBody(resource as WritableResource, 'update', JSON.parse(body!) as JsonValue);
    expect(faults).toEqual([{ pointer, message }]);
  });

  it('are all named, at most fifty: those of the body in its order, then the missing fields', () => {
    const { faults } = checkBody('nominations', 'create', { winner: 1, id: 0, wining: true, song_id: null });
    const due = 'winner id wining ceremony_id category_id movie_id nominee_id';
    expect(faults.map(({ pointer }) => pointer)).toEqual(due.split(' ').map((field) => `/${field}`));
    expect(faults.at(-1)!.message).toBe('is required');
    const many = Array.from({ length: 9000 }, (_, at) => [at.toString(36), 1]);
    expect(checkBody('movies', 'create', Object.fromEntries(many)).faults).toHaveLength(50);
    expect(checkBody('movies', 'update', { genres: many }).faults).toHaveLength(50);
  });

  it.each(writableResources)(
    'of %s: none for valid fields, one for a value that a field refuses',
    (resource) => {
      fc.assert(
        fc.property(anyBody(resource), anyBadField(resource), (body, [field, value]) => {
          expect(checkBody(resource, 'update', body)).toEqual({ record: body, faults: [] });
          const created = checkBody(resource, 'create', body);
          expect(created.faults).toEqual([]);
          expect(created.record).toMatchObject(body);
          const { record, faults } = checkBody(resource, 'create', { ...body, [field]: value });
          expect(faults.map(({ pointer }) => pointer)).toEqual([`/${field}`]);
          expect(record).not.toHaveProperty(field);
        }),
        { numRuns: runs(80) },
      );
      const missing = checkBody(resource, 'create', {}).faults.map(({ pointer }) => pointer);
      expect(missing).toEqual(required[resource].map((field) => `/${field}`));
    },
  );
});
