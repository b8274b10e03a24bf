/**
 * The titles, names, songs and categories that match words, each with how well: before they are joined to
 * nominations, and with typing mistakes, numerals in another writing, and words joined or split.
 */
import { editDistance, maxEditsOf } from '../contract/nearest.ts';
import { tokens } from '../contract/text.ts';
import { rowAt, TextColumn } from './columns.ts';
import { yearsIn } from '../contract/film-year.ts';
import { officialCounter } from './counts.ts';
import { filmYearAt, filmYears } from './named-columns.ts';
import type { Snapshot } from './snapshot.ts';
import { yearAt } from './tables.ts';

const namedResources = ['nominees', 'movies', 'songs', 'categories'] as const;
export type NamedResource = (typeof namedResources)[number];
/** A text: its resource and its row there, as one number. One search has tens of thousands of them. */
export type TextKey = number;
/** How well texts match, from 0 to 1; 1 for a text without other words. */
type Matches = ReadonlyMap<TextKey, number>;
type Words = readonly string[];

export const textKey = (resource: NamedResource, row: number): TextKey =>
  row * namedResources.length + namedResources.indexOf(resource);
export const resourceOf = (key: TextKey): NamedResource => namedResources[key % namedResources.length]!;
export const rowOf = (key: TextKey): number => Math.floor(key / namedResources.length);

/** How well a typed word matches a word of a text. */
const likeness = { prefix: 0.75, numeral: 0.97, joined: 0.95, oneEdit: 0.75, twoEdits: 0.55 };
/** How well a whole other name matches. */
const otherNameLikeness = 0.98;

const numbers = ['i 1 one', 'ii 2 two', 'iii 3 three', 'iv 4 four', 'v 5 five', 'vi 6 six', 'vii 7 seven']
  .concat('viii 8 eight', 'ix 9 nine', 'x 10 ten', 'xi 11 eleven', 'xii 12 twelve')
  .map((own) => own.split(' '));

/** The number in its other writings: of "2", "ii" and "two"; none for other words. */
const sameNumber = (word: string): readonly string[] =>
  numbers.find((own) => own.includes(word))?.filter((own) => own !== word) ?? [];

/** See textSearch(). */
export type TextSearch = Awaited<ReturnType<typeof textSearch>>;

/** What separates words of folded texts; NUL separates texts. */
const gap = '\\x01-/:-`{-\\xa9\\u2000-\\u206f';
/** Around a whole text, or around its part in parentheses: a translation, or the original title. */
const opens = new RegExp(`(^|[([])[${gap}]*(the |an? )?$`);
const closes = new RegExp(`^[${gap}]*$|^( or)? [([]|^[)\\]]`);

/** Where letters begin a word of a text, whatever separates them: "spiderman" is in "Spider-Man 2". */
function* occurrences({ joined: text, starts }: TextColumn, letters: string) {
  const [first = '', ...others] = letters;
  const rest = others.map((letter) => `[${gap}]*${letter}`).join('');
  const end = others.length > 0 ? `[^\\0${gap}]*` : `(?![^\\0${gap}])`;
  let row = 0;
  for (const { 0: match, index } of text.matchAll(
    RegExp(`${first}(?<![^\\0${gap}]${first})${rest}${end}`, 'gu'),
  )) {
    row = rowAt(starts, index, row);
    const isEqual = match.length === letters.length || tokens(match).join('').length === letters.length;
    yield { row, isEqual, isWhole: isEqual && isWholeText(text, starts, row, index, match.length) };
  }
}

/** The rows whose text has letters as whole words, with any separator; a row once for each place. */
export const rowsWith = (column: TextColumn, letters: string): number[] =>
  [...occurrences(column, letters)].filter(({ isEqual }) => isEqual).map(({ row }) => row);

/** Whether letters are a whole text of a column, or its part in parentheses. */
function isWholeText(text: string, starts: Int32Array, row: number, index: number, length: number): boolean {
  const before = text.slice(starts[row], index);
  const after = text.slice(index + length, (starts[row + 1] ?? text.length + 1) - 1);
  return opens.test(before) && closes.test(after);
}

/** The resources whose records have other names. */
const renamedResources = ['movies', 'nominees'] as const;
type RenamedResource = (typeof renamedResources)[number];

