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
import { IdColumn } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { restrictedBetween } from '../../data/enrich/provenance.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, occupiedBlocks, recordsBetween, type StoredRecordOf } from '../../data/records.ts';

/** The text of one shard; undefined if the block has no record. */
interface BlockShard {
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
  /** The text of a block after changes, from its shard in the snapshot before: most of it is the same, and takes long to make. */
  update?: (connection: Connection, block: ChangedBlock) => Promise<string | undefined>;
}

interface ChangedBlock {
  before: Snapshot;
  key: number;
  /** The ids of the records that were changed, added or removed. */
  ids: readonly number[];
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

/** A text as a shard has it. */
interface StoredText {
  text: string;
  /** undefined where the text is ASCII. */
  folded: string | undefined;
  words: number;
}

const storedText = (text: string): StoredText => ({
  text,
  folded: isAscii(text) ? undefined : fold(text),
  words: new Set(tokens(text)).size,
});

/** @param texts by id, ascending @returns undefined without texts */
function textShard(texts: readonly (readonly [id: number, stored: StoredText])[]): string | undefined {
  const shard: TextShard = {
    id: toRuns(texts.map(([id]) => id)),
    text: texts.map(([, { text }]) => text),
    folded: texts.flatMap(([, { folded }], row) => (folded === undefined ? [] : [[row, folded] as const])),
    words: texts.map(([, { words }]) => words),
  };
  return texts.length === 0 ? undefined : `${JSON.stringify(shard)}\n`;
}

/** The texts of a shard by id. */
function textsOf({ id, text, folded, words }: TextShard): Map<number, StoredText> {
  const foldedAt = new Map(folded);
  const { ids } = new IdColumn([{ id }]);
  return new Map(
    ids.map((own, row) => [own, { text: text[row]!, folded: foldedAt.get(row), words: words[row]! }]),
  );
}

/** Shards of a text that search looks through. */
function texts<R extends ResourceName>(
  family: 'titles' | 'names',
  resource: R,
  field: keyof StoredRecordOf[R] & string,
): Maker {
  const read = (connection: Connection, from: number, to: number) => {
    const rows = columnsBetween(connection, resource, [field], from, to);
    const values = rows[field] as string[];
    return rows.id.map((id, row) => [id, storedText(values[row]!)] as const);
  };
  return {
    resource,
    fields: [field],
    text: (connection, from, to) => textShard(read(connection, from, to)),
    async update(connection, { before, key, ids }) {
      const shard = await before.block(family, key);
      const stored = shard ? textsOf(shard) : new Map<number, StoredText>();
      for (const id of ids) {
        const [now] = read(connection, id, id + 1);
        if (now) stored.set(...now);
        else stored.delete(id);
      }
      return textShard([...stored].sort(([a], [b]) => a - b));
    },
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
  titles: texts('titles', 'movies', 'title'),
  names: texts('names', 'nominees', 'name'),
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
      if (update) yield { family, key, text: await update(connection, { before, key, ids }) };
      else yield makeShard(connection, family, key);
  }
}

function makeShard(connection: Connection, family: BlockFamily, key: number): BlockShard {
  const from = key * blockSpans[family];
  return { family, key, text: makers[family].text(connection, from, from + blockSpans[family]) };
}
