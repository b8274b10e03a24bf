/**
 * Reads typed nominations: which records their names mean, what must be asked, which are there already, and
 * their writes.
 */
import { entryKey } from '../../../api/contract/entries.ts';
import { listPath } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import type { Making } from './making.ts';
import {
  categoryMeant,
  equalsOf,
  loadNames,
  type Meaning,
  meaningOf,
  type Names,
  newName,
  partsOf,
} from './matching.ts';
import type { NamedResource } from './naming.ts';
import type { Listed } from './reading.ts';
import type { Row } from './sheet-text.ts';

export type Category = Listed<'categories'>;
type Nomination = Listed<'nominations'>;

/**
 * What the editor said of a name: the id of its record, 0 for a new one; of a text with several names whether
 * it is several.
 */
export type Answer = number | 'apart' | 'whole';
export type Answers = Readonly<Record<string, Answer>>;

/** A name, and the record that it means. */
export interface NamedCell {
  /** Of the answer about it: one answer counts for all rows. */
  key: string;
  resource: NamedResource;
  text: string;
  meaning: Meaning;
  /** 0 for a new record, `notLinked` for none; undefined where the editor must choose. */
  id: number | undefined;
  /** Whether the name can stand as a text alone, without a record. */
  isOptional?: boolean;
}

/** What stands for a name that refers to no record. */
export const notLinked = -1;

/** A row, understood. */
export interface ReadRow {
  row: Row;
  category: Category | undefined;
  film: NamedCell | undefined;
  song: NamedCell | undefined;
  people: NamedCell[];
  /** Where the names may be of several people: they, and the key of the answer. */
  split: { key: string; parts: readonly string[]; isOpen: boolean } | undefined;
  /** People whose nomination is there already, or in a row above. */
  copies: readonly NamedCell[];
  /** What the category has no column for: it is not written. */
  unused: readonly string[];
  /** Column → what is missing or must be asked. */
  faults: Partial<Record<keyof Row, string>>;
  /** The key of the entry. */
  entry: string;
}

/** What the rows are for. */
export interface Night {
  ceremony: number;
  year: number;
  categories: readonly Category[];
  acting: ReadonlySet<number>;
  /** The nominations that are stored. */
  saved: readonly Nomination[];
}

export const answerKey = (resource: string, text: string): string => `${resource} ${fold(text.trim())}`;

export const isSongCategory = (category: Category): boolean =>
  /original song\)$/i.test(category.category_name);

/** @throws SnapshotUnavailable */
export async function readRows(rows: readonly Row[], night: Night, answers: Answers): Promise<ReadRow[]> {
  const names = await loadNames();
  const seen = new Set(night.saved.map(savedKey));
  const read: ReadRow[] = [];
  for (const row of rows) {
    const own = await readRow(names, row, night, answers);
    for (const person of own.people) {
      const key = rowKey(own, person);
      if (key === undefined) continue;
      if (seen.has(key)) own.copies = [...own.copies, person];
      seen.add(key);
    }
    read.push(own);
  }
  return read;
}

async function readRow(names: Names, row: Row, night: Night, answers: Answers): Promise<ReadRow> {
  const category = categoryMeant(night.categories, row.category);
  const cell = (resource: NamedResource, text: string) =>
    readCell(names, resource, text, night.year, answers);
  const split = splitOf(names, row.name, answers);
  const texts = split?.isApart ? split.parts : [row.name];
  const people = (await Promise.all(texts.map((text) => cell('nominees', text)))).filter((own) => !!own);
  const hasSongs = !category || isSongCategory(category);
  const hasCharacters = !category || night.acting.has(category.id);
  const unused = [...(hasSongs ? [] : [row.song]), ...(hasCharacters ? [] : [row.character])];
  const [film, song] = await Promise.all([
    cell('movies', row.film),
    hasSongs ? cell('songs', row.song) : undefined,
  ]);
  const faults: ReadRow['faults'] = {};
  if (!category)
    faults.category = row.category ? `no category is called ${row.category}` : 'must be filled in';
  if (!film) faults.film = 'must be filled in';
  else if (film.id === undefined) faults.film = 'must name one record: choose which';
  if (people.length === 0) faults.name = 'must be filled in';
  else if (split?.isOpen) faults.name = 'one or several people: choose';
  else if (people.some(({ id }) => id === undefined)) faults.name = 'must name one record: choose which';
  if (category && isSongCategory(category) && !song) faults.song = 'must be filled in';
  else if (song && song.id === undefined) faults.song = 'must name one record: choose which';
  if (creditsOf(row, people.length) === undefined) faults.credited_as = 'must be one name for each person';
  const entry = entryOf(night, category, film, song, people);
  const lost = unused.filter((text) => text.trim() !== '');
  return { row, category, film, song, people, split, copies: [], unused: lost, faults, entry };
}

