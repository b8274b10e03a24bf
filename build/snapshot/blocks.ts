/** Shards cut by id: the blocks that a set of changes affects, and their texts from the database. */
import type { EnrichedResource } from '../../api/contract/enrichment.ts';
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import { toDifferences, toRepeats, toRuns } from '../../api/contract/encodings.ts';
import {
  type BlockFamily,
  blockFamilies,
  blockSpans,
  recordShardText,
  type ShardOf,
  type Tags,
  type TextShard,
} from '../../api/contract/snapshot.ts';
import { byCodeUnit, fold, isAscii, tokens } from '../../api/contract/text.ts';
import { restrictedBetween } from '../../data/enrich/provenance.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, occupiedBlocks, recordsBetween, type StoredRecordOf } from '../../data/records.ts';

/** The text of one shard; undefined if the block has no record. */
export interface BlockShard {
  family: BlockFamily;
  key: number;
  text: string | undefined;
}

/** Makes the shards of a family: its resource, and the text of the records with `from <= id < to`. */
interface Maker {
  resource: ResourceName;
  /** The fields that the text is made from; undefined for all of them, and for a text that is not made from the record alone. */
  fields?: readonly string[];
  text: (connection: Connection, from: number, to: number) => string | undefined;
}

/** Shards of some columns of a resource. */
function columns<R extends ResourceName, F extends keyof StoredRecordOf[R] & string>(
  resource: R,
  fields: readonly F[],
  shard: (columns: { [Field in F | 'id']: StoredRecordOf[R][Field][] }) => object,
): Maker {
  return {
    resource,
    fields,
    text(connection, from, to) {
      const values = columnsBetween(connection, resource, fields, from, to);
      return values.id.length === 0 ? undefined : `${JSON.stringify(shard(values))}\n`;
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

/** Shards of restricted fields. */
function restricted(resource: EnrichedResource): Maker {
  return {
    resource,
    text(connection, from, to) {
      const shard = restrictedBetween(connection, resource, from, to);
      return shard && `${JSON.stringify(shard)}\n`;
    },
  };
}

/** Numbers of distinct words. Most texts of a changed shard are those of the shard before. */
const wordCounts = new Map<string, number>();
const maxWordCounts = 32_768;

function countWords(text: string): number {
  const known = wordCounts.get(text);
  if (known !== undefined) return known;
  // A cache that drops one text at a time takes three times as long.
  if (wordCounts.size === maxWordCounts) wordCounts.clear();
  const count = new Set(tokens(text)).size;
  wordCounts.set(text, count);
  return count;
}

function textShard(id: readonly number[], text: readonly string[]): TextShard {
  return {
    id: toRuns(id),
    text,
    folded: text.flatMap((value, position) => (isAscii(value) ? [] : [[position, fold(value)] as const])),
    words: text.map(countWords),
  };
}

/** The values of a list column. */
function tagsOf(lists: readonly (readonly string[])[]): Tags {
  const tags = new Map<string, { positions: number[]; text: string }>();
  for (const [position, values] of lists.entries()) {
    for (const text of values) {
      const folded = fold(text);
      const tag = tags.get(folded);
      if (tag === undefined) tags.set(folded, { positions: [position], text });
      else if (tag.positions.at(-1) !== position) tag.positions.push(position);
    }
  }
  return [...tags]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([folded, { positions, text }]) => [folded, toDifferences(positions), text] as const);
}

const entryColumns = ({ entry, official }: { entry: (number | null)[]; official: number[] }) => ({
  entry: entry.map((number) => number ?? 0),
  official: toRepeats(official),
});

/** `1997-12-18` becomes 19971218, which has the same order; -1 for none. */
const dateNumber = (date: string | null): number => (date === null ? -1 : Number(date.replaceAll('-', '')));

const makers: Record<BlockFamily, Maker> = {
  nominations: columns(
    'nominations',
    ['ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id', 'winner', 'entry', 'official'],
    (c): ShardOf['nominations'] => ({
      id: toRuns(c.id),
      ceremony: toRepeats(c.ceremony_id.map((id) => id - 1)),
      category: toRepeats(c.category_id.map((id) => id - 1)),
      movie: c.movie_id.map((id) => id - 1),
      nominee: c.nominee_id.map((id) => id - 1),
      song: toRepeats(c.song_id.map((id) => (id ?? 0) - 1)),
      winner: toRepeats(c.winner),
      ...entryColumns(c),
    }),
  ),
  details: columns(
    'nominations',
    ['entry', 'official', 'character', 'note', 'historical_category'],
    (c): ShardOf['details'] => {
      const names = [...new Set(c.historical_category)];
      return {
        id: toRuns(c.id),
        ...entryColumns(c),
        character: c.character,
        note: c.note,
        category: toRepeats(c.historical_category.map((name) => names.indexOf(name))),
        names,
      };
    },
  ),
  titles: columns('movies', ['title'], (c): ShardOf['titles'] => textShard(c.id, c.title)),
  names: columns('nominees', ['name'], (c): ShardOf['names'] => textShard(c.id, c.name)),
  films: columns(
    'movies',
    ['genres', 'moviedb_id', 'filmindex_id', 'release_date', 'runtime'],
    (c): ShardOf['films'] => ({
      id: toRuns(c.id),
      genres: tagsOf(c.genres),
      moviedb_id: c.moviedb_id,
      filmindex_id: c.filmindex_id,
      release_date: toRepeats(c.release_date.map(dateNumber)),
      runtime: toRepeats(c.runtime.map((minutes) => minutes ?? -1)),
    }),
  ),
  countries: columns('movies', ['origin_country'], (c): ShardOf['countries'] => ({
    id: toRuns(c.id),
    countries: tagsOf(c.origin_country),
  })),
  people: columns(
    'nominees',
    ['known_for_department', 'moviedb_person_id', 'filmindex_id', 'birthday'],
    (c): ShardOf['people'] => ({
      id: toRuns(c.id),
      department: c.known_for_department,
      moviedb_person_id: c.moviedb_person_id,
      filmindex_id: c.filmindex_id,
      birthday: toRepeats(c.birthday.map(dateNumber)),
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
      ceremony: toRepeats(c.ceremony_id),
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

/** The shards that hold or held the changed fields of records. */
export function* affectedBlocks(
  connection: Connection,
  changed: ReadonlyMap<ResourceName, ChangedRecords>,
): Generator<BlockShard> {
  for (const family of blockFamilies) {
    const { resource, fields } = makers[family];
    const keys = new Set<number>();
    for (const [id, own] of changed.get(resource) ?? [])
      if (!own || !fields || fields.some((field) => own.has(field)))
        keys.add(Math.floor(id / blockSpans[family]));
    for (const key of keys) yield makeShard(connection, family, key);
  }
}

function makeShard(connection: Connection, family: BlockFamily, key: number): BlockShard {
  const from = key * blockSpans[family];
  return { family, key, text: makers[family].text(connection, from, from + blockSpans[family]) };
}
