/**
 * Shards cut by id. A block is the records of one range of ids; a shard holds one block of one family. Here are the blocks that a
 * set of changes affects, and their shards from the database.
 */
import type { EnrichedResource } from '../../api/contract/enrichment.ts';
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import {
  blockFamilies,
  type BlockFamily,
  blockSpans,
  recordShardText,
  type Runs,
  type ShardOf,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { fold, isAscii } from '../../api/contract/text.ts';
import { IdColumn, lastNotAbove } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { restrictedBetween } from '../../data/enrich/restricted.ts';
import type { Connection } from '../../data/database/open.ts';
import {
  columnsBetween,
  occupiedBlocks,
  recordsBetween,
  type StoredRecordOf,
} from '../../data/record/records.ts';

/** A shard as a reader parses it, and the text of its file. */
export interface MadeShard {
  value: unknown;
  text: string;
}

export const jsonShard = (value: object): MadeShard => ({ value, text: `${JSON.stringify(value)}\n` });

/** A block and its shard. */
interface BlockShard {
  family: BlockFamily;
  key: number;
  /** undefined if the block has no record. */
  shard: MadeShard | undefined;
}

/** Makes the shards of a family: its resource, and the shard of the records with `from <= id < to`. */
interface Maker {
  resource: ResourceName;
  /** The fields that the shard is made from; undefined for all of them, and for a shard that is not made from the record alone. */
  fields?: readonly string[];
  shard: (connection: Connection, from: number, to: number) => MadeShard | undefined;
  /** Replaces the rows of some ids in the shard of the previous snapshot: to read a block takes longer. */
  update?: (connection: Connection, before: unknown, ids: readonly number[]) => MadeShard | undefined;
}

/** Ids, then the values of each member; an entry for each row. */
type Rows = [ids: number[], ...columns: unknown[][]];

/**
 * Shards of some columns of a resource.
 * @param members member of the shard → field of the record
 * @param derived what follows from the columns alone
 */
function columns<R extends ResourceName, S extends { id: Runs }, D extends keyof S = never>(
  resource: R,
  members: Readonly<Record<Exclude<keyof S, 'id' | D>, keyof StoredRecordOf[R] & string>>,
  derived?: (...columns: never[]) => Pick<S, D>,
): Maker {
  const [names, fields] = [Object.keys(members), Object.values<keyof StoredRecordOf[R] & string>(members)];
  const read = (connection: Connection, from: number, to: number): Rows => {
    const values = columnsBetween(connection, resource, fields, from, to);
    return [values.id as number[], ...fields.map((field) => values[field])];
  };
  const made = ([ids, ...values]: Rows): MadeShard | undefined => {
    const own = Object.fromEntries(names.map((name, i) => [name, values[i]]));
    return ids.length === 0
      ? undefined
      : jsonShard({ id: toRuns(ids), ...own, ...derived?.(...(values as never[])) });
  };
  return {
    resource,
    fields,
    shard: (connection, from, to) => made(read(connection, from, to)),
    update(connection, before, changed) {
      const shard = (before ?? { id: [] }) as { id: Runs } & Record<string, unknown[] | undefined>;
      const rows: Rows = [new IdColumn([shard]).ids, ...names.map((name) => [...(shard[name] ?? [])])];
      for (const id of changed) {
        const row = lastNotAbove(rows[0], id);
        const isKnown = rows[0][row] === id;
        const now = read(connection, id, id + 1);
        for (const [i, column] of rows.entries())
          (column as unknown[]).splice(isKnown ? row : row + 1, isKnown ? 1 : 0, ...now[i]!);
      }
      return made(rows);
    },
  };
}

/** The texts that are not ASCII, folded, by position. */
function foldedTexts(texts: readonly string[]): { folded: [position: number, text: string][] } {
  const folded: [number, string][] = [];
  for (const [row, text] of texts.entries()) if (!isAscii(text)) folded.push([row, fold(text)]);
  return { folded };
}

/** Shards of whole records. */
function records(resource: ReferencedResource): Maker {
  return {
    resource,
    shard(connection, from, to) {
      const records = recordsBetween(connection, resource, from, to).map((record) => JSON.stringify(record));
      return records.length === 0 ? undefined : { value: records, text: recordShardText(records) };
    },
  };
}

/** Shards of restricted fields. */
function restricted(resource: EnrichedResource): Maker {
  return {
    resource,
    shard(connection, from, to) {
      const ids = restrictedBetween(connection, resource, from, to);
      return ids && jsonShard(ids);
    },
  };
}

const makers: Record<BlockFamily, Maker> = {
  nominations: columns<'nominations', ShardOf['nominations']>('nominations', {
    ceremony: 'ceremony_id',
    category: 'category_id',
    movie: 'movie_id',
    nominee: 'nominee_id',
    song: 'song_id',
    winner: 'winner',
    entry: 'entry',
    official: 'official',
  }),
  details: columns<'nominations', ShardOf['details']>('nominations', {
    entry: 'entry',
    official: 'official',
    character: 'character',
    note: 'note',
    historical_category: 'historical_category',
    credited_as: 'credited_as',
  }),
  titles: columns<'movies', ShardOf['titles'], 'folded'>('movies', { text: 'title' }, foldedTexts),
  names: columns<'nominees', ShardOf['names'], 'folded'>('nominees', { text: 'name' }, foldedTexts),
  films: columns<'movies', ShardOf['films']>('movies', {
    genres: 'genres',
    countries: 'origin_country',
    moviedb_id: 'moviedb_id',
    filmindex_id: 'filmindex_id',
    release_date: 'release_date',
    runtime: 'runtime',
  }),
  people: columns<'nominees', ShardOf['people']>('nominees', {
    department: 'known_for_department',
    moviedb_person_id: 'moviedb_person_id',
    filmindex_id: 'filmindex_id',
    birthday: 'birthday',
  }),
  songs: columns<'songs', ShardOf['songs']>('songs', {
    title: 'original_title',
    artist: 'artist_names',
    year: 'streaming_year',
  }),
  honors: columns<'honors', ShardOf['honors']>('honors', {
    ceremony: 'ceremony_id',
    class: 'class',
    category: 'category',
    movie: 'movie_id',
    recipients: 'recipients',
    nominees: 'nominee_ids',
    citation: 'citation',
  }),
  'records/movies': records('movies'),
  'records/nominees': records('nominees'),
  'records/songs': records('songs'),
  'records/ceremonies': records('ceremonies'),
  'records/categories': records('categories'),
  'restricted/movies': restricted('movies'),
  'restricted/nominees': restricted('nominees'),
};

/** Changed records by id, each with the fields that changed; undefined if any field may have changed. */
export type ChangedRecords = ReadonlyMap<number, ReadonlySet<string> | undefined>;

/** What an incremental build starts from: the changed records, and the snapshot without the changes. */
export interface Difference {
  changed: ReadonlyMap<ResourceName, ChangedRecords>;
  before: Snapshot;
}

/** The shards that hold or held the changed fields of records. @param difference default every shard of every family */
export async function* blockShards(
  connection: Connection,
  difference?: Difference,
): AsyncGenerator<BlockShard> {
  for (const family of blockFamilies) {
    const span = blockSpans[family];
    const { resource, fields, shard, update } = makers[family];
    const whole = (key: number) => shard(connection, key * span, (key + 1) * span);
    if (difference === undefined)
      for (const key of occupiedBlocks(connection, resource, span)) yield { family, key, shard: whole(key) };
    const blocks = new Map<number, number[]>();
    for (const [id, own] of difference?.changed.get(resource) ?? []) {
      if (own && fields && !fields.some((field) => own.has(field))) continue;
      const key = Math.floor(id / span);
      blocks.set(key, [...(blocks.get(key) ?? []), id]);
    }
    for (const [key, ids] of blocks) {
      const before = update && (await difference!.before.block(family as keyof ShardOf, key));
      yield { family, key, shard: update ? update(connection, before, ids) : whole(key) };
    }
  }
}
