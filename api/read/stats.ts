/** The answers below /api/stats: rankings of films and people, and counts of nominations in groups. */
import type { Query, RankingName, rankingSorts } from '../contract/addresses.ts';
import type { CountKey } from '../contract/parameters.ts';
import { byCodePoint, fold } from '../contract/text.ts';
import { TagColumn, TextColumn } from './columns.ts';
import { countEntries, type Counts, counterOfWins, distinctCounter, entryNumbers } from './counts.ts';
import { countedList, type Document } from './documents.ts';
import { type ColumnName, columnOf, personFlags, rowsIn, tableOf } from './named-columns.ts';
import { allRows, type Predicate, passing, selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Films by number of categories. A category counts once for a film, however many nominees it had. */
async function answerTopMovies(snapshot: Snapshot, query: Query): Promise<Document> {
  const [table, titles, selected] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    selectNominations(snapshot, query),
  ]);
  const totals = countEntries(table, table.category.rows, 'movies', selected);
  return ranking(
    totals,
    () => true,
    query,
    (row) => ({
      movie_id: titles.id(row),
      movie: titles.text.values[row],
    }),
  );
}

/** People by number of nominations: no companies and countries. */
async function answerTopNominees(snapshot: Snapshot, query: Query): Promise<Document> {
  const [table, names, isPerson, selected] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('names'),
    personFlags(snapshot),
    selectNominations(snapshot, query),
  ]);
  // Each nomination counts.
  const totals = countEntries(table, allRows(table.count), 'nominees', selected);
  return ranking(
    totals,
    (row) => isPerson[row] === 1,
    query,
    (row) => ({
      nominee_id: names.id(row),
      nominee: names.text.values[row],
    }),
  );
}

/** Ranking → its answer. */
export const rankingAnswers: Readonly<
  Record<RankingName, (snapshot: Snapshot, query: Query) => Promise<Document>>
> = { 'top-movies': answerTopMovies, 'top-nominees': answerTopNominees };

function ranking(
  totals: Counts,
  isRanked: Predicate,
  { sort, limit }: Query,
  subject: (row: number) => object,
): Document {
  const rows = rankRows(totals, sort === 'wins' ? 'wins' : 'nominations', isRanked).slice(0, limit);
  return countedList(
    rows.map((row) => ({
      ...subject(row),
      total_nominations: totals.entries[row],
      total_wins: totals.wins[row],
    })),
  );
}

/** Rows by the sorted total, then the other one, then id. Those that nothing counts for are left out. */
export function rankRows(
  { entries, wins }: Counts,
  sort: (typeof rankingSorts)[number],
  isRanked: Predicate,
): number[] {
  const [first, second] = sort === 'wins' ? [wins, entries] : [entries, wins];
  const counted = passing(allRows(wins.length), [(row) => entries[row]! > 0, isRanked]);
  // One number for each row: the sort of a typed array is ten times as fast without a function.
  const [count, most] = [wins.length, second.reduce((a, b) => Math.max(a, b), 0) + 1];
  const keys = Float64Array.from(
    counted,
    (row) => (first[row]! * most + second[row]!) * count + (count - 1 - row),
  );
  return Array.from(keys.sort().reverse(), (key) => count - 1 - (key % count));
}

type Value = number | string | null;

/** The groups of all nominations. */
interface Groups {
  /** In the order of the answer. */
  members: readonly { key: Value; label: string | null }[];
  /** The groups of each record, such as a film. */
  ofRecord: readonly (readonly number[])[];
  /** For each nomination the row of its record. */
  records: Int32Array;
}

/** Key → the column that has its values. */
const groupColumns = {
  year: 'ceremonies.year',
  decade: 'ceremonies.year',
  category: 'categories.name',
  category_group: 'categories.group',
  genre: 'films.genres',
  department: 'people.department',
  country: 'films.countries',
} as const satisfies Record<CountKey, ColumnName>;

const groupsOf = (snapshot: Snapshot, by: CountKey): Promise<Groups> =>
  snapshot.derive(`groups by ${by}`, ['nominations', tableOf(groupColumns[by])], () =>
    makeGroups(snapshot, by),
  );

async function makeGroups(snapshot: Snapshot, by: CountKey): Promise<Groups> {
  const [column, records] = await Promise.all([
    columnOf(snapshot, groupColumns[by]),
    rowsIn(snapshot, groupColumns[by]),
  ]);
  const keys = new Map<Value, Value>();
  /** Key → the label of the first record that has it. */
  const labels = new Map<Value, string | null>();
  const numberKey = (value: number | null) => (by === 'decade' ? value! - (value! % 10) : value);
  const keyOf = (value: Value): Value => {
    const known = keys.get(value);
    if (known !== undefined) return known;
    // Texts are the same without regard to case and accents.
    const key = typeof value === 'string' ? fold(value) : numberKey(value);
    keys.set(value, key);
    if (!labels.has(key))
      labels.set(key, typeof value === 'number' ? `${key}${by === 'decade' ? 's' : ''}` : value);
    return key;
  };
  const keysOfRecord = valuesOf(column as GroupColumn).map((values) => new Set(values.map(keyOf)));
  const sorted = [...labels].sort(([a], [b]) => byKey(a, b));
  const groups = new Map(sorted.map(([key], group) => [key, group]));
  return {
    members: sorted.map(([key, label]) => ({ key, label })),
    ofRecord: keysOfRecord.map((own) => Array.from(own, (key) => groups.get(key)!)),
    records,
  };
}

type GroupColumn = TextColumn | TagColumn | readonly number[];

/** The values of each record; null for one without any. */
function valuesOf(column: GroupColumn): readonly (readonly Value[])[] {
  if (column instanceof TagColumn) return column.values.map((own) => (own.length === 0 ? [null] : own));
  const values: readonly Value[] = column instanceof TextColumn ? column.values : column;
  return values.map((value) => [value]);
}

/** Ascending, null last. All keys of a grouping are of one type. */
function byKey(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' ? byCodePoint(a, b as string) : a - (b as number);
}

/** Totals of the selected nominations in each group. A group without any is left out. */
export async function answerCounts(snapshot: Snapshot, query: Query): Promise<Document> {
  const by = query.by!;
  const [table, entries, { members, ofRecord, records }, selected] = await Promise.all([
    snapshot.table('nominations'),
    entryNumbers(snapshot),
    groupsOf(snapshot, by),
    selectNominations(snapshot, query),
  ]);
  const byGroup: number[][] = members.map(() => []);
  // Loops with an index are twice as fast here as those over the values.
  for (let i = 0; i < selected.length; i += 1) {
    const groups = ofRecord[records[selected[i]!]!]!;
    for (let at = 0; at < groups.length; at += 1) byGroup[groups[at]!]!.push(selected[i]!);
  }
  const countedEntries = counterOfWins(table, entries);
  const countMovies = distinctCounter(table.movie.rows, table.movie.table.count);
  const countNominees = distinctCounter(table.nominee.rows, table.nominee.table.count);
  const data = byGroup.flatMap((rows, group) => {
    if (rows.length === 0) return [];
    return {
      ...members[group],
      ...countedEntries(rows),
      nominations: rows.length,
      movies: countMovies(rows),
      nominees: countNominees(rows),
    };
  });
  return { json: { data, by, count: data.length } };
}
