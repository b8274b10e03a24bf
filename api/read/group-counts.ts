/** Counts of nominations in groups: by year, decade, category and so on. */
import type { CountKey, Query } from '../contract/parameters.ts';
import type { CountsRoute } from '../contract/routes.ts';
import type { BlockFamily } from '../contract/snapshot.ts';
import { byCodeUnit, fold } from '../contract/text.ts';
import { officialFlags, selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { References, TagColumn } from './tables.ts';

type Key = number | string | null;

/** The groups of all nominations. */
export interface Groups {
  /** The members `key` and `label` of each group as JSON, in the order of the answer. */
  members: readonly string[];
  /** For each nomination the record that has the values, such as its film. */
  records: Int32Array;
  /** The groups of a record are `groups` from `offsets[record]` to `offsets[record + 1]`. */
  offsets: Int32Array;
  groups: Int32Array;
}

/** Key → the family that has its values. */
export const groupFamily = {
  year: 'ceremonies',
  decade: 'ceremonies',
  category: 'categories',
  category_group: 'categories',
  genre: 'films',
  department: 'people',
  country: 'countries',
} as const satisfies Record<CountKey, BlockFamily>;

/** The families that counts by a key depend on. Categories tell which nominations are for acting. */
export const countsFamilies = (by: CountKey): readonly BlockFamily[] => [
  'nominations',
  'entries',
  'categories',
  groupFamily[by],
];

/** The records of a table that have each key. */
class Grouping {
  readonly #count: number;
  readonly #groups = new Map<Key, { label: string | null; records: number[] }>();

  /** @param count records of the table */
  constructor(count: number) {
    this.#count = count;
  }

  /** @param label counts for the first record with this key */
  add(record: number, key: Key, label: string | null): void {
    const group = this.#groups.get(key);
    if (group) group.records.push(record);
    else this.#groups.set(key, { label, records: [record] });
  }

  /** The groups of the nominations that refer to the records. A record without a key is in the group null. */
  of({ rows }: References): Groups {
    const keyed = this.#countKeys();
    for (let record = keyed.indexOf(0); record >= 0; record = keyed.indexOf(0, record + 1))
      this.add(record, null, null);
    const sorted = [...this.#groups].sort(([a], [b]) => byKey(a, b));
    const offsets = new Int32Array(this.#count + 1);
    for (const [record, keys] of this.#countKeys().entries()) offsets[record + 1] = offsets[record]! + keys;
    const groups = new Int32Array(offsets[this.#count]!);
    const next = offsets.slice();
    for (const [group, [, { records }]] of sorted.entries())
      for (const record of records) groups[next[record]!++] = group;
    const members = sorted.map(
      ([key, { label }]) => `"key":${JSON.stringify(key)},"label":${JSON.stringify(label)}`,
    );
    return { members, records: rows, offsets, groups };
  }

  /** The number of keys of each record. */
  #countKeys(): Int32Array {
    const counts = new Int32Array(this.#count);
    for (const { records } of this.#groups.values()) for (const record of records) counts[record]! += 1;
    return counts;
  }
}

/** Ascending, null last. All keys of a grouping are of one type. */
function byKey(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' ? byCodeUnit(a, b as string) : a - (b as number);
}

/** The groups of all nominations by a key. */
export async function groupsOf(snapshot: Snapshot, by: CountKey): Promise<Groups> {
  const table = await snapshot.nominations();
  const { ceremonies, categories } = table;
  switch (by) {
    case 'year':
      return byNumber(ceremonies.year, String).of(table.ceremony);
    case 'decade': {
      const decades = ceremonies.year.map((year) => year - (year % 10));
      return byNumber(decades, (decade) => `${decade}s`).of(table.ceremony);
    }
    case 'category':
      return byText(categories.name.values).of(table.category);
    case 'category_group':
      return byText(categories.group.values).of(table.category);
    case 'genre':
      return byTags((await snapshot.films()).genres, table.titles.count).of(table.movie);
    case 'department':
      return byText((await snapshot.people()).department.values).of(table.nominee);
    case 'country':
      return byTags((await snapshot.countries()).countries, table.titles.count).of(table.movie);
  }
}

function byNumber(numbers: readonly number[], label: (number: number) => string): Grouping {
  const grouping = new Grouping(numbers.length);
  for (const [record, number] of numbers.entries()) grouping.add(record, number, label(number));
  return grouping;
}

function byText(values: readonly (string | null)[]): Grouping {
  const grouping = new Grouping(values.length);
  const folded = new Map([...new Set(values)].map((value) => [value, value && fold(value)]));
  for (const [record, value] of values.entries()) grouping.add(record, folded.get(value)!, value);
  return grouping;
}

function byTags(column: TagColumn, count: number): Grouping {
  const grouping = new Grouping(count);
  for (const [folded, text] of column.texts) {
    const flags = column.with(folded);
    for (let record = flags.indexOf(1); record >= 0; record = flags.indexOf(1, record + 1))
      grouping.add(record, folded, text);
  }
  return grouping;
}

/** Totals of the selected nominations in each group. A group without any is left out. */
export async function answerCounts(snapshot: Snapshot, route: CountsRoute, query: Query): Promise<string> {
  const by = query.by!;
  if (route.parameters.every((name) => name === 'by' || query[name] === undefined))
    return snapshot.allCounts(by);
  const table = await snapshot.nominations();
  return countIn(snapshot, by, selectNominations(table, query, await officialFlags(snapshot, query)));
}

/** Totals of some nominations in each group. @param selected ascending; default all */
export async function countIn(snapshot: Snapshot, by: CountKey, selected?: Int32Array): Promise<string> {
  const [table, entries, { members, ...groups }] = await Promise.all([
    snapshot.nominations(),
    snapshot.entryNumbers(),
    snapshot.groups(by),
  ]);
  const all = selected ?? Int32Array.from({ length: table.count }, (_, row) => row);
  const { starts, rows } = distribute(all, groups, members.length);
  const { winner } = table;
  const [movies, nominees] = [table.movie.rows, table.nominee.rows];
  // Per entry, film and nominee, the last group it was counted in, plus one. Replaces a set per group.
  const [entryIn, winIn] = [new Int32Array(table.count), new Int32Array(table.count)];
  const [movieIn, nomineeIn] = [new Int32Array(table.titles.count), new Int32Array(table.names.count)];
  const data: string[] = [];
  for (let group = 0; group < members.length; group += 1) {
    const [start, end] = [starts[group]!, starts[group + 1]!];
    if (start === end) continue;
    const mark = group + 1;
    let entryCount = 0;
    let winCount = 0;
    let movieCount = 0;
    let nomineeCount = 0;
    for (let at = start; at < end; at += 1) {
      const row = rows[at]!;
      // No destructuring: before the code is optimized, it costs more than the rest of the loop.
      const entry = entries[row]!;
      const movie = movies[row]!;
      const nominee = nominees[row]!;
      if (entryIn[entry] !== mark) {
        entryIn[entry] = mark;
        entryCount += 1;
      }
      if (winner[row] === 1 && winIn[entry] !== mark) {
        winIn[entry] = mark;
        winCount += 1;
      }
      if (movieIn[movie] !== mark) {
        movieIn[movie] = mark;
        movieCount += 1;
      }
      if (nomineeIn[nominee] !== mark) {
        nomineeIn[nominee] = mark;
        nomineeCount += 1;
      }
    }
    data.push(
      `{${members[group]},"entries":${entryCount},"wins":${winCount},"nominations":${end - start},"movies":${movieCount},"nominees":${nomineeCount}}`,
    );
  }
  return `{"data":[${data.join(',')}],"by":"${by}","count":${data.length}}\n`;
}

/** The rows of each group, ascending: those of group n are `rows` from `starts[n]` to `starts[n + 1]`. */
function distribute(
  selected: Int32Array,
  { records, offsets, groups }: Omit<Groups, 'members'>,
  count: number,
): { starts: Int32Array; rows: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < selected.length; i += 1) {
    const record = records[selected[i]!]!;
    for (let at = offsets[record]!; at < offsets[record + 1]!; at += 1) starts[groups[at]! + 1]! += 1;
  }
  for (let group = 0; group < count; group += 1) starts[group + 1]! += starts[group]!;
  const next = starts.slice();
  const rows = new Int32Array(starts[count]!);
  for (let i = 0; i < selected.length; i += 1) {
    const row = selected[i]!;
    const record = records[row]!;
    for (let at = offsets[record]!; at < offsets[record + 1]!; at += 1) {
      const group = groups[at]!;
      rows[next[group]!++] = row;
    }
  }
  return { starts, rows };
}
