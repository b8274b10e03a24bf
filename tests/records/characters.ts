/** Random characters for texts. */
import fc from 'fast-check';

/**
 * Any character; a lone surrogate is none. The unit "binary" of fast-check is the same, and takes a second to make a table of
 * all characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (point) => String.fromCodePoint(point),
    (text) => (text as string).codePointAt(0)!,
  );
