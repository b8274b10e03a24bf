/** Conditional requests compare entity tags as RFC 9110 says: weakly for If-None-Match, strongly for If-Match. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedETag, encodings, knownETag, matchesStrongly, plainETag } from '../../api/contract/etag.ts';
import { runs } from '../support/settings.ts';

const own = '"0123abcd"';
const met = [
  '%',
  '*',
  ' * ',
  ' %\t',
  '"a", %',
  '%,"b"',
  ', ,"a",,\t% ,',
  '"a,b",%',
  'W/"a", %',
  '"\u00e9!", %',
];
const unmet = [
  ...['', ',', '"x"', '""', '**', '"*"', '0123abcd', '"0123abcd', '0123abcd"', '"0123ABCD"', '"0123abcde"'],
  ...['" 0123abcd"', 'w/"0123abcd"', '"a%"', '"a,%,b"', '"a" %', '*, %', '%, *', '%; q=1', '%, a', '%, "a'],
];

describe.each([
  ['If-None-Match', (header: string, etag: string) => knownETag(header, etag) !== undefined],
  ['If-Match', matchesStrongly],
])('%s', (_header, matches) => {
  it('is met by a list with the tag, or by *, and by nothing else', () => {
    const metBy = (header: string) => [header, matches(header.replace('%', own), own)];
    expect(met.map(metBy)).toEqual(met.map((header) => [header, true]));
    expect(unmet.map(metBy)).toEqual(unmet.map((header) => [header, false]));
  });

  it('finds a tag exactly in the lists that have it', () => {
    const unit = fc.constantFrom(...'ab,*W/!\u00e9');
    const tag = fc.string({ unit, maxLength: 4 }).map((opaque) => `"${opaque}"`);
    const comma = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ');
    fc.assert(
      fc.property(fc.array(fc.tuple(tag, comma), { maxLength: 6 }), tag, (list, sought) => {
        const header = list.map(([each, gap]) => each + gap).join('');
        expect(matches(header, sought)).toBe(list.some(([each]) => each === sought));
      }),
      { numRuns: runs(200) },
    );
  });

  // Quadratic time takes minutes, which is longer than a test may take.
  it('takes linear time', () => {
    for (const part of [' ', ',', '"a" ', '"']) expect(matches(`${part.repeat(400_000)}x`, own)).toBe(false);
  });
});

it('a weak tag meets If-None-Match, and never If-Match', () => {
  for (const [header, etag] of [
    [`W/${own}`, own],
    [`W/${own}, "a"`, own],
    [own, `W/${own}`],
    [`W/${own}`, `W/${own}`],
  ] as const)
    expect([knownETag(header, etag), matchesStrongly(header, etag)]).toEqual([etag, false]);
  expect(matchesStrongly(`W/${own}, ${own}`, own)).toBe(true);
  for (const missing of [null, undefined]) expect(knownETag(missing, own)).toBeUndefined();
});

it('an encoded form has a strong tag of its own, which both headers take', () => {
  const forms = encodings.map((encoding) => encodedETag(own, encoding));
  expect(new Set([own, ...forms]).size).toBe(1 + encodings.length);
  for (const form of forms) {
    expect([plainETag(form), plainETag(`W/${form}`), plainETag(own)]).toEqual([own, own, own]);
    expect([knownETag(`"a", W/${form}`, own), knownETag('*', own)]).toEqual([form, own]);
    expect(knownETag(`${form}, ${own}`, own)).toBe(own);
    expect([matchesStrongly(`"a", ${form}`, own), matchesStrongly(`W/${form}`, own)]).toEqual([true, false]);
    expect([knownETag(form, '"another"'), matchesStrongly(form, '"another"')]).toEqual([undefined, false]);
  }
});
