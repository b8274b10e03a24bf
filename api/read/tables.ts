/** The tables of a snapshot: columns with one row per record, in ascending id order. Tables are immutable. */
import { categoryNamed } from '../contract/category-names.ts';
import type { ResourceName } from '../contract/names.ts';
import { isPerson } from '../contract/people.ts';
import type {
  CoreShard,
  DetailShard,
  FilmShard,
  HonorShard,
  PersonShard,
  SongShard,
  TextShard,
} from '../contract/snapshot.ts';
import { concatenate, IdColumn, TagColumn, TextColumn } from './columns.ts';

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

  constructor(shards: readonly TextShard[]) {
    super(shards);
    this.text = new TextColumn(
      concatenate(shards, (shard) => shard.text),
      () => concatenate(shards, foldedTexts),
    );
  }
}

export class FilmTable extends IdColumn {
  readonly genres: TagColumn;
  /** Of origin. */
  readonly countries: TagColumn;
  readonly moviedbId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];
  readonly releaseDate: readonly (string | null)[];
  /** Minutes. */
  readonly runtime: readonly (number | null)[];

  constructor(shards: readonly FilmShard[]) {
    super(shards);
    this.releaseDate = concatenate(shards, (shard) => shard.release_date);
    this.runtime = concatenate(shards, (shard) => shard.runtime);
    this.moviedbId = concatenate(shards, (shard) => shard.moviedb_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
    this.genres = new TagColumn(concatenate(shards, (shard) => shard.genres));
    this.countries = new TagColumn(concatenate(shards, (shard) => shard.countries));
  }
}

export class PersonTable extends IdColumn {
  readonly department: TextColumn;
  readonly moviedbPersonId: readonly (number | null)[];
  readonly filmindexId: readonly (string | null)[];
  readonly birthday: readonly (string | null)[];
  #persons: Uint8Array | undefined;

  constructor(shards: readonly PersonShard[]) {
    super(shards);
    this.birthday = concatenate(shards, (shard) => shard.birthday);
    this.department = new TextColumn(concatenate(shards, (shard) => shard.department));
    this.moviedbPersonId = concatenate(shards, (shard) => shard.moviedb_person_id);
    this.filmindexId = concatenate(shards, (shard) => shard.filmindex_id);
  }

  /** One byte per nominee, 1 for people and 0 for companies and countries. */
  persons(): Uint8Array {
    this.#persons ??= Uint8Array.from(this.filmindexId, (id, row) =>
      isPerson(id, this.department.values[row]!) ? 1 : 0,
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
  readonly columns: CoreShard['ceremonies'];
  readonly year: readonly number[];

  constructor({ ids, ceremonies }: CoreShard) {
    super([{ id: ids.ceremonies }]);
    this.columns = ceremonies;
    this.year = ceremonies.year;
  }

  /** Rows, the newest ceremony first. 1930 had two: the later number is the newer one. @param rows default all */
  newestFirst(rows: ArrayLike<number> = this.year.map((_, row) => row)): number[] {
    return Array.from(rows).sort((a, b) => this.year[b]! - this.year[a]! || b - a);
  }
}

/** Names of categories, with a search that knows their earlier and common names. */
class KnownNames extends TextColumn {
  /** Rows whose name contains a text; where none does, those of the category that it names otherwise, such as "best actor". */
  override rowsContaining(text: string): number[] {
    const rows = super.rowsContaining(text);
    const category = rows.length > 0 ? undefined : categoryNamed(text);
    if (category === undefined) return rows;
    return this.values.flatMap((name, row) => (categoryNamed(name!) === category ? [row] : []));
  }
}

export class CategoryTable extends IdColumn {
  readonly name: TextColumn;
  readonly knownName: TextColumn;
  readonly group: TextColumn;

  constructor({ ids, categories: { name, group } }: CoreShard) {
    super([{ id: ids.categories }]);
    this.name = new TextColumn(name);
    this.knownName = new KnownNames(name);
    this.group = new TextColumn(group);
  }
}

/** The ids of the records of each resource. */
export type IdColumns = Readonly<Record<ResourceName, IdColumn>>;

export const idColumns = ({ ids }: CoreShard): IdColumns =>
  Object.fromEntries(
    Object.entries(ids).map(([resource, id]) => [resource, new IdColumn([{ id }])]),
  ) as IdColumns;

export class HonorTable extends IdColumn {
  /** Ids. */
  readonly ceremony: readonly number[];
  readonly class: readonly string[];
  readonly category: TextColumn;
  readonly movie: readonly (number | null)[];
  readonly recipients: TextColumn;
  readonly nominees: readonly (readonly number[])[];
  readonly citation: readonly (string | null)[];

  constructor(shards: readonly HonorShard[]) {
    super(shards);
    this.ceremony = concatenate(shards, (shard) => shard.ceremony);
    this.class = concatenate(shards, (shard) => shard.class);
    this.category = new TextColumn(concatenate(shards, (shard) => shard.category));
    this.movie = concatenate(shards, (shard) => shard.movie);
    this.recipients = new TextColumn(concatenate(shards, (shard) => shard.recipients));
    this.nominees = concatenate(shards, (shard) => shard.nominees);
    this.citation = concatenate(shards, (shard) => shard.citation);
  }
}

/** What nominations say besides, for searching. */
export class CreditTable extends IdColumn {
  readonly creditedAs: TextColumn;
  readonly note: TextColumn;

  constructor(shards: readonly DetailShard[]) {
    super(shards);
    this.creditedAs = new TextColumn(concatenate(shards, (shard) => shard.credited_as));
    this.note = new TextColumn(concatenate(shards, (shard) => shard.note));
  }
}
