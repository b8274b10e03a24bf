/**
 * The texts of generated records: words (words.tsv), patterns of words (patterns.tsv), and titles and names
 * that programs often get wrong (curiosities.tsv).
 */
import { isAscii } from '../../api/contract/text.ts';
import { readTable } from '../../data/reference/reference.ts';
import type { Random } from './random.ts';

type Row = ReturnType<typeof readTable>[number];

/** The rows of a table by their first column. */
function grouped(name: string, column: string, itemsOf: (row: Row) => string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const row of readTable(new URL(name, import.meta.url)))
    groups.set(row[column]!, [...(groups.get(row[column]!) ?? []), ...itemsOf(row)]);
  return groups;
}

/** Class → words. In the table `_` is a space within a word. */
const words = grouped('words.tsv', 'class', (row) =>
  row.words!.split(' ').map((word) => word.replaceAll('_', ' ')),
);

/** Class → patterns, see fill(), each as often as its weight says. */
const patterns = grouped('patterns.tsv', 'class', ({ weight, pattern }) =>
  Array<string>(Number(weight)).fill(pattern!),
);

/** Kind → patterns, in the Unicode spelling that the table gives. */
const curiosities = grouped('curiosities.tsv', 'kind', ({ form, text }) => [
  form ? text!.normalize(form) : text!,
]);

/**
 * A word of a class. Listed words are common. Of those that most records have, rare ones are made of
 * syllables, so that the vocabulary grows with the number of records, but more slowly.
 */
function wordOf(random: Random, name: string): string {
  const list = words.get(name)!;
  const isOpen = ['noun', 'adjective', 'firstName', 'surname'].includes(name);
  const rank = random.below(isOpen ? 2 ** random.between(3, 14) : list.length);
  const syllable = (kind: string, every: number) =>
    words.get(kind)![Math.floor(rank / every) % words.get(kind)!.length]!;
  return (
    list[rank] ?? syllable('beginning', 1) + (rank % 3 ? syllable('middle', 7) : '') + syllable('ending', 41)
  );
}

/** Fills the slots of a pattern: `{noun}` with a word of that class, or a pattern of it. */
function fill(random: Random, pattern: string): string {
  return pattern.replace(/\{(.+?)\}/g, (_, slot: string) =>
    words.has(slot) ? wordOf(random, slot) : fill(random, random.pick(patterns.get(slot)!)),
  );
}

/**
 * Fills a pattern, in one of the two Unicode spellings: é as one character (NFC) or, one time in six, as e
 * and a combining accent (NFD).
 */
export function compose(random: Random, pattern: string): string {
  const text = fill(random, pattern);
  if (isAscii(text)) return text;
  return text.normalize(random.oneIn(6) ? 'NFD' : 'NFC');
}

/** A text for a field: of its own patterns, if it has some. */
export const composeField = (random: Random, field: string): string =>
  compose(random, patterns.has(field) ? `{${field}}` : '{determiner} {noun}');

/** A text of a pattern, or for one id in thirty a curiosity: all in turn. */
export function composeOrCurious(random: Random, pattern: string, kind: 'title' | 'name', id: number) {
  const list = curiosities.get(kind)!;
  return id % 30 === 0 ? fill(random, list[(id / 30) % list.length]!) : compose(random, pattern);
}
