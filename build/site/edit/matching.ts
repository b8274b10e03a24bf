/**
 * Finds the records that typed names mean: equal names, names like them as the search of the API finds them,
 * ids of IMDb, and a year in parentheses.
 */
import { categoryNamed } from '../../../api/contract/category-names.ts';
import { yearsIn } from '../../../api/contract/film-year.ts';
import { editDistance } from '../../../api/contract/nearest.ts';
import { fold, tokens } from '../../../api/contract/text.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { findTexts, resourceOf, rowOf, type TextSearch, textSearch } from '../../../api/read/text-search.ts';
import { joined, span } from '../shared/format.ts';
import type { NamedResource } from './naming.ts';
import { currentSnapshot } from './reading.ts';

/** A record that a name can mean. `note` tells it from others of its name. */
export interface Candidate {
  resource: NamedResource;
  id: number;
  label: string;
  note: string;
}

/**
 * What a name means. `id` is 0 for a new record, and undefined where the editor must choose; `reason` says
 * why.
 */
export interface Meaning {
  id: number | undefined;
  options: readonly Candidate[];
  reason: string;
}

/** Years between a film and the ceremony beyond which a film of that title is another one. */
const filmYearsApart = 2;
/** Years between nominations beyond which a person of that name may be another one. */
const personYearsApart = 30;
const maxOptions = 6;
const imdbPattern = /\b(tt|nm|co)\d{5,}\b/;

export type Names = Awaited<ReturnType<typeof makeNames>>;
let known: { snapshot: Snapshot; names: Promise<Names> } | undefined;

/** The names of the current snapshot. @throws SnapshotUnavailable */
export async function loadNames(): Promise<Names> {
  const snapshot = await currentSnapshot();
  if (known?.snapshot !== snapshot) known = { snapshot, names: makeNames(snapshot) };
  return known.names;
}

/** Folded name → rows of its table. */
function indexOf(values: readonly (string | null)[]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const [row, value] of values.entries()) {
    const name = fold(value ?? '');
    const same = rows.get(name);
    if (same) same.push(row);
    else rows.set(name, [row]);
  }
  return rows;
}

/** The names of a snapshot, for lookups. */
export async function makeNames(snapshot: Snapshot) {
  const [search, films, people] = await Promise.all([
    textSearch(snapshot, []),
    snapshot.table('films'),
    snapshot.table('people'),
  ]);
  const { columns, table } = search;
  const exact = {
    movies: indexOf(columns.movies.text.values),
    nominees: indexOf(columns.nominees.text.values),
    songs: indexOf(columns.songs.text.values),
  };
  const idAt = (resource: NamedResource, row: number) => columns[resource].ids.id(row);
  const nominationYears = (resource: NamedResource, id: number) =>
    Array.from(columns[resource].references.nominationsOf(id), search.yearOf);
  /** The years of a film: of its release, and those whose films were eligible for its nominations. */
  const filmYears = (id: number): number[] => {
    const release = films.release_date[films.row(id)];
    const eligible = Array.from(columns.movies.references.nominationsOf(id), (row) => {
      const text = table.ceremonies.film_years[table.ceremony.rowAt(row)] ?? null;
      return text === null ? [search.yearOf(row) - 1] : yearsIn(text);
    });
    return [...(release ? [Number(release.slice(0, 4))] : []), ...eligible.flat()];
  };
  const yearsOf = (resource: NamedResource, id: number) =>
    resource === 'movies' ? filmYears(id) : nominationYears(resource, id);
  const describeId = (resource: NamedResource, id: number): Candidate => {
    const years = yearsOf(resource, id);
    const range = years.length > 0 ? span(Math.min(...years), Math.max(...years)) : 'not nominated';
    const department = resource === 'nominees' ? people.department.values[people.row(id)] : undefined;
    const artist = resource === 'songs' ? search.songs.artist.values[search.songs.row(id)] : undefined;
    const label = search.textOf(resource, id);
    return { resource, id, label, note: joined(department, artist, range) };
  };
  const imdbIds = { movies: films, nominees: people, songs: undefined };
  const meanings = new Map<string, Promise<Meaning>>();
  return { snapshot, search, exact, idAt, yearsOf, describeId, imdbIds, films, people, meanings };
}

const isFar = (resource: NamedResource, years: readonly number[], year: number): boolean => {
  const apart = Math.min(...years.map((own) => Math.abs(own - year)));
  if (years.length === 0 || resource === 'songs') return false;
  return apart > (resource === 'movies' ? filmYearsApart : personYearsApart);
};

/** The ids of the records that have this name. Case and accents do not count. */
export const equalsOf = (names: Names, resource: NamedResource, text: string): number[] =>
  (names.exact[resource].get(fold(text.trim())) ?? []).map((row) => names.idAt(resource, row));

/** A title and the year behind it: "The Window (1950)". */
function yearIn(text: string): { name: string; year: number | undefined } {
  const [, name, year] = /^(.+?)\s*\(((?:19|20)\d\d)\)$/.exec(text) ?? [];
  return { name: name ?? text, year: year === undefined ? undefined : Number(year) };
}

/** The name that a new record gets: without the year behind it. */
export const newName = (resource: NamedResource, text: string): string =>
  resource === 'movies' ? yearIn(text.trim()).name : text.trim();

/**
 * What a typed name means.
 * @param year of the ceremony that it is for; undefined to ask no question about years
 */
