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
  type ShardOf,
  type TextShard,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { fold, isAscii } from '../../api/contract/text.ts';
import { IdColumn, lastNotAbove } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { restrictedBetween } from '../../data/enrich/restricted.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, occupiedBlocks, recordsBetween, type StoredRecordOf } from '../../data/records.ts';

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
  /** Updates the shard of the previous snapshot. Only changed rows are folded, which takes most of the time. */
  update?: (connection: Connection, block: ChangedBlock) => Promise<MadeShard | undefined>;
}

interface ChangedBlock {
  before: Snapshot;
  key: number;
  /** The ids of the records that were changed, added or removed. */
  ids: readonly number[];
}

/** Shards of some columns of a resource. */
function columns<R extends ResourceName, F extends keyof StoredRecordOf[R] & string, S extends object>(
  resource: R,
  fields: readonly F[],
  shard: (columns: { [Field in F | 'id']: StoredRecordOf[R][Field][] }) => S,
): Maker {
  return {
    resource,
    fields,
    shard(connection, from, to) {
      const values = columnsBetween(connection, resource, fields, from, to);
      return values.id.length === 0 ? undefined : jsonShard(shard(values));
    },
  };
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

/** A decoded shard of texts: arrays with one entry for each row. */
interface TextColumns {
  ids: number[];
  text: string[];
  /** undefined where the text is ASCII. */
  folded: (string | undefined)[];
}

const foldedOf = (text: string): string | undefined => (isAscii(text) ? undefined : fold(text));

/** @returns undefined without rows */
function textShard({ ids, text, folded }: TextColumns): MadeShard | undefined {
  if (ids.length === 0) return undefined;
  const notAscii: [number, string][] = [];
  for (const [row, value] of folded.entries()) if (value !== undefined) notAscii.push([row, value]);
  return jsonShard({ id: toRuns(ids), text, folded: notAscii } satisfies TextShard);
}

function textRows(shard: TextShard | undefined): TextColumns {
  if (shard === undefined) return { ids: [], text: [], folded: [] };
  const folded = new Array<string | undefined>(shard.text.length);
  for (const [row, value] of shard.folded) folded[row] = value;
  const { ids } = new IdColumn([shard]);
  return { ids, text: [...shard.text], folded };
}

/** Shards of the text of a resource. */
function texts<R extends ResourceName>(
  family: 'titles' | 'names',
  resource: R,
  field: keyof StoredRecordOf[R] & string,
): Maker {
  const read = (connection: Connection, from: number, to: number): TextColumns => {
    const columns = columnsBetween(connection, resource, [field], from, to);
    const text = columns[field] as string[];
    return { ids: columns.id, text, folded: text.map(foldedOf) };
  };
  return {
    resource,
    fields: [field],
    shard: (connection, from, to) => textShard(read(connection, from, to)),
    async update(connection, { before, key, ids }) {
      const rows = textRows(await before.block(family, key));
      for (const id of ids) {
        const row = lastNotAbove(rows.ids, id);
        const isKnown = rows.ids[row] === id;
        const now = read(connection, id, id + 1);
        const at = isKnown ? row : row + 1;
        for (const column of ['ids', 'text', 'folded'] as const)
          (rows[column] as unknown[]).splice(at, isKnown ? 1 : 0, ...now[column]);
      }
      return textShard(rows);
    },
  };
}

const makers: Record<BlockFamily, Maker> = {
  nominations: columns(
    'nominations',
    ['ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id', 'winner', 'entry', 'official'],
    (c): ShardOf['nominations'] => ({
      id: toRuns(c.id),
      ceremony: c.ceremony_id,
      category: c.category_id,
      movie: c.movie_id,
      nominee: c.nominee_id,
      song: c.song_id,
      winner: c.winner,
      entry: c.entry,
      official: c.official,
    }),
  ),
  details: columns(
    'nominations',
    ['entry', 'official', 'character', 'note', 'historical_category', 'credited_as'],
    (c): ShardOf['details'] => ({
      id: toRuns(c.id),
      entry: c.entry,
      official: c.official,
      character: c.character,
      note: c.note,
      historical_category: c.historical_category,
      credited_as: c.credited_as,
    }),
  ),
  titles: texts('titles', 'movies', 'title'),
  names: texts('names', 'nominees', 'name'),
  films: columns(
    'movies',
    ['genres', 'origin_country', 'moviedb_id', 'filmindex_id', 'release_date', 'runtime'],
    (c): ShardOf['films'] => ({
      id: toRuns(c.id),
      genres: c.genres,
      countries: c.origin_country,
      moviedb_id: c.moviedb_id,
      filmindex_id: c.filmindex_id,
      release_date: c.release_date,
      runtime: c.runtime,
    }),
  ),
  people: columns(
    'nominees',
    ['known_for_department', 'moviedb_person_id', 'filmindex_id', 'birthday'],
    (c): ShardOf['people'] => ({
      id: toRuns(c.id),
      department: c.known_for_department,
      moviedb_person_id: c.moviedb_person_id,
      filmindex_id: c.filmindex_id,
      birthday: c.birthday,
    }),
  ),
  songs: columns('songs', ['original_title', 'artist_names', 'streaming_year'], (c): ShardOf['songs'] => ({
    id: toRuns(c.id),
    title: c.original_title,
    artist: c.artist_names,
    year: c.streaming_year,
  })),
  honors: columns(
    'honors',
    ['ceremony_id', 'class', 'category', 'movie_id', 'recipients', 'nominee_ids', 'citation'],
    (c): ShardOf['honors'] => ({
      id: toRuns(c.id),
      ceremony: c.ceremony_id,
      class: c.class,
      category: c.category,
      movie: c.movie_id,
      recipients: c.recipients,
      nominees: c.nominee_ids,
      citation: c.citation,
    }),
  ),
  'records/movies': records('movies'),
  'records/nominees': records('nominees'),
  'records/songs': records('songs'),
  'records/ceremonies': records('ceremonies'),
  'records/categories': records('categories'),
  'restricted/movies': restricted('movies'),
  'restricted/nominees': restricted('nominees'),
};

/** Every shard of every family. */
export function* allBlocks(connection: Connection): Generator<BlockShard> {
  for (const family of blockFamilies)
    for (const key of occupiedBlocks(connection, makers[family].resource, blockSpans[family]))
      yield makeShard(connection, family, key);
}

/** Changed records by id, each with the fields that changed; undefined if any field may have changed. */
export type ChangedRecords = ReadonlyMap<number, ReadonlySet<string> | undefined>;

/** The shards that hold or held the changed fields of records. @param before the snapshot without the changes */
export async function* affectedBlocks(
  connection: Connection,
  changed: ReadonlyMap<ResourceName, ChangedRecords>,
  before: Snapshot,
): AsyncGenerator<BlockShard> {
  for (const family of blockFamilies) {
    const { resource, fields, update } = makers[family];
    const blocks = new Map<number, number[]>();
    for (const [id, own] of changed.get(resource) ?? []) {
      if (own && fields && !fields.some((field) => own.has(field))) continue;
      const key = Math.floor(id / blockSpans[family]);
      const ids = blocks.get(key);
      if (ids) ids.push(id);
      else blocks.set(key, [id]);
    }
    for (const [key, ids] of blocks)
      if (update) yield { family, key, shard: await update(connection, { before, key, ids }) };
      else yield makeShard(connection, family, key);
  }
}

function makeShard(connection: Connection, family: BlockFamily, key: number): BlockShard {
  const from = key * blockSpans[family];
  return { family, key, shard: makers[family].shard(connection, from, from + blockSpans[family]) };
}