/** What a cell with one name means; undefined if it is empty. @param year as in meaningOf() */
export async function readCell(
  names: Names,
  resource: NamedResource,
  text: string,
  year: number | undefined,
  answers: Answers,
): Promise<NamedCell | undefined> {
  if (text.trim() === '') return undefined;
  const key = answerKey(resource, text);
  const meaning = await meaningOf(names, resource, text, year);
  const answer = answers[key];
  const id = typeof answer === 'number' ? answer : meaning.id;
  return { key, resource, text: text.trim(), meaning, id };
}

/** The names that a text joins; undefined if it is one name. */
function splitOf(names: Names, text: string, answers: Answers) {
  const parts = partsOf(text);
  const isKnown = (part: string) => equalsOf(names, 'nominees', part).length > 0;
  if (parts.length < 2 || isKnown(text)) return undefined;
  const key = answerKey('people', text);
  const answer = answers[key];
  const isApart = answer === undefined ? parts.every(isKnown) : answer === 'apart';
  return { key, parts, isApart, isOpen: answer === undefined && !isApart };
}

/** The credited name of each person; undefined if they are not as many. */
function creditsOf({ credited_as }: Row, people: number): (string | null)[] | undefined {
  if (credited_as.trim() === '') return Array.from({ length: people }, () => null);
  if (people < 2) return [credited_as.trim()];
  const parts = partsOf(credited_as);
  return parts.length === people ? parts : undefined;
}

/** The id of a record, the name of a new one, '' for none. */
const partKey = (cell: NamedCell | undefined): string => String(cell?.id || fold(cell?.text ?? ''));

function entryOf(
  { ceremony, acting }: Night,
  category: Category | undefined,
  film: NamedCell | undefined,
  song: NamedCell | undefined,
  people: readonly NamedCell[],
): string {
  const id = category?.id ?? 0;
  const numbers = { ceremony_id: ceremony, category_id: id, entry: null };
  const references = {
    movie_id: partKey(film),
    song_id: partKey(song) || null,
    nominee_id: partKey(people[0]),
  };
  // Names of new records stand for the ids that they get.
  return entryKey({ ...numbers, ...(references as unknown as typeof numbers & Reference) }, acting.has(id));
}
type Reference = { movie_id: number; nominee_id: number; song_id: number | null };

const savedKey = (one: Nomination): string =>
  [one.category_id, one.movie_id, one.nominee_id, one.song_id ?? ''].join(' ');

const rowKey = ({ category, film, song }: ReadRow, person: NamedCell): string | undefined =>
  category && film && [category.id, partKey(film), partKey(person), partKey(song)].join(' ');

/** Whether all of a row is there already. */
export const isCopy = ({ copies, people }: ReadRow): boolean =>
  copies.length > 0 && copies.length === people.length;

/** The stored nominations that a row repeats. */
export const storedCopies = (read: ReadRow, { saved }: Night): Nomination[] => {
  const keys = read.copies.map((person) => rowKey(read, person));
  return saved.filter((one) => keys.includes(savedKey(one)));
};

/** A stored nomination as a row. */
export const rowOfNomination = (one: Nomination): Row => ({
  category: one.category,
  film: one.movie,
  name: one.nominee,
  song: one.song_title ?? '',
  character: one.details?.character ?? '',
  credited_as: one.details?.credited_as ?? '',
  winner: one.winner,
});

/** The people of a row whose nominations are new. */
export const newPeople = ({ people, copies }: ReadRow): NamedCell[] =>
  people.filter((person) => !copies.includes(person));

/** The id of a named cell: for a new record its write is added. */
export const idOfCell = (cell: NamedCell, control: string, making: Making): Promise<unknown> =>
  making.idOf(cell.resource, newName(cell.resource, cell.text), cell.id, control);

/**
 * Adds the writes of a row, a nomination for each person; its faults are about the controls that `controlOf`
 * names.
 */
export async function addWrites(
  read: ReadRow,
  { ceremony, acting }: Night,
  making: Making,
  controlOf: (column: string) => string,
): Promise<void> {
  for (const [column, message] of Object.entries(read.faults))
    making.faults.push({ control: controlOf(column), message });
  if (Object.keys(read.faults).length > 0) return;
  const { row, category, film, song, people } = read;
  const credits = creditsOf(row, people.length)!;
  const movie_id = await idOfCell(film!, controlOf('film'), making);
  const song_id = song ? await idOfCell(song, controlOf('song'), making) : null;
  for (const [i, person] of people.entries()) {
    if (read.copies.includes(person)) continue;
    const nominee_id = await idOfCell(person, controlOf('name'), making);
    const id = await making.freeId('nominations');
    const character = acting.has(category!.id) ? row.character.trim() || null : null;
    const details = { character, credited_as: credits[i] ?? null };
    const references = { ceremony_id: ceremony, category_id: category!.id, movie_id, nominee_id, song_id };
    const body = { id, ...references, winner: row.winner, details };
    const columns: Readonly<Record<string, string>> = {
      movie_id: 'film',
      nominee_id: 'name',
      song_id: 'song',
    };
    const controlOfMember = (member: string) => controlOf(columns[member] ?? member);
    making.writes.push({ method: 'POST', path: listPath('nominations'), body, controlOf: controlOfMember });
  }
}
