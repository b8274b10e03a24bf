/** The words of a column: the same, whether the text is searched or the index is used. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byCodeUnit, tokens } from '../../api/contract/text.ts';
import { TextColumn } from '../../api/read/columns.ts';
import { type FoundWord, WordColumn } from '../../build/site/explorer/search/word-column.ts';
import { runs } from '../settings.ts';

/** Letters and digits of several scripts, surrogates, combining marks, apostrophes and gaps. */
const anyText = fc
  .array(fc.constantFrom(..."aabe1'’ʼ`- .Éßﬁ́İΣσς漢𝔸𐐀😀"), { maxLength: 14 })
  .map((characters) => characters.join(''));
const anyTexts = fc.array(fc.oneof(anyText, fc.constant(null)), { maxLength: 8 });

/** More searches than the column makes before it uses an index. */
const manySearches = 300;

function wordColumnOf(texts: readonly (string | null)[]): WordColumn {
  const column = new TextColumn(texts);
  return new WordColumn(column.joined, column.values.length);
}

const bruteForce = (texts: readonly (string | null)[], matches: (word: string) => boolean): FoundWord[] => {
  const rows = new Map<string, number[]>();
  for (const [row, text] of texts.entries())
    for (const word of tokens(text ?? '').filter(matches)) rows.set(word, [...(rows.get(word) ?? []), row]);
  return [...rows]
    .map(([word, own]) => ({ word, rows: own }))
    .sort((one, other) => byCodeUnit(one.word, other.word));
};

it.each(['searched', 'indexed'])('words of a %s column are found by prefix and as a whole', (state) => {
  fc.assert(
    fc.property(anyTexts, anyText, (texts, other) => {
      const wordColumn = wordColumnOf(texts);
      if (state === 'indexed') for (let i = 0; i < manySearches; i += 1) wordColumn.has('a');
      const words = [...texts.flatMap((text) => tokens(text ?? '')), ...tokens(other)];
      const prefixes = words.flatMap((word) => [...word].map((_, i) => [...word].slice(0, i + 1).join('')));
      for (const prefix of new Set(prefixes)) {
        const whole = bruteForce(texts, (word) => word === prefix);
        const begun = bruteForce(texts, (word) => word.startsWith(prefix));
        expect(wordColumn.has(prefix)).toBe(whole.length > 0);
        expect(wordColumn.rowsOf(prefix)).toEqual(whole[0]?.rows ?? []);
        expect(wordColumn.wordsWith(prefix)).toEqual(begun);
        expect(wordColumn.wordsOfToken(prefix)).toEqual([...prefix].length === 1 ? whole : begun);
      }
    }),
    { numRuns: runs(200) },
  );
});
