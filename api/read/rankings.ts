/** Answers of the two rankings. */
import type { Query } from '../contract/parameters.ts';
import type { RankingName } from '../contract/accepted.ts';
import { fold } from '../contract/text.ts';
import { countedText } from './documents.ts';
import { nominationFamilies, type NominationTable } from './nomination-table.ts';
import { ordered } from './orders.ts';
import {
  allFlags,
  type Flags,
  flagsContaining,
  flagsOfRows,
  hasYears,
  selectNominations,
} from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { PersonTable } from './tables.ts';

/** Both totals of each film or nominee in one number: `wins * oneWin + nominations`. */
type Totals = Uint32Array;
const oneWin = 2 ** 16;

/** Films by number of categories. A category counts once for a film, however many nominees it had. */
async function answerTopMovies(snapshot: Snapshot, query: Query): Promise<string> {
  const [table, titles] = await Promise.all([snapshot.nominations(), snapshot.titles()]);
  const genre = query.genre === undefined ? undefined : fold(query.genre);
  const films = await rankedFilms(snapshot, query);
  const selected = isCached(query) ? undefined : await selectNominations(snapshot, query);
  const count = async () => countCategories(table, films, selected);
  const totals = isCached(query)
    ? await snapshot.totals(`top-movies ${JSON.stringify(genre)}`, ['nominations', 'films'], count)
    : await count();
  return rankingText(
    totals,
    query,
    (row) => `"movie_id":${titles.id(row)},"movie":${titles.text.quoted(row)}`,
  );
}

/** People by number of nominations. */
async function answerTopNominees(snapshot: Snapshot, query: Query): Promise<string> {
  const [table, names, people] = await Promise.all([
    snapshot.nominations(),
    snapshot.names(),
    snapshot.people(),
  ]);
  const count = async () =>
    countNominations(table, rankedPeople(people, query), await selectNominations(snapshot, query));
  const filters = JSON.stringify([query.known_for_department, query.category, query.category_group]);
  const totals = isCached(query)
    ? await snapshot.totals(`top-nominees ${filters}`, [...nominationFamilies, 'people'], count)
    : await count();
  return rankingText(
    totals,
    query,
    (row) => `"nominee_id":${names.id(row)},"nominee":${names.text.quoted(row)}`,
  );
}

/** Ranking → its answer as text. */
export const rankingAnswers: Readonly<
  Record<RankingName, (snapshot: Snapshot, query: Query) => Promise<string>>
> = { 'top-movies': answerTopMovies, 'top-nominees': answerTopNominees };

/** The films that a ranking counts; undefined for all. */
export async function rankedFilms(snapshot: Snapshot, { genre }: Query): Promise<Flags> {
  return genre === undefined ? undefined : (await snapshot.films()).genres.with(fold(genre));
}

/** The people that a ranking counts: no companies and countries. */
export const rankedPeople = (people: PersonTable, { known_for_department: department }: Query): Flags =>
  allFlags(people.persons(), flagsContaining(people.department, department));

/** Totals of a range of years are not cached: there are too many ranges. */
const isCached = (query: Query): boolean => !hasYears(query) && query.official === undefined;

/** Totals per film, in categories. @param selected rows of the nominations that count; default all */
function countCategories(table: NominationTable, films: Flags, selected?: Int32Array): Totals {
  const { offsets, rows } = table.movie.postings;
  const [category, winner] = [table.category.rows, table.winner];
  const flags = selected && flagsOfRows(selected, table.count);
  const totals = new Uint32Array(table.movie.table.count);
  // Per category, the last film that it was counted for, plus one. Replaces a set per film.
  const nominatedFor = new Uint32Array(table.categories.count);
  const wonFor = new Uint32Array(table.categories.count);
  for (let film = 0; film < totals.length; film += 1) {
    if (films !== undefined && films[film] === 0) continue;
    const end = offsets[film + 1]!;
    let total = 0;
    for (let at = offsets[film]!; at < end; at += 1) {
      const row = rows[at]!;
      if (flags !== undefined && flags[row] === 0) continue;
      const own = category[row]!;
      if (nominatedFor[own] !== film + 1) {
        nominatedFor[own] = film + 1;
        total += 1;
      }
      if (winner[row] === 1 && wonFor[own] !== film + 1) {
        wonFor[own] = film + 1;
        total += oneWin;
      }
    }
    totals[film] = total;
  }
  return totals;
}

/**
 * Totals per nominee, 0 for nominees that are not in `persons`.
 * @param selected rows of the nominations that count
 */
function countNominations(table: NominationTable, persons: Flags, selected: Int32Array): Totals {
  const [nominee, winner] = [table.nominee.rows, table.winner];
  const totals = new Uint32Array(table.nominee.table.count);
  for (let at = 0; at < selected.length; at += 1) {
    const row = selected[at]!;
    totals[nominee[row]!]! += winner[row] === 1 ? oneWin + 1 : 1;
  }
  if (persons !== undefined) for (let row = 0; row < totals.length; row += 1) totals[row]! *= persons[row]!;
  return totals;
}

/** The rows with the highest totals: by the sorted total, then the other one, then id. Rows without a nomination are left out. */
function rankingText(totals: Totals, query: Query, subject: (row: number) => string): string {
  // The upper half decides first. To sort by nominations, exchange the halves.
  const keys = query.sort === 'wins' ? totals : totals.map((total) => (total << 16) | (total >>> 16));
  const rows = ordered(keys, true, query.limit).filter((row) => keys[row]! > 0);
  const ranked = Array.from(rows, (row) => {
    const total = totals[row]!;
    return `{${subject(row)},"total_nominations":${total & 0xffff},"total_wins":${total >>> 16}}`;
  });
  return countedText(ranked);
}
