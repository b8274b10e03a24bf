/** Answers of the two rankings. */
import type { Query } from '../contract/parameters.ts';
import type { RankingName } from '../contract/accepted.ts';
import { fold } from '../contract/text.ts';
import { countedText } from './documents.ts';
import type { NominationTable } from './nomination-table.ts';
import { ordered } from './orders.ts';
import { allFlags, type Flags, flagsContaining, selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { PersonTable } from './tables.ts';

/** Both totals of each film or nominee in one number: `wins * oneWin + nominations`. */
type Totals = Uint32Array;
const oneWin = 2 ** 16;

/** Films by number of categories. A category counts once for a film, however many nominees it had. */
async function answerTopMovies(snapshot: Snapshot, query: Query): Promise<string> {
  const [table, titles, films, selected] = await Promise.all([
    snapshot.nominations(),
    snapshot.titles(),
    rankedFilms(snapshot, query),
    selectNominations(snapshot, query),
  ]);
  return rankingText(
    countCategories(table, selected),
    films,
    query,
    (row) => `"movie_id":${titles.id(row)},"movie":${titles.text.quoted(row)}`,
  );
}

/** People by number of nominations. */
async function answerTopNominees(snapshot: Snapshot, query: Query): Promise<string> {
  const [table, names, people, selected] = await Promise.all([
    snapshot.nominations(),
    snapshot.names(),
    snapshot.people(),
    selectNominations(snapshot, query),
  ]);
  return rankingText(
    countNominations(table, selected),
    rankedPeople(people, query),
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

/** Totals per film, in categories. @param selected rows of the nominations that count */
function countCategories(table: NominationTable, selected: Int32Array): Totals {
  const [movie, category, winner] = [table.movie.rows, table.category.rows, table.winner];
  const categories = table.categories.count;
  const totals = new Uint32Array(table.movie.table.count);
  // Per film and category, 1 for a nomination and 2 for a win. Replaces two sets per film.
  const counted = new Uint8Array(totals.length * categories);
  for (let at = 0; at < selected.length; at += 1) {
    const row = selected[at]!;
    const film = movie[row]!;
    const pair = film * categories + category[row]!;
    const known = counted[pair]!;
    if (known === 0) totals[film]! += 1;
    if (winner[row] === 1 && known < 2) totals[film]! += oneWin;
    counted[pair] = known | (winner[row]! + 1);
  }
  return totals;
}

/** Totals per nominee. @param selected rows of the nominations that count */
function countNominations(table: NominationTable, selected: Int32Array): Totals {
  const [nominee, winner] = [table.nominee.rows, table.winner];
  const totals = new Uint32Array(table.nominee.table.count);
  for (let at = 0; at < selected.length; at += 1) {
    const row = selected[at]!;
    totals[nominee[row]!]! += winner[row] === 1 ? oneWin + 1 : 1;
  }
  return totals;
}

/**
 * The rows with the highest totals: by the sorted total, then the other one, then id. Rows without a nomination are left out.
 * @param flags of the rows that count
 */
function rankingText(totals: Totals, flags: Flags, query: Query, subject: (row: number) => string): string {
  if (flags !== undefined) for (let row = 0; row < totals.length; row += 1) totals[row]! *= flags[row]!;
  // The upper half decides first. To sort by nominations, exchange the halves.
  const keys = query.sort === 'wins' ? totals : totals.map((total) => (total << 16) | (total >>> 16));
  const rows = ordered(keys, true, query.limit).filter((row) => keys[row]! > 0);
  const ranked = Array.from(rows, (row) => {
    const total = totals[row]!;
    return `{${subject(row)},"total_nominations":${total & 0xffff},"total_wins":${total >>> 16}}`;
  });
  return countedText(ranked);
}
