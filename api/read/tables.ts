/** The tables of a snapshot: columns with one row per record, in ascending id order. Tables are immutable. */
import {
  type CategoryShard,
  type CeremonyShard,
  type CountryShard,
  type DetailShard,
  type EntryShard,
  type FilmShard,
  fromDifferences,
  type HonorShard,
  type NominationShard,
  type PersonShard,
  type Repeats,
  type SongShard,
  type Tags,
  type TextShard,
} from '../contract/snapshot.ts';
import { tokens } from '../contract/text.ts';
import { SnapshotUnavailable } from './source.ts';
import { concatenate, IdColumn, joinPlain, joinRepeats, Postings } from './columns.ts';
import { TextColumn } from './text-column.ts';

/** The texts of a shard, folded where they are not ASCII: the shard has those. */
function foldedTexts({ text, folded }: TextShard): readonly string[] {
  if (folded.length === 0) return text;
  const texts = text.slice();
  for (const [position, value] of folded) texts[position] = value;
  return texts;
}

/** Films by title, or nominees by name. */
export class TextTable extends IdColumn {
  readonly text: TextColumn;
  /** Number of distinct words of each text. */
  readonly words: readonly number[];

  constructor(shards: readonly TextShard[]) {
    super(shards);
    this.text = new TextColumn(
      concatenate(shards, (shard) => shard.text),
      () => concatenate(shards, foldedTexts),
    );
    this.words = concatenate(shards, (shard) => shard.words);
  }
}

/** A column in which -1 stands for null. @throws SnapshotUnavailable if earlier code has made the shards, without the column */
function nullable(columns: readonly (Repeats | undefined)[], count: number): (number | null)[] {
  const whole = columns.filter((column) => column !== undefined);
  if (whole.length < columns.length) throw new SnapshotUnavailable('a column is not built yet');
  return Array.from(joinRepeats(whole, new Float64Array(count)), (value) => (value < 0 ? null : value));
}

/** A column of lists of texts, such as the genres of films. */
export class TagColumn {
  readonly #count: number;
  /** Folded value → its spelling in the first record that has it, and one byte per record. */
  readonly #tags = new Map<string, { text: string; flags: Uint8Array }>();

  /** @param tags of each shard, with the number of its records */
  constructor(tags: readonly { tags: Tags; count: number }[]) {
    this.#count = tags.reduce((sum, { count }) => sum + count, 0);
    let first = 0;
    for (const { tags: own, count } of tags) {
      for (const [folded, positions, text] of own) {
        const tag = this.#tags.get(folded) ?? { text, flags: new Uint8Array(this.#count) };
        this.#tags.set(folded, tag);
        for (const position of fromDifferences(positions)) tag.flags[first + position] = 1;
      }
      first += count;
    }
  }

  /** The folded values of all records with their spellings, in no particular order. */
  get texts(): [folded: string, text: string][] {
    return [...this.#tags].map(([folded, { text }]) => [folded, text]);
  }

  /** One byte per record, 1 for records with this folded value. Read-only. */
  with(folded: string): Uint8Array {
    return this.#tags.get(folded)?.flags ?? new Uint8Array(this.#count);
  }
}

export class FilmTable extends IdColumn {
  readonly genres: TagColumn;
  readonly moviedbId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];

  readonly #releaseDates: readonly Repeats[];
  readonly #runtimes: readonly Repeats[];

