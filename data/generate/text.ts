/**
 * The texts of generated records: words (words.tsv), patterns of words (patterns.tsv), and titles and names that programs
 * often get wrong (curiosities.tsv). Listed words are common; rare ones are composed of syllables, so that the vocabulary
 * grows with the number of records, but more slowly.
 */
import { isAscii } from '../../api/contract/text.ts';
import { readTable } from '../reference/reference.ts';
import type { Random, Streams } from './random.ts';

type Row = ReturnType<typeof readTable>[number];

/** The rows of a table by their first column. */
function grouped<T>(name: string, column: string, itemsOf: (row: Row) => readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of readTable(new URL(name, import.meta.url)))
    groups.set(row[column]!, [...(groups.get(row[column]!) ?? []), ...itemsOf(row)]);
  return groups;
}

/** Class → words. In the table `_` is a space within a word. */
const words = grouped('words.tsv', 'class', (row) =>
  row.words!.split(' ').map((word) => word.replaceAll('_', ' ')),
);

/** Class → patterns with weights, see fill(). */
const patterns = grouped('patterns.tsv', 'class', ({ weight, pattern }) => [
  [Number(weight), pattern!] as const,
]);

/** Kind → patterns, in the Unicode spelling that the table gives. */
const curiosities = grouped('curiosities.tsv', 'kind', ({ form, text }) => [
  form ? text!.normalize(form) : text!,
]);

/** The words of a class. */
export const wordsOf = (name: string): readonly string[] => words.get(name)!;

/** The word classes with rare words, and the distance between the numbers of their invented words. */
const openClasses: Readonly<Record<string, { levels: number; spacing: number }>> = {
  noun: { levels: 16, spacing: 1 },
  adjective: { levels: 8, spacing: 7 },
  firstName: { levels: 8, spacing: 11 },
  surname: { levels: 16, spacing: 5 },
};

function wordOf(random: Random, name: string): string {
  const list = wordsOf(name);
  const open = openClasses[name];
  if (!open) return random.pick(list);
  const rank = random.rank(open.levels);
  return list[rank] ?? inventedWord(rank * open.spacing);
}

/** The invented word of a number. Few numbers share a word. */
function inventedWord(number: number): string {
  const beginnings = wordsOf('beginning');
  const middles = wordsOf('middle');
  const endings = wordsOf('ending');
  let rest = Math.floor(number / beginnings.length);
  const ending = endings[rest % endings.length]!;
  rest = Math.floor(rest / endings.length);
  const middle = rest === 0 ? '' : middles[(rest - 1) % middles.length]!;
  return beginnings[number % beginnings.length]! + middle + ending;
}

/**
 * Fills the slots of a pattern from left to right: `{noun}` with a word or pattern of that class, `{1..9}` with a number,
 * `{same}` with the text of the slot before.
 */
export function fill(random: Random, pattern: string): string {
  let previous = '';
  return pattern.replace(/\{(.+?)\}/g, (_, slot: string) => {
    if (words.has(slot)) previous = wordOf(random, slot);
    else if (patterns.has(slot)) previous = fill(random, random.weighted(patterns.get(slot)!));
    else if (slot !== 'same') {
      const [from, to] = slot.split('..').map(Number);
      previous = String(random.between(from!, to!));
    }
    return previous;
  });
}

/**
 * Fills a pattern, in one of the two Unicode spellings: é as one character (NFC) or, one time in six, as e and a combining
 * accent (NFD).
 */
export function compose(random: Random, pattern: string): string {
  const text = fill(random, pattern);
  if (isAscii(text)) return text;
  return text.normalize(random.oneIn(6) ? 'NFD' : 'NFC');
}

/** Composes a text, but uses a curiosity for every `every`th id. All curiosities are used in turn, whatever the seed. */
function composeOrCurious(
  random: Random,
  pattern: string,
  id: number,
  kind: 'title' | 'name',
  every: number,
): string {
  const list = curiosities.get(kind)!;
  return id % every === 0 ? fill(random, list[(id / every) % list.length]!) : compose(random, pattern);
}

/** The title of a film. It depends on the seed and the id only. */
export const filmTitle = (streams: Streams, id: number): string =>
  composeOrCurious(streams.of('film title', id), '{filmTitle}', id, 'title', 25);

export const songTitle = (random: Random, id: number): string =>
  composeOrCurious(random, '{songTitle}', id, 'title', 20);

export const nomineeName = (random: Random, id: number, isCompany: boolean): string =>
  isCompany ? compose(random, '{companyName}') : composeOrCurious(random, '{personName}', id, 'name', 40);

export function plot(random: Random): string {
  const hero = fill(random, '{hero}');
  return compose(
    random,
    `In {place}, ${hero} {event}. Then {firstName} {surname} {event}, and {hero} {event}. {outcome}`,
  );
}

/** @param year of the first nomination */
export function biography(random: Random, name: string, year: number, field: string): string {
  const [first, second] = sentences(random, 'praise', 2);
  const start = `${name} has been known for ${field.toLowerCase()} since ${year}.`;
  const work = compose(random, `${first}, with “The {adjective} {noun}” and “{noun}”.`);
  return `${start} ${work}\n\n${second}.`;
}

/** Different patterns of a class, without slots. */
export const sentences = (random: Random, name: string, count: number): string[] =>
  random.sample(patterns.get(name)!, count).map(([, sentence]) => sentence);
