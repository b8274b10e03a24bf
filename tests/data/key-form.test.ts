/** A key can be told from any other text, and from itself with a typo, without looking into the database. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, isWellFormedKey } from '../../data/keys.ts';
import { runs } from '../settings.ts';

describe('a generated key', () => {
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

  it('has a prefix, 30 random characters and 6 of a checksum, and is never made twice', () => {
    const keys = Array.from({ length: runs(2000) }, generateKey);
    for (const key of keys) {
      expect(key).toMatch(/^fa_[0-9A-Za-z]{36}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
    const random = new Set(keys.flatMap((key) => [...key.slice(3, 33)]));
    expect([...random].sort()).toEqual(alphabet);
  });

  it.each([
    'fa_00000000000000000000000000000002nyus',
    'fa_abcdefghijklmnopqrstuvwxyz01234VF9Z2',
    // A checksum so small that three zeros fill it up.
    'fa_000000000000000000000000025629000Ss4',
  ])('bears the checksum that any other program would compute: %s', (key) => {
    expect(isWellFormedKey(key)).toBe(true);
  });

  it('is not well formed after a typo in any one character', () => {
    for (let keys = 0; keys < runs(20); keys += 1) {
      const key = generateKey();
      for (let at = 0; at < key.length; at += 1)
        for (const typo of [...alphabet, '_', '-', ' ', '', 'é', '\n'])
          if (typo !== key[at])
            expect(isWellFormedKey(key.slice(0, at) + typo + key.slice(at + 1))).toBe(false);
    }
  });

  it('is not well formed with two neighbours exchanged, or with anything before or after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.string({ minLength: 1 }), (at, more) => {
        const key = generateKey();
        const exchanged = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        expect(isWellFormedKey(exchanged)).toBe(exchanged === key);
        expect(isWellFormedKey(key + more)).toBe(false);
        expect(isWellFormedKey(more + key)).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });
});