  constructor(shards: readonly FilmShard[]) {
    super(shards);
    this.#releaseDates = shards.map((shard) => shard.release_date);
    this.#runtimes = shards.map((shard) => shard.runtime);
    this.moviedbId = concatenate(shards, (shard) => shard.moviedb_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
    this.genres = new TagColumn(
      shards.map(({ genres, filmindex_id }) => ({ tags: genres, count: filmindex_id.length })),
    );
  }

  /** Release dates as YYYYMMDD. @throws SnapshotUnavailable */
  releaseDates(): (number | null)[] {
    return nullable(this.#releaseDates, this.count);
  }

  /** Minutes. @throws SnapshotUnavailable */
  runtimes(): (number | null)[] {
    return nullable(this.#runtimes, this.count);
  }
}

/** The countries of origin of films. */
export class CountryTable extends IdColumn {
  readonly countries: TagColumn;

  constructor(shards: readonly CountryShard[]) {
    super(shards);
    this.countries = new TagColumn(
      shards.map((shard) => ({ tags: shard.countries, count: new IdColumn([shard]).count })),
    );
  }
}

export class PersonTable extends IdColumn {
  readonly department: TextColumn;
  readonly moviedbPersonId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];
  readonly #birthdays: readonly Repeats[];
  #persons: Uint8Array | undefined;

  constructor(shards: readonly PersonShard[]) {
    super(shards);
    this.#birthdays = shards.map((shard) => shard.birthday);
    this.department = new TextColumn(concatenate(shards, (shard) => shard.department));
    this.moviedbPersonId = concatenate(shards, (shard) => shard.moviedb_person_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
  }

  /** Birthdays as YYYYMMDD. @throws SnapshotUnavailable */
  birthdays(): (number | null)[] {
    return nullable(this.#birthdays, this.count);
  }

  /** One byte per nominee, 1 for people and 0 for companies and countries. */
  persons(): Uint8Array {
    this.#persons ??= Uint8Array.from(this.filmindexId, (id, row) =>
      (id === null ? this.department.values[row] !== null : !id.startsWith('co')) ? 1 : 0,
    );
    return this.#persons;
  }
}

export class SongTable extends IdColumn {
  readonly title: TextColumn;
  readonly artist: TextColumn;
  readonly year: readonly (number | null)[];

  constructor(shards: readonly SongShard[]) {
    super(shards);
    this.title = new TextColumn(concatenate(shards, (shard) => shard.title));
    this.artist = new TextColumn(concatenate(shards, (shard) => shard.artist));
    this.year = concatenate(shards, (shard) => shard.year);
  }
}

export class CeremonyTable extends IdColumn {
  readonly year: readonly number[];

  constructor(shards: readonly CeremonyShard[]) {
    super(shards);
    this.year = concatenate(shards, (shard) => shard.year);
  }
}

export class CategoryTable extends IdColumn {
  readonly name: TextColumn;
  readonly group: TextColumn;
  /** The words of each name, with repeats. */
  readonly tokens: readonly (readonly string[])[];

  constructor(shards: readonly CategoryShard[]) {
    super(shards);
    const names = concatenate(shards, (shard) => shard.name);
    this.name = new TextColumn(names);
    this.group = new TextColumn(concatenate(shards, (shard) => shard.group));
    this.tokens = names.map(tokens);
  }
}

/** The tables that nominations refer to. */
export interface ReferencedTables {
  ceremonies: CeremonyTable;
  categories: CategoryTable;
  titles: TextTable;
  names: TextTable;
  songs: SongTable;
}

type ReferenceName = 'ceremony' | 'category' | 'movie' | 'nominee' | 'song';

/** Searching more rows takes longer than the postings of all. */
const maxSearched = 256;

/** The positions of a value, ascending. */
function positionsOf(value: number, values: Int32Array): number[] {
  const positions: number[] = [];
  for (let at = values.indexOf(value); at >= 0; at = values.indexOf(value, at + 1)) positions.push(at);
  return positions;
}

/** A column of references from nominations to the rows of another table. Computed at first use. */
export class References {
  readonly #shards: readonly NominationShard[];
  readonly #name: ReferenceName;
  /** Number of nominations. */
  readonly #count: number;
  readonly table: IdColumn;
  #rows: Int32Array | undefined;
  #postings: Postings | undefined;
  /** Rows of the other table that nominationsOf() has searched. */
  #searched = 0;

  constructor(shards: readonly NominationShard[], name: ReferenceName, count: number, table: IdColumn) {
    this.#shards = shards;
    this.#name = name;
    this.#count = count;
    this.table = table;
  }

  /**
   * The references of the next snapshot. Reuses the rows and postings if the references are the same and the other table
   * has at most new rows at the end.
   * @param table the other table in that snapshot
   */
  next(shards: readonly NominationShard[], count: number, table: IdColumn): References {
    const next = new References(shards, this.#name, count, table);
    if (count !== this.#count || !table.extends(this.table) || !this.#isSameIn(shards)) return next;
    if (table.count === this.table.count) return this;
    next.#rows = this.#rows;
    next.#postings = this.#postings?.extendedTo(table.count);
    return next;
  }

  /** Whether shards have the same references. Unchanged shards are the same object in every snapshot. */
  #isSameIn(shards: readonly NominationShard[]): boolean {
    return (
      shards.length === this.#shards.length &&
      shards.every((shard, i) => {
        const own = this.#shards[i]!;
        return shard === own || sameValues(shard[this.#name], own[this.#name]);
      })
    );
  }

  /** For each nomination the row it refers to, -1 for none. */
  get rows(): Int32Array {
    this.#rows ??= this.table.toRows(this.#values());
    return this.#rows;
  }

  /** For each row of the other table the nominations that refer to it. */
  get postings(): Postings {
    this.#postings ??= Postings.of(this.rows, this.table.count);
    return this.#postings;
  }

  /**
   * The nominations that refer to a row, ascending. The first rows are searched one by one, which takes less time than the
   * postings of all rows: at the edge, most processes answer one request.
   */
  nominationsOf(row: number): Int32Array | number[] {
    this.#searched += 1;
    return this.#postings || this.#searched > maxSearched
      ? this.postings.of(row)
      : positionsOf(row, this.rows);
  }

  /** The number of nominations that refer to a row. */
  countOf(row: number): number {
    return this.#postings ? this.#postings.count(row) : this.nominationsOf(row).length;
  }

  #values(): Int32Array | Float64Array {
    const columns = this.#shards.map((shard) => shard[this.#name]);
    const small = this.table.count === 0 || this.table.id(this.table.count - 1) < 2 ** 31;
    const values = small ? new Int32Array(this.#count) : new Float64Array(this.#count);
    return this.#name === 'movie' || this.#name === 'nominee'
      ? joinPlain(columns, values)
      : joinRepeats(columns, values);
  }
}

export class HonorTable extends IdColumn {
  readonly ceremony: Float64Array;
  readonly class: readonly string[];
  readonly category: TextColumn;
  readonly movie: readonly (number | null)[];
  readonly recipients: TextColumn;
  readonly nominees: readonly (readonly number[])[];
  readonly citation: readonly (string | null)[];

  constructor(shards: readonly HonorShard[]) {
    super(shards);
    const ceremonies = shards.map(({ ceremony }) => ceremony);
    this.ceremony = joinRepeats(ceremonies, new Float64Array(this.count));
    this.class = concatenate(shards, (shard) => shard.class);
    this.category = new TextColumn(concatenate(shards, (shard) => shard.category));
    this.movie = concatenate(shards, (shard) => shard.movie);
    this.recipients = new TextColumn(concatenate(shards, (shard) => shard.recipients));
    this.nominees = concatenate(shards, (shard) => shard.nominees);
    this.citation = concatenate(shards, (shard) => shard.citation);
  }
}

/** Entries and official flags, in the rows of the nominations. */
export class EntryTable extends IdColumn {
  /** Number within ceremony and category, 0 for none. */
  readonly entry: Float64Array;
  readonly official: Uint8Array;

  constructor(shards: readonly EntryShard[]) {
    super(shards);
    const [entries, flags] = [shards.map(({ entry }) => entry), shards.map(({ official }) => official)];
    this.entry = joinPlain(entries, new Float64Array(this.count));
    this.official = joinRepeats(flags, new Uint8Array(this.count));
  }
}

/** One shard of details. */
export class DetailBlock extends IdColumn {
  readonly character: readonly (string | null)[];
  readonly note: readonly (string | null)[];
  readonly #category: Int32Array;
  readonly #names: readonly (string | null)[];

  constructor(shard: DetailShard) {
    super([shard]);
    this.character = shard.character;
    this.note = shard.note;
    this.#category = joinRepeats([shard.category], new Int32Array(this.count));
    this.#names = shard.names;
  }

  historicalCategory(row: number): string | null {
    return this.#names[this.#category[row]!]!;
  }
}

/** The families a nomination table is made from. */
export const nominationFamilies = [
  'nominations',
  'titles',
  'names',
  'songs',
  'ceremonies',
  'categories',
] as const;

export class NominationTable extends IdColumn {
  readonly ceremonies: CeremonyTable;
  readonly categories: CategoryTable;
  readonly titles: TextTable;
  readonly names: TextTable;
  readonly songs: SongTable;
  readonly ceremony: References;
  readonly category: References;
  readonly movie: References;
  readonly nominee: References;
  readonly song: References;
  readonly winner: Uint8Array;
  /** Cache of nominations as JSON, by row; see `nominationText`. */
  readonly texts: (string | undefined)[];

  /** @param before the table of the previous snapshot, whose valid parts are reused */
  constructor(shards: readonly NominationShard[], tables: ReferencedTables, before?: NominationTable) {
    super(shards);
    this.ceremonies = tables.ceremonies;
    this.categories = tables.categories;
    this.titles = tables.titles;
    this.names = tables.names;
    this.songs = tables.songs;
    const reused = before !== undefined && this.extends(before) ? before : undefined;
    const references = (name: ReferenceName, table: IdColumn) =>
      reused?.[name].next(shards, this.count, table) ?? new References(shards, name, this.count, table);
    this.ceremony = references('ceremony', this.ceremonies);
    this.category = references('category', this.categories);
    this.movie = references('movie', this.titles);
    this.nominee = references('nominee', this.names);
    this.song = references('song', this.songs);
    this.winner = joinRepeats(
      shards.map((shard) => shard.winner),
      new Uint8Array(this.count),
    );
    this.texts = (reused && this.#validTexts(reused)) ?? new Array<string | undefined>(this.count);
  }

  /** The texts of the previous table that are still valid; undefined if rows of a referenced table moved. */
  #validTexts(before: NominationTable): (string | undefined)[] | undefined {
    const names = Object.keys(shownValues) as ReferenceName[];
    if (names.some((name) => !this[name].table.extends(before[name].table))) return undefined;
    const texts = before.texts.slice();
    texts.length = this.count;
    const drop = (row: number) => {
      texts[row] = undefined;
    };
    for (const name of names) {
      const [now, old] = [this[name], before[name]];
      const [values, oldValues] = [shownValues[name](this), shownValues[name](before)];
      if (now.rows !== old.rows) eachDifference(old.rows, now.rows, drop);
      if (values !== oldValues)
        eachDifference(oldValues, values, (row) => old.postings.of(row).forEach(drop));
    }
    eachDifference(before.winner, this.winner, drop);
    return texts;
  }
}

/** Reference → the values of the other table that nominations show. */
const shownValues: Record<ReferenceName, (table: NominationTable) => readonly unknown[]> = {
  movie: ({ titles }) => titles.text.values,
  nominee: ({ names }) => names.text.values,
  song: ({ songs }) => songs.title.values,
  category: ({ categories }) => categories.name.values,
  ceremony: ({ ceremonies }) => ceremonies.year,
};

const sameValues = (one: ArrayLike<unknown>, other: ArrayLike<unknown>): boolean => {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false;
  return true;
};

/** Calls with every row of a column whose value differs in a later column, which can have more rows. */
function eachDifference(
  column: ArrayLike<unknown>,
  later: ArrayLike<unknown>,
  call: (row: number) => void,
): void {
  for (let row = 0; row < column.length; row += 1) if (column[row] !== later[row]) call(row);
}
