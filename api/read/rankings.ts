/** Answers of the two rankings. */
import type { Query, RankingName } from '../contract/parameters.ts';
import { countedText } from './documents.ts';
import { allRows, type Predicate, passing, selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Per row of films or nominees. */
interface Totals {
  nominations: Uint32Array;
  wins: Uint32Array;
}

/** Films by number of categories. A category counts once for a film, however many nominees it had. */
async function answerTopMovies(snapshot: Snapshot, query: Query): Promise<string> {
  const [{ movie, category, categories, winner }, titles, selected] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    selectNominations(snapshot, query),
  ]);
  const totals = totalsFor(titles.count);
  // Per film and category, 1 for a nomination and 2 for a win.
  const counted = new Uint8Array(titles.count * categories.count);
  for (const row of selected) {
    const film = movie.rows[row]!;
    const pair = film * categories.count + category.rows[row]!;
    if (counted[pair] === 0) totals.nominations[film]! += 1;
    if (counted[pair]! < 2) totals.wins[film]! += winner[row]!;
    counted[pair]! |= winner[row]! + 1;
  }
  return rankingText(
    totals,
    [],
    query,
    (row) => `"movie_id":${titles.id(row)},"movie":${titles.text.quoted(row)}`,
  );
}

/** People by number of nominations: no companies and countries. */
async function answerTopNominees(snapshot: Snapshot, query: Query): Promise<string> {
  const [{ nominee, winner }, names, people, selected] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('names'),
    snapshot.table('people'),
    selectNominations(snapshot, query),
  ]);
  const persons = people.persons();
  const totals = totalsFor(names.count);
  for (const row of selected) {
    totals.nominations[nominee.rows[row]!]! += 1;
    totals.wins[nominee.rows[row]!]! += winner[row]!;
  }
  return rankingText(
    totals,
    [(row) => persons[row] === 1],
    query,
    (row) => `"nominee_id":${names.id(row)},"nominee":${names.text.quoted(row)}`,
  );
}

const totalsFor = (count: number): Totals => ({
  nominations: new Uint32Array(count),
  wins: new Uint32Array(count),
});

/** Ranking → its answer as text. */
export const rankingAnswers: Readonly<
  Record<RankingName, (snapshot: Snapshot, query: Query) => Promise<string>>
> = { 'top-movies': answerTopMovies, 'top-nominees': answerTopNominees };

/** The rows with the highest totals: by the sorted total, then the other one, then id. Rows without a nomination are left out. */
function rankingText(
  { nominations, wins }: Totals,
  isRanked: readonly Predicate[],
  { sort, limit }: Query,
  subject: (row: number) => string,
): string {
  const [first, second] = sort === 'wins' ? [wins, nominations] : [nominations, wins];
  const counted = passing(allRows(wins.length), [(row) => nominations[row]! > 0, ...isRanked]);
  const rows = Array.from(counted).sort((a, b) => first[b]! - first[a]! || second[b]! - second[a]!);
  const ranked = rows
    .slice(0, limit)
    .map((row) => `{${subject(row)},"total_nominations":${nominations[row]},"total_wins":${wins[row]}}`);
  return countedText(ranked);
}
