/**
 * The columns of a snapshot in the form queries want them: one row per record in ascending id order, references resolved to
 * rows, postings from each film, nominee, category and song to its nominations. Built once per snapshot, then only read.
 */
import type {
  CategoryShard,
  CeremonyShard,
  FilmShard,
  NominationShard,
  PersonShard,
  SongShard,
  TextShard,
} from '../contract/snapshot.ts';
import { fromDifferences } from '../contract/snapshot.ts';
import { tokens } from '../contract/text.ts';
import { concatenate, IdColumn, joinPlain, joinRepeats, Postings, TextColumn } from './columns.ts';

/** The folded texts of a shard: those that are not ASCII come with it, and one call lower-cases all the others. */
function foldedTexts({ text, folded }: TextShard): string[] {
  const lower = text.join('\0').toLowerCase().split('\0');
  for (const [position, value] of folded) lower[position] = value;
  return text.length === 0 ? [] : lower;
}

/** Films by title, or nominees by name. */
export class TextTable extends IdColumn {
  readonly text: TextColumn;
  /** How many different words each text has. */
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

export class FilmTable extends IdColumn {
  /** The films of each folded genre, one byte per film. */
  readonly #genres = new Map<string, Uint8Array>();
  readonly moviedbId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];

  constructor(shards: readonly FilmShard[]) {
    super(shards);
    this.moviedbId = concatenate(shards, (shard) => shard.moviedb_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
    let first = 0;
    for (const shard of shards) {
      for (const [genre, positions] of shard.genres) {
        const flags = this.#genres.get(genre) ?? new Uint8Array(this.count);
        this.#genres.set(genre, flags);
        for (const position of fromDifferences(positions)) flags[first + position] = 1;
      }
      first += shard.filmindex_id.length;
    }
  }

  /** The folded genres of all films, in no particular order. */
  get genres(): Iterable<string> {
    return this.#genres.keys();
  }

  /** One byte per film, 1 for those with a genre that equals the folded one; not to be changed. */
  withGenre(genre: string): Uint8Array {
    return this.#genres.get(genre) ?? new Uint8Array(this.count);
  }
}

export class PersonTable extends IdColumn {
  readonly department: TextColumn;
  readonly moviedbPersonId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];
  #persons: Uint8Array | undefined;

  constructor(shards: readonly PersonShard[]) {
    super(shards);
    this.department = new TextColumn(concatenate(shards, (shard) => shard.department));
    this.moviedbPersonId = concatenate(shards, (shard) => shard.moviedb_person_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
  }

  /** One byte per nominee, 1 for people: companies and countries are not ranked among them. */
  persons(): Uint8Array {
    if (this.#persons === undefined) {
      this.#persons = new Uint8Array(this.count);
      for (let row = 0; row < this.count; row += 1) {
        const id = this.filmindexId[row] ?? null;
        const person = id === null ? this.department.values[row] !== null : !id.startsWith('co');
        if (person) this.#persons[row] = 1;
      }
    }
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
  /** The words of each name, repeated as often as they stand there. */
  readonly tokens: readonly (readonly string[])[];

  constructor(shards: readonly CategoryShard[]) {
    super(shards);
    const names = concatenate(shards, (shard) => shard.name);
    this.name = new TextColumn(names);
    this.group = new TextColumn(concatenate(shards, (shard) => shard.group));
    this.tokens = names.map(tokens);
  }
}

/** The tables nominations refer to. */
export interface ReferencedTables {
  ceremonies: CeremonyTable;
  categories: CategoryTable;
  titles: TextTable;
  names: TextTable;
  songs: SongTable;
}

type ReferenceName = 'ceremony' | 'category' | 'movie' | 'nominee' | 'song';

/** A column of references from nominations to the rows of another table. */
export class References {
  readonly #shards: readonly NominationShard[];
  readonly #name: ReferenceName;
  readonly #count: number;
  readonly #table: IdColumn;
  #rows: Int32Array | undefined;
  #postings: Postings | undefined;

  constructor(shards: readonly NominationShard[], name: ReferenceName, count: number, table: IdColumn) {
    this.#shards = shards;
    this.#name = name;
    this.#count = count;
    this.#table = table;
  }

  /** For each nomination the row it refers to, -1 for none. */
  get rows(): Int32Array {
    this.#rows ??= this.#table.toRows(this.#values());
    return this.#rows;
  }

  /** For each row of the other table the nominations that refer to it. */
  get postings(): Postings {
    this.#postings ??= new Postings(this.rows, this.#table.count);
    return this.#postings;
  }

  #values(): Int32Array | Float64Array {
    const columns = this.#shards.map((shard) => shard[this.#name]);
    const small = this.#table.count === 0 || this.#table.id(this.#table.count - 1) < 2 ** 31;
    const values = small ? new Int32Array(this.#count) : new Float64Array(this.#count);
    return this.#name === 'movie' || this.#name === 'nominee'
      ? joinPlain(columns, values)
      : joinRepeats(columns, values);
  }
}

/** All nominations. What they refer to is worked out column by column, when a query first needs it. */
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
  /** Nominations as lists show them, by row, as far as they were asked for; see documents.ts. */
  readonly texts: (string | undefined)[];
  readonly #shards: readonly NominationShard[];

  /** @param before the table of the snapshot in force until now: what holds still is taken over */
  constructor(shards: readonly NominationShard[], tables: ReferencedTables, before?: NominationTable) {
    super(shards);
    this.#shards = shards;
    this.ceremonies = tables.ceremonies;
    this.categories = tables.categories;
    this.titles = tables.titles;
    this.names = tables.names;
    this.songs = tables.songs;
    // A shard that is kept is the same object for every snapshot that has it.
    const same =
      before !== undefined &&
      shards.length === before.#shards.length &&
      shards.every((shard, i) => shard === before.#shards[i]);
    const references = (name: ReferenceName, table: IdColumn, own: References | undefined, old?: IdColumn) =>
      same && own && old && table.hasSameIds(old) ? own : new References(shards, name, this.count, table);
    this.ceremony = references('ceremony', this.ceremonies, before?.ceremony, before?.ceremonies);
    this.category = references('category', this.categories, before?.category, before?.categories);
    this.movie = references('movie', this.titles, before?.movie, before?.titles);
    this.nominee = references('nominee', this.names, before?.nominee, before?.names);
    this.song = references('song', this.songs, before?.song, before?.songs);
    this.winner = same
      ? before.winner
      : joinRepeats(
          shards.map((shard) => shard.winner),
          new Uint8Array(this.count),
        );
    this.texts = (same && this.#textsOf(before)) || new Array<string | undefined>(this.count);
  }

  /** The texts of the same nominations, less those that show something else by now; undefined where ids moved. */
  #textsOf(before: NominationTable): (string | undefined)[] | undefined {
    const shown = [
      [this.movie, before.movie, this.titles.text.values, before.titles.text.values],
      [this.nominee, before.nominee, this.names.text.values, before.names.text.values],
      [this.song, before.song, this.songs.title.values, before.songs.title.values],
      [this.category, before.category, this.categories.name.values, before.categories.name.values],
      [this.ceremony, before.ceremony, this.ceremonies.year, before.ceremonies.year],
    ] as const;
    if (shown.some(([references, old]) => references !== old)) return undefined;
    const texts = before.texts.slice();
    for (const [references, , values, old] of shown) {
      if (values === old) continue;
      for (const [row, value] of values.entries())
        if (value !== old[row])
          for (const nomination of references.postings.of(row)) texts[nomination] = undefined;
    }
    return texts;
  }
}