export function meaningOf(
  names: Names,
  resource: NamedResource,
  text: string,
  year: number | undefined,
): Promise<Meaning> {
  const key = `${resource} ${year} ${text}`;
  const known = names.meanings.get(key) ?? findMeaning(names, resource, text, year);
  names.meanings.set(key, known);
  return known;
}

async function findMeaning(
  names: Names,
  resource: NamedResource,
  text: string,
  year: number | undefined,
): Promise<Meaning> {
  const byId = findById(names, resource, text);
  if (byId !== undefined) return byId;
  const whole = equalsOf(names, resource, text);
  const typed = resource === 'movies' && whole.length === 0 ? yearIn(text.trim()) : undefined;
  const ids = typed ? equalsOf(names, resource, typed.name) : whole;
  const options = ids.map((id) => names.describeId(resource, id));
  if (ids.length > 0) return chosenOf(names, resource, options, typed?.year, year);
  const near = await nearNames(names, resource, typed?.name ?? text);
  const isAsked = near.some(({ label }) => isLikely(label, typed?.name ?? text, resource));
  return { id: isAsked ? undefined : 0, options: near, reason: isAsked ? 'a name like it is known' : '' };
}

/** The record with an id of IMDb that is typed. */
function findById(names: Names, resource: NamedResource, text: string): Meaning | undefined {
  const [imdb] = imdbPattern.exec(text.toLowerCase()) ?? [];
  const table = imdb && names.imdbIds[resource];
  if (!table) return undefined;
  const row = table.filmindex_id.indexOf(imdb);
  if (row < 0) return { id: undefined, options: [], reason: `no record has the id ${imdb}` };
  const found = names.describeId(resource, table.id(row));
  return { id: found.id, options: [found], reason: '' };
}

/** Of the records of a name, the one that is meant. */
function chosenOf(
  names: Names,
  resource: NamedResource,
  options: readonly Candidate[],
  typedYear: number | undefined,
  year: number | undefined,
): Meaning {
  const near = (wanted: number) =>
    options.filter(({ id }) => !isFar(resource, names.yearsOf(resource, id), wanted));
  const wanted = typedYear ?? (resource === 'movies' ? year && year - 1 : year);
  if (wanted === undefined) {
    const reason = options.length > 1 ? `${options.length} have this name` : '';
    return { id: options.length === 1 ? options[0]!.id : undefined, options, reason };
  }
  const fitting = near(wanted);
  const isSure = fitting.length === 1 && (options.length === 1 || resource === 'movies');
  if (isSure) return { id: fitting[0]!.id, options, reason: '' };
  if (typedYear !== undefined && fitting.length === 0) return { id: 0, options, reason: '' };
  const reason =
    options.length > 1 ? `${options.length} have this name` : 'that of this name is of other years';
  return { id: undefined, options, reason };
}

/** Whether a name is so like another that one of them may be mistyped. */
function isLikely(label: string, text: string, resource: NamedResource): boolean {
  const [one, other] = [tokens(label).join(' '), tokens(text).join(' ')];
  const allowed = Math.min(one.length, other.length) < 9 ? 1 : 2;
  if (editDistance(one, other, allowed) <= allowed) return true;
  // A family name alone is not the name of a new person.
  const [words, asked] = [one.split(' '), other.split(' ')];
  if (resource !== 'nominees' || asked.length > 1) return false;
  return words.some((word) => editDistance(word, other, 1) <= 1 && other.length > 3);
}

/** The records whose names have all words, with typing mistakes where none has, best first. */
export async function nearNames(
  names: Names,
  resource: NamedResource,
  text: string,
  atMost = maxOptions,
): Promise<Candidate[]> {
  const all = tokens(text);
  // Initials of people are often left out: "Ruth E. Carter". In a title they count: "Part 2".
  const long = all.filter((word) => word.length > 1 || resource !== 'nominees');
  const words = long.length > 0 ? long : all;
  if (words.length === 0) return [];
  await names.search.load(words);
  const ranked = (edits: number) => rankedOf(names.search, resource, words, edits);
  const found = new Map<number, number>();
  for (const edits of [0, 1, 2])
    for (const [row, score] of ranked(edits)) {
      if (found.size < 50) found.set(row, Math.max(found.get(row) ?? 0, score - edits / 10));
    }
  const best = [...found].sort(([rowA, a], [rowB, b]) => b - a || rowA - rowB).slice(0, atMost);
  return best.map(([row]) => names.describeId(resource, names.idAt(resource, row)));
}

function rankedOf(search: TextSearch, resource: NamedResource, words: readonly string[], edits: number) {
  const matches = [...findTexts(search, words, edits)].filter(([key]) => resourceOf(key) === resource);
  return matches.map(([key, score]) => [rowOf(key), score] as const).sort(([, a], [, b]) => b - a);
}

/** The names in a text that joins several: "A, B & C". */
export const partsOf = (text: string): string[] =>
  text
    .split(/\s*(?:,\s+(?:and|&)\s+|[,;]\s+(?!(?:Jr|Sr|II|III|IV)\b)|\s+&\s+|\s+and\s+)\s*/)
    .map((part) => part.trim())
    .filter(Boolean);

/** The category that a text names: by its name today, an earlier or a common one. */
export function categoryMeant<C extends { id: number; category_name: string }>(
  categories: readonly C[],
  text: string,
): C | undefined {
  const words = tokens(text).join(' ');
  if (words === '') return undefined;
  const named = categoryNamed(text);
  return categories.find(
    ({ category_name }) => category_name === named || tokens(category_name).join(' ') === words,
  );
}
