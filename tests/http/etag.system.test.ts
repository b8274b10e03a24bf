/** Conditional requests compare entity tags as RFC 9110 says: weakly for If-None-Match, strongly for If-Match. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedETag, encodings, knownETag, matchesStrongly, plainETag } from '../../api/contract/etag.ts';
import { runs } from '../support/settings.ts';

const own = '"0123abcd"';

describe.each([
  ['If-None-Match', (header: string, etag: string) => knownETag(header, etag) !== undefined],
  ['If-Match', matchesStrongly],
])('%s', (_header, matches) => {
  it.each([
    own,
    '*',
    ' * ',
    ` ${own}\t`,
    `"a", ${own}`,
    `${own},"b"`,
    `, ,"a",,\t${own} ,`,
    `"a,b",${own}`,
    `W/"a", ${own}`,
    `"", ${own}`,
    `"\u00e9!", ${own}`,
  ])('is met by %s', (header) => {
    expect(matches(header, own)).toBe(true);
  });

  it.each([
    '',
    ',',
    '"x"',
    '""',
    '**',
    '"*"',
    '0123abcd',
    '"0123abcd',
    '0123abcd"',
    '"0123ABCD"',
    '"0123abcde"',
    '" 0123abcd"',
    'w/"0123abcd"',
    `"a${own}"`,
    `"a,${own},b"`,
    `"a" ${own}`,
    `*, ${own}`,
    `${own}, *`,
    `${own}; q=1`,
    `${own}, a`,
    `${own}, "a`,
  ])('is not met by %s', (header) => {
    expect(matches(header, own)).toBe(false);
  });

  it('finds a tag exactly in the lists that have it', () => {
    const tag = fc
      .string({ unit: fc.constantFrom(...'ab,*W/!é'), maxLength: 4 })
      .map((opaque) => `"${opaque}"`);
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

it('If-None-Match compares weakly, and is not met if it is missing', () => {
  expect(knownETag(`W/${own}`, own)).toBe(own);
  expect(knownETag(`"a", W/${own}`, own)).toBe(own);
  expect(knownETag(own, `W/${own}`)).toBe(`W/${own}`);
  expect(knownETag(null, own)).toBeUndefined();
  expect(knownETag(undefined, own)).toBeUndefined();
});

it('If-Match compares strongly', () => {
  expect(matchesStrongly(`W/${own}`, own)).toBe(false);
  expect(matchesStrongly(`W/${own}, "a"`, own)).toBe(false);
  expect(matchesStrongly(`W/${own}`, `W/${own}`)).toBe(false);
  expect(matchesStrongly(own, `W/${own}`)).toBe(false);
  expect(matchesStrongly(`W/${own}, ${own}`, own)).toBe(true);
});

it('an encoded form has a strong ETag of its own, which both headers take', () => {
  const forms = encodings.map((encoding) => encodedETag(own, encoding));
  expect(new Set([own, ...forms]).size).toBe(1 + encodings.length);
  for (const form of forms) {
    expect(plainETag(form)).toBe(own);
    expect(knownETag(`"a", W/${form}`, own)).toBe(form);
    expect(matchesStrongly(`"a", ${form}`, own)).toBe(true);
    expect(matchesStrongly(`W/${form}`, own)).toBe(false);
    expect(knownETag(form, '"another"')).toBeUndefined();
    expect(matchesStrongly(form, '"another"')).toBe(false);
  }
  expect(plainETag(own)).toBe(own);
  expect(knownETag('*', own)).toBe(own);
  expect(knownETag(`${forms[0]}, ${own}`, own)).toBe(own);
});
