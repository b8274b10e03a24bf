/** Nominations and wins counted from the columns, the way the rankings count them: for lists of many records, and by year. */
import type { Query } from '../../../api/contract/parameters.ts';
import { selectNominations } from '../../../api/read/selection.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import { groupBy, type Tally } from './entries.ts';
import { count, span } from './format.ts';
import { columns } from './record.ts';

/** What a person was nominated for and won. @param rows of nominations */
export function nomineeTally(table: NominationTable, rows: ArrayLike<number>): Tally {
  const years = yearsOf(table, rows);
  const wins = Array.from(rows).filter((row) => table.winner[row] === 1).length;
  return { nominations: rows.length, wins, years };
}

/** The same for a film, where a category counts once. */
export function filmTally(table: NominationTable, rows: ArrayLike<number>): Tally {
  const [nominated, won] = [new Set<number>(), new Set<number>()];
  for (const row of Array.from(rows)) {
    const category = table.category.rows[row]!;
    nominated.add(category);
    if (table.winner[row] === 1) won.add(category);
  }
  return { nominations: nominated.size, wins: won.size, years: yearsOf(table, rows) };
}

function yearsOf(table: NominationTable, rows: ArrayLike<number>): [number, number] | undefined {
  const years = Array.from(rows, (row) => table.ceremonies.year[table.ceremony.rows[row]!]!);
  return years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];
}

/** "1995 · 13 nominations", and what was won, "6 wins", apart from it. */
export function tallyTexts({ nominations, wins, years }: Tally): [nominations: string, wins: string] {
  if (!years) return ['no nominations on record', ''];
  return [
    `${span(...years)} · ${count(nominations, 'nomination')}`,
    wins > 0 ? ` · ${count(wins, 'win')}` : '',
  ];
}

/** The tallies of some films or nominees by their ids. @throws SnapshotUnavailable */
export async function talliesOf(
  resource: 'movies' | 'nominees',
  ids: readonly number[],
): Promise<ReadonlyMap<number, Tally>> {
  const table = await (await columns()).nominations();
  const [texts, { postings }, tally] =
    resource === 'movies'
      ? [table.titles, table.movie, filmTally]
      : [table.names, table.nominee, nomineeTally];
  return new Map(
    ids
      .map((id) => [id, texts.row(id)] as const)
      .filter(([, row]) => row >= 0)
      .map(([id, row]) => [id, tally(table, postings.of(row))]),
  );
}

/** The nominations of a year, in all or of one group of categories. */
export interface YearCount {
  year: number;
  group: string;
  nominations: number;
  wins: number;
}

/** Groups for categories that have none. */
const otherGroup = 'Other';

/**
 * The nominations that a query asks for, by the year of the ceremony.
 * @param query already read; its page and limit do not count
 * @param byGroup whether groups of categories are counted apart
 * @throws SnapshotUnavailable
 */
export async function countByYear(query: Query, byGroup: boolean): Promise<YearCount[]> {
  const table = await (await columns()).nominations();
  const { ceremonies, categories } = table;
  const rows = Array.from(selectNominations(table, query), (row) => ({
    year: ceremonies.year[table.ceremony.rows[row]!]!,
    group: byGroup ? (categories.group.values[table.category.rows[row]!] ?? otherGroup) : '',
    won: table.winner[row] === 1,
  }));
  const counts = groupBy(rows, ({ year, group }) => `${year} ${group}`).map(([, own]) => ({
    year: own[0]!.year,
    group: own[0]!.group,
    nominations: own.length,
    wins: own.filter(({ won }) => won).length,
  }));
  return counts.sort((a, b) => a.year - b.year);
}
