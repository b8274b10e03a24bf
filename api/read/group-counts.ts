/** Counts of nominations in groups: by year, decade, category and so on. */
import type { CountKey, Query } from '../contract/parameters.ts';
import { byCodePoint, fold } from '../contract/text.ts';
import { positionsOf, Postings } from './columns.ts';
import { entryNumbers } from './counts.ts';
import type { References } from './nomination-table.ts';
import { selectNominations } from './selection.ts';
import type { Snapshot, TableName } from './snapshot.ts';
import type { TagColumn } from './tables.ts';

type Key = number | string | null;

/** The groups of all nominations. */
interface Groups {
  /** The members `key` and `label` of each group as JSON, in the order of the answer. */
  members: readonly string[];
  /** For each nomination its group; with `several` the row of its record that has the groups, such as its film. */
  ofNomination: Int32Array;
  /** Of groupings where a nomination can have several groups. */
  several?: GroupsOfRecords;
}

/** The groups of a record are `groups` from `offsets[record]` to `offsets[record + 1]`. */
interface GroupsOfRecords {
  offsets: Int32Array;
  groups: Int32Array;
}

/** Key → the table that has its values. */
const groupTable = {
  year: 'ceremonies',
  decade: 'ceremonies',
  category: 'categories',
  category_group: 'categories',
  genre: 'films',
  department: 'people',
  country: 'films',
} as const satisfies Record<CountKey, TableName>;

/** Ascending, null last. All keys of a grouping are of one type. */
function byKey(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' ? byCodePoint(a, b as string) : a - (b as number);
}

/** The groups of all nominations by a key. */
const groupsOf = (snapshot: Snapshot, by: CountKey): Promise<Groups> =>
  snapshot.derive(`groups by ${by}`, ['nominations', groupTable[by]], () => makeGroups(snapshot, by));

async function makeGroups(snapshot: Snapshot, by: CountKey): Promise<Groups> {
  const table = await snapshot.table('nominations');
  const { ceremonies, categories } = table;
  switch (by) {
    case 'year':
      return byValue(ceremonies.year, String, table.ceremony);
    case 'decade': {
      const decades = ceremonies.year.map((year) => year - (year % 10));
      return byValue(decades, (decade) => `${decade}s`, table.ceremony);
    }
    case 'category':
      return byText(categories.name.values, table.category);
    case 'category_group':
      return byText(categories.group.values, table.category);
    case 'genre':
      return byTags((await snapshot.table('films')).genres, table.movie);
    case 'department':
      return byText((await snapshot.table('people')).department.values, table.nominee);
    case 'country':
      return byTags((await snapshot.table('films')).countries, table.movie);
  }
}

const membersOf = (key: Key, label: string | null): string =>
  `"key":${JSON.stringify(key)},"label":${JSON.stringify(label)}`;

/**
 * Groups by one value of each record.
 * @param values one for each record
 * @param labelOf the label of a value; called with the first record that has the value, never for null
 */
function byValue<T extends Key>(
  values: readonly T[],
  labelOf: (value: T, record: number) => string,
  { rows }: References,
): Groups {
  const firsts = new Map<T, number>();
  for (let record = 0; record < values.length; record += 1)
    if (!firsts.has(values[record]!)) firsts.set(values[record]!, record);
  const sorted = [...firsts].sort(([a], [b]) => byKey(a, b));
  const groupOf = new Map(sorted.map(([value], group) => [value, group]));
  const members = sorted.map(([value, record]) =>
    membersOf(value, value === null ? null : labelOf(value, record)),
  );
  const own = Int32Array.from(values, (value) => groupOf.get(value)!);
  const ofNomination = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) ofNomination[row] = own[rows[row]!]!;
  return { members, ofNomination };
}

/** Groups by a text without regard to case and accents; the label is the text of the first record. */
function byText(texts: readonly (string | null)[], references: References): Groups {
  const folded = new Map([...new Set(texts)].map((text) => [text, text && fold(text)]));
  const values = texts.map((text) => folded.get(text)!);
  return byValue(values, (_, record) => texts[record]!, references);
}

