/** Shards cut by id: the blocks that a set of changes affects, and their texts from the database. */
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import type { RecordOf } from '../../api/contract/resources.ts';
import {
  type BlockFamily,
  blockFamilies,
  blockSpans,
  recordShardText,
  type ShardOf,
  type TextShard,
  toDifferences,
  toRepeats,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { byCodeUnit, fold, isAscii, tokens } from '../../api/contract/text.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, nominationsBetween, occupiedBlocks, recordsBetween } from '../../data/records.ts';

/** The text of one shard; undefined if the block has no record. */
export interface BlockShard {
  family: BlockFamily;
  key: number;
  text: string | undefined;
}

/** Makes the shards of a family: its resource, and the text of the records with `from <= id < to`. */
interface Maker {
  resource: ResourceName;
  text: (connection: Connection, from: number, to: number) => string | undefined;
}

/** Shards of some columns of a resource. */
function columns<R extends ReferencedResource, C extends keyof RecordOf[R] & string, S>(
  resource: R,
  names: readonly C[],
  shard: (rows: Pick<RecordOf[R], C | ('id' & keyof RecordOf[R])>[]) => S,
): Maker {
  return {
    resource,
    text(connection, from, to) {
      const rows = columnsBetween(connection, resource, ['id', ...names], from, to);
      return rows.length === 0 ? undefined : `${JSON.stringify(shard(rows as never))}\n`;
    },
  };
}

/** Shards of whole records. */
function records(resource: ReferencedResource): Maker {
  return {
    resource,
    text(connection, from, to) {
      const rows = recordsBetween(connection, resource, from, to);
      return rows.length === 0 ? undefined : recordShardText(rows.map((row) => JSON.stringify(row)));
    },
  };
}

const ids = (rows: readonly { id: number }[]): number[] => toRuns(rows.map((row) => row.id));

function textShard(rows: readonly { id: number }[], text: readonly string[]): TextShard {
  return {
    id: ids(rows),
    text,
    folded: text.flatMap((value, position) => (isAscii(value) ? [] : [[position, fold(value)] as const])),
    words: text.map((value) => new Set(tokens(value)).size),
  };
}

/** Each folded genre with the positions that have it, ascending by genre. */
function genrePositions(genres: readonly (readonly string[])[]): ShardOf['films']['genres'] {
  const positions = new Map<string, number[]>();
  for (const [position, own] of genres.entries()) {
    for (const genre of new Set(own.map(fold))) {
      const others = positions.get(genre);
      if (others) others.push(position);
      else positions.set(genre, [position]);
    }
  }
  return [...positions]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([genre, ascending]) => [genre, toDifferences(ascending)] as const);
}

const makers: Record<BlockFamily, Maker> = {
  nominations: { resource: 'nominations', text: nominationText },
  titles: columns('movies', ['title'], (rows): ShardOf['titles'] =>
    textShard(
      rows,
      rows.map((row) => row.title),
    ),
  ),
  names: columns('nominees', ['name'], (rows): ShardOf['names'] =>
    textShard(
      rows,
      rows.map((row) => row.name),
    ),
  ),
  films: columns('movies', ['genres', 'moviedb_id', 'filmindex_id'], (rows): ShardOf['films'] => ({
    id: ids(rows),
    genres: genrePositions(rows.map((row) => row.genres)),
    moviedb_id: rows.map((row) => row.moviedb_id),
    filmindex_id: rows.map((row) => row.filmindex_id),
  })),
  people: columns(
    'nominees',
    ['known_for_department', 'moviedb_person_id', 'filmindex_id'],
    (rows): ShardOf['people'] => ({
      id: ids(rows),
      department: rows.map((row) => row.known_for_department),
      moviedb_person_id: rows.map((row) => row.moviedb_person_id),
      filmindex_id: rows.map((row) => row.filmindex_id),
    }),
  ),
  songs: columns('songs', ['original_title', 'artist_names', 'streaming_year'], (rows): ShardOf['songs'] => ({
    id: ids(rows),
    title: rows.map((row) => row.original_title),
    artist: rows.map((row) => row.artist_names),
    year: rows.map((row) => row.streaming_year),
  })),
  ceremonies: columns('ceremonies', ['ceremony_year'], (rows): ShardOf['ceremonies'] => ({
    id: ids(rows),
    year: rows.map((row) => row.ceremony_year),
  })),
  categories: columns('categories', ['category_name', 'category_group'], (rows): ShardOf['categories'] => ({
    id: ids(rows),
    name: rows.map((row) => row.category_name),
    group: rows.map((row) => row.category_group),
  })),
  'records/movies': records('movies'),
  'records/nominees': records('nominees'),
  'records/songs': records('songs'),
  'records/ceremonies': records('ceremonies'),
  'records/categories': records('categories'),
};

/** Every shard of every family. */
export function* allBlocks(connection: Connection): Generator<BlockShard> {
  for (const family of blockFamilies)
    for (const key of occupiedBlocks(connection, makers[family].resource, blockSpans[family]))
      yield makeShard(connection, family, key);
}

/** The shards that hold or held the changed records of each resource. */
export function* affectedBlocks(
  connection: Connection,
  changed: ReadonlyMap<ResourceName, ReadonlySet<number>>,
): Generator<BlockShard> {
  for (const family of blockFamilies) {
    const affected = changed.get(makers[family].resource) ?? new Set();
    const keys = new Set([...affected].map((id) => Math.floor(id / blockSpans[family])));
    for (const key of keys) yield makeShard(connection, family, key);
  }
}

function makeShard(connection: Connection, family: BlockFamily, key: number): BlockShard {
  const from = key * blockSpans[family];
  return { family, key, text: makers[family].text(connection, from, from + blockSpans[family]) };
}

function nominationText(connection: Connection, from: number, to: number): string | undefined {
  const rows = nominationsBetween(connection, from, to);
  if (rows.length === 0) return undefined;
  const shard: ShardOf['nominations'] = {
    id: ids(rows),
    ceremony: toRepeats(rows.map((row) => row.ceremony_id - 1)),
    category: toRepeats(rows.map((row) => row.category_id - 1)),
    movie: rows.map((row) => row.movie_id - 1),
    nominee: rows.map((row) => row.nominee_id - 1),
    song: toRepeats(rows.map((row) => (row.song_id ?? 0) - 1)),
    winner: toRepeats(rows.map((row) => row.winner)),
  };
  return `${JSON.stringify(shard)}\n`;
}