/** The other names of all records: the id of each, and its letters. Without enrichment there are none. */
const otherNames = (snapshot: Snapshot, resource: RenamedResource) =>
  snapshot.derive(`other names of ${resource}`, [`other-names/${resource}`], async () => {
    const table = await snapshot.table(`other-names/${resource}`);
    const ids = table.names.flatMap((own, row) => own.map(() => table.id(row)));
    const text = new TextColumn(table.names.flat());
    return { resource, ids, text, letters: text.values.map((name) => tokens(name!).join('')) };
  });

/**
 * What a search looks through, and what it found so far.
 * @param words that are looked up
 * @throws SnapshotUnavailable
 */
export async function textSearch(snapshot: Snapshot, words: Words) {
  const [table, titles, names, songs, index, years, countsOf, ...renamed] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    snapshot.table('names'),
    snapshot.table('songs'),
    snapshot.table('search'),
    filmYears(snapshot),
    officialCounter(snapshot),
    ...renamedResources.map((resource) => otherNames(snapshot, resource)),
  ] as const);
  /** Loads what a search for more words needs. */
  const load = (own: Words) => index.load(own.flatMap((word) => [word, ...sameNumber(word)]));
  await load(words);
  const columns = {
    nominees: { ids: names, text: names.text, references: table.nominee },
    movies: { ids: titles, text: titles.text, references: table.movie },
    songs: { ids: songs, text: songs.title, references: table.song },
    categories: { ids: table.categories, text: table.categories.name, references: table.category },
  };
  const textOf = (resource: NamedResource, id: number) =>
    columns[resource].text.values[columns[resource].ids.row(id)]!;
  const known = new Map<string, Matches>();
  const once = (name: string, make: () => Matches): Matches => {
    known.set(name, known.get(name) ?? make());
    return known.get(name)!;
  };
  const lengths = new Map<TextKey, number>();
  /** The number of letters of a text, without its part in parentheses. */
  const lettersOf = (key: TextKey): number => {
    let length = lengths.get(key);
    if (length === undefined) {
      const text = columns[resourceOf(key)].text.values[rowOf(key)]!;
      length = tokens(text.replace(/( or)? [([].*/, '')).join('').length;
      lengths.set(key, length);
    }
    return length;
  };
  /** The year of the ceremony of a nomination. */
  const yearOf = (row: number) => yearAt(table, row);
  return {
    snapshot,
    table,
    songs,
    index,
    columns,
    renamed,
    countsOf,
    filmYears: years,
    textOf,
    lettersOf,
    yearOf,
    once,
    load,
  };
}

/** Whether a film is of a year; undefined for another record, and for a film without a film year. */
export function isOfYear({ filmYears: years }: TextSearch, key: TextKey, year: number): boolean | undefined {
  const own = resourceOf(key) === 'movies' ? years[rowOf(key)] : undefined;
  return own ? yearsIn(own.film_years).includes(year) : undefined;
}

/** Whether the films of a ceremony are of a year. @param row of the ceremony */
export const honoredFilmsOf = ({ table }: TextSearch, row: number, year: number): boolean =>
  yearsIn(filmYearAt(table.ceremonies, row).film_years).includes(year);

/** The edits that a word can have. Another number is no typing mistake. */
const editsOf = (word: string, edits: number): number =>
  /\d/.test(word) ? 0 : Math.min(edits, maxEditsOf(word));

/** The texts that have a word, its beginning, another writing of it, or one like it. */
function textsWith({ index, columns }: TextSearch, word: string, edits: number): Matches {
  const found = new Map<TextKey, number>();
  const note = (resource: NamedResource, row: number, like: number) => {
    const key = textKey(resource, row);
    if (like > (found.get(key) ?? 0)) found.set(key, like);
  };
  const look = (other: string, equal: number, prefix = 0) => {
    for (const { resource, ids, isEqual } of index.textsWith(other))
      for (const id of ids) note(resource, columns[resource].ids.row(id), isEqual ? equal : prefix);
  };
  look(word, 1, likeness.prefix);
  for (const { row, isEqual } of occurrences(columns.songs.text, word))
    note('songs', row, isEqual ? 1 : likeness.prefix);
  for (const other of sameNumber(word)) look(other, likeness.numeral);
  for (const [other, distance] of index.wordsNear(word, undefined, edits))
    look(other, distance === 1 ? likeness.oneEdit : likeness.twoEdits);
  return found;
}

/** How much of a text some letters are. A family name alone is common. @param length letters of the text */
function coverage(resource: NamedResource, length: number, letters: number): number {
  const missing = Math.max(0, 1 - letters / length);
  return 1 - (resource === 'nominees' ? 0.1 : 0.25) * missing;
}

/**
 * The texts that have all words.
 * @param atMost edits of each word, 0 to 2; with some, no words are joined or split
 */
export function findTexts(texts: TextSearch, words: Words, atMost = 0): Matches {
  const edits = Math.max(0, ...words.map((word) => editsOf(word, atMost)));
  return texts.once(`all ${words.join(' ')} ${edits}`, () => {
    const found = edits > 0 ? new Map<TextKey, number>() : findJoined(texts, words);
    const letters = words.join('').length;
    for (const [key, sum] of letters > 1 ? sumsOf(texts, words, edits) : []) {
      const score = Math.min(
        0.99,
        (sum / letters) * coverage(resourceOf(key), texts.lettersOf(key), letters),
      );
      if (score > (found.get(key) ?? 0)) found.set(key, score);
    }
    return found;
  });
}

/** Of the texts that have all words, the sums of how well they match each word, weighted by letters. */
function sumsOf(texts: TextSearch, words: Words, edits: number): Matches {
  // The words that few texts have come first, and a word that stands several times is looked up once.
  const letters = new Map<string, number>();
  for (const word of [...words].sort((a, b) => b.length - a.length))
    letters.set(word, (letters.get(word) ?? 0) + word.length);
  let sums: Map<TextKey, number> | undefined;
  for (const [word, weight] of letters) {
    const own = editsOf(word, edits);
    const likenesses = texts.once(`${word} ${own}`, () => textsWith(texts, word, own));
    const next = new Map<TextKey, number>();
    for (const [key, sum] of sums ?? likenesses) {
      const like = likenesses.get(key);
      if (like !== undefined) next.set(key, (sums ? sum : 0) + like * weight);
    }
    sums = next;
    if (sums.size === 0) break;
  }
  return sums ?? new Map();
}

/** Notes the records whose other names have the words side by side, joined or split. */
function addRenamed({ renamed, columns }: TextSearch, words: Words, found: Map<TextKey, number>): void {
  const own = words.join('');
  if (own.length < 2) return;
  for (const { resource, ids, text, letters } of renamed)
    for (const { row, isWhole } of occurrences(text, own)) {
      const key = textKey(resource, columns[resource].ids.row(ids[row]!));
      const part = likeness.prefix * coverage(resource, letters[row]!.length, own.length);
      const like = isWhole ? otherNameLikeness : part;
      if (like > (found.get(key) ?? 0)) found.set(key, like);
    }
}

/** The records with the other names that are nearest to words with typing mistakes. */
export function findMisspelledNames({ renamed, columns }: TextSearch, words: Words): Matches {
  const typed = words.join('');
  let [found, fewest] = [new Map<TextKey, number>(), maxEditsOf(typed)];
  if (fewest === 0) return found;
  for (const { resource, ids, letters } of renamed)
    for (const [row, own] of letters.entries()) {
      if (own[0] !== typed[0] || Math.abs(own.length - typed.length) > fewest) continue;
      const edits = editDistance(typed, own, fewest);
      if (edits > fewest) continue;
      if (edits < fewest) [found, fewest] = [new Map(), edits];
      found.set(textKey(resource, columns[resource].ids.row(ids[row]!)), likeness.twoEdits);
    }
  return found;
}

/** The texts that have the words side by side, joined or split. */
function findJoined(texts: TextSearch, words: Words): Map<TextKey, number> {
  const found = new Map<TextKey, number>();
  const text = words.join(' ').replace(/^(the|an?) (?=.)/, '');
  // A title rarely has the number of the first film of a series: "rocky 1", "dune part one".
  for (const own of new Set([text, text.replace(/(?<=.) (1|part (1|one|i))$/, '')]))
    for (const resource of namedResources)
      for (const occurrence of occurrences(texts.columns[resource].text, own.replaceAll(' ', ''))) {
        const { row, isEqual, isWhole } = occurrence;
        const key = textKey(resource, row);
        const like =
          (isEqual ? likeness.joined : likeness.prefix) *
          coverage(resource, texts.lettersOf(key), own.length);
        const isFound = own === text && (own.length > 1 || resource === 'movies');
        if (isWhole || isFound) found.set(key, isWhole ? 1 : Math.max(like, found.get(key) ?? 0));
      }
  addRenamed(texts, words, found);
  return found;
}