/** Groups by several texts of each record. A record without any is in the group null. */
function byTags(column: TagColumn, { rows, table: { count } }: References): Groups {
  const tags: [Key, string | null][] = column.texts.sort(([a], [b]) => byKey(a, b));
  const flags = tags.map(([folded]) => column.with(folded as string));
  const untagged = new Uint8Array(count).fill(1);
  for (const own of flags) for (const record of positionsOf(own, 1)) untagged[record] = 0;
  if (untagged.includes(1)) {
    tags.push([null, null]);
    flags.push(untagged);
  }
  // Each record with each of its groups, in two columns.
  const [records, groups]: [number[], number[]] = [[], []];
  for (const [group, own] of flags.entries())
    for (const record of positionsOf(own, 1)) {
      records.push(record);
      groups.push(group);
    }
  const { offsets, rows: pairs } = Postings.of(Int32Array.from(records), count);
  const members = tags.map(([key, label]) => membersOf(key, label));
  return { members, ofNomination: rows, several: { offsets, groups: pairs.map((pair) => groups[pair]!) } };
}

/** Totals of the selected nominations in each group. A group without any is left out. */
export async function answerCounts(snapshot: Snapshot, query: Query): Promise<string> {
  const by = query.by!;
  const [table, entries, groups, selected] = await Promise.all([
    snapshot.table('nominations'),
    entryNumbers(snapshot),
    groupsOf(snapshot, by),
    selectNominations(snapshot, query),
  ]);
  const pairs = pairsOf(selected, groups);
  const { offsets, rows: pairsByGroup } = Postings.of(pairs.groups, groups.members.length);
  const { winner } = table;
  const [movies, nominees] = [table.movie.rows, table.nominee.rows];
  // Per entry, film and nominee, the last group it was counted in. Replaces a set per group.
  const entryIn = new Int32Array(table.count);
  const [movieIn, nomineeIn] = [
    new Int32Array(table.movie.table.count),
    new Int32Array(table.nominee.table.count),
  ];
  const data: string[] = [];
  for (let group = 0; group < groups.members.length; group += 1) {
    const [start, end] = [offsets[group]!, offsets[group + 1]!];
    if (start === end) continue;
    // An entry has the mark, or the next number if it won.
    const mark = 2 * group + 1;
    let entryCount = 0;
    let winCount = 0;
    let movieCount = 0;
    let nomineeCount = 0;
    for (let at = start; at < end; at += 1) {
      const row = pairs.nominations[pairsByGroup[at]!]!;
      // No destructuring: before the code is optimized, it costs more than the rest of the loop.
      const entry = entries[row]!;
      const movie = movies[row]!;
      const nominee = nominees[row]!;
      const won = winner[row]!;
      const last = entryIn[entry]!;
      if (last < mark) entryCount += 1;
      if (last < mark + won) {
        winCount += won;
        entryIn[entry] = mark + won;
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
      `{${groups.members[group]},"entries":${entryCount},"wins":${winCount},"nominations":${end - start},"movies":${movieCount},"nominees":${nomineeCount}}`,
    );
  }
  return `{"data":[${data.join(',')}],"by":"${by}","count":${data.length}}\n`;
}

/** Each selected nomination with each of its groups, in two columns. */
function pairsOf(
  selected: Int32Array,
  { ofNomination, several }: Groups,
): { nominations: Int32Array; groups: Int32Array } {
  const own = new Int32Array(selected.length);
  for (let i = 0; i < selected.length; i += 1) own[i] = ofNomination[selected[i]!]!;
  if (!several) return { nominations: selected, groups: own };
  const { offsets } = several;
  let count = 0;
  for (const record of own) count += offsets[record + 1]! - offsets[record]!;
  const [nominations, groups] = [new Int32Array(count), new Int32Array(count)];
  let pair = 0;
  for (let i = 0; i < own.length; i += 1) {
    const record = own[i]!;
    for (let at = offsets[record]!; at < offsets[record + 1]!; at += 1) {
      nominations[pair] = selected[i]!;
      groups[pair++] = several.groups[at]!;
    }
  }
  return { nominations, groups };
}
