/**
 * The snapshot format, version 13. `docs/snapshot-format.md` is the full specification.
 *
 *   manifest.json                the only mutable file: it names the shards of the snapshot (Manifest)
 *   shards/<family>/<hash>.json  immutable; the name is the contentHash of the bytes
 *
 * A family is an ordered directory of shards. The key of a shard is a block number, floor(id / span), in
 * families cut by id; search-index.ts has those of the index of search. "core" and "search/totals" have one
 * shard, with the key 0. The manifest lists every shard with its hash, so that the id of a snapshot, the hash
 * of this list, names every byte of it. Pages, downloads and the site are derived files: see layers.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { EnrichedResource } from './enrichment.ts';
import type { ReferencedResource, ResourceName } from './names.ts';
import type { RecordOf, Source, StoredBeside } from './resources.ts';
import { searchFamilies, type SearchFamily, type SearchTotals } from './search-index.ts';

export const formatVersion = 13;
export const manifestPath = 'manifest.json';

/** How a reader holds the values of a column. A resource: the rows refer to its records, by id. */
export type ColumnKind = 'plain' | 'flag' | 'text' | 'tags' | ReferencedResource;
/** A column of a shard: its kind, and the field of the record that it holds. */
const column = <const K extends ColumnKind, const F extends string>(kind: K, field: F) =>
  [kind, field] as const;

/**
 * The tables: the resource of their rows, and their columns. Each is a family of shards, but for those of
 * ceremonies and categories, which are few: "core" has them. What films and people are filtered by is apart
 * from their titles and names, which more answers need.
 */
export const tables = {
  nominations: {
    resource: 'nominations',
    columns: {
      ceremony: column('ceremonies', 'ceremony_id'),
      category: column('categories', 'category_id'),
      movie: column('movies', 'movie_id'),
      nominee: column('nominees', 'nominee_id'),
      song: column('songs', 'song_id'),
      winner: column('flag', 'winner'),
      entry: column('plain', 'entry'),
      official: column('flag', 'official'),
    },
  },
  details: {
    resource: 'nominations',
    columns: {
      character: column('plain', 'character'),
      note: column('text', 'note'),
      historical_category: column('plain', 'historical_category'),
      credited_as: column('text', 'credited_as'),
    },
  },
  titles: { resource: 'movies', columns: { text: column('text', 'title') } },
  names: { resource: 'nominees', columns: { text: column('text', 'name') } },
  films: {
    resource: 'movies',
    columns: {
      genres: column('tags', 'genres'),
      countries: column('tags', 'origin_country'),
      moviedb_id: column('plain', 'moviedb_id'),
      filmindex_id: column('plain', 'filmindex_id'),
      release_date: column('plain', 'release_date'),
      runtime: column('plain', 'runtime'),
    },
  },
  people: {
    resource: 'nominees',
    columns: {
      department: column('text', 'known_for_department'),
      moviedb_person_id: column('plain', 'moviedb_person_id'),
      filmindex_id: column('plain', 'filmindex_id'),
      birthday: column('plain', 'birthday'),
      deathday: column('plain', 'deathday'),
    },
  },
  'other-names/movies': { resource: 'movies', columns: { names: column('plain', 'other_names') } },
  'other-names/nominees': { resource: 'nominees', columns: { names: column('plain', 'other_names') } },
  songs: {
    resource: 'songs',
    columns: {
      title: column('text', 'original_title'),
      artist: column('text', 'artist_names'),
      year: column('plain', 'streaming_year'),
    },
  },
  honors: {
    resource: 'honors',
    columns: {
      ceremony: column('plain', 'ceremony_id'),
      class: column('plain', 'class'),
      winner: column('flag', 'winner'),
      category_id: column('plain', 'category_id'),
      category: column('text', 'category'),
      movie: column('plain', 'movie_id'),
      recipients: column('text', 'recipients'),
      nominees: column('plain', 'nominee_ids'),
      citation: column('plain', 'citation'),
      note: column('plain', 'note'),
    },
  },
  ceremonies: {
    resource: 'ceremonies',
    columns: {
      year: column('plain', 'ceremony_year'),
      show_title: column('plain', 'show_title'),
      date: column('plain', 'date'),
      film_years: column('plain', 'film_years'),
    },
  },
  categories: {
    resource: 'categories',
    columns: { name: column('text', 'category_name'), group: column('text', 'category_group') },
  },
} as const satisfies Record<
  string,
  { resource: ResourceName; columns: Record<string, readonly [ColumnKind, string]> }
>;
export type TableName = keyof typeof tables;
/**
 * The tables that have only the records with a value, and their field. Few records have one, and the manifest
 * leaves out such a family without shards: without enrichment the snapshot is as if there were none.
 */
export const sparseTables = {
  'other-names/movies': 'other_names',
  'other-names/nominees': 'other_names',
} as const satisfies { readonly [T in TableName]?: string };
export type SparseTable = keyof typeof sparseTables;
export type ColumnsOf<T extends TableName> = (typeof tables)[T]['columns'];

/**
 * Families cut by id → ids per shard. A change rewrites one shard of a family: the span trades the time of a
 * write against the number of files that a cold request reads.
 */
export const blockSpans = {
  nominations: 4096,
  details: 2048,
  titles: 4096,
  names: 4096,
  films: 4096,
  people: 4096,
  'other-names/movies': 2048,
  'other-names/nominees': 2048,
  songs: 2048,
  honors: 2048,
  'records/movies': 64,
  'records/nominees': 64,
  'records/songs': 64,
  'records/ceremonies': 64,
  'records/categories': 64,
  'restricted/movies': 2048,
  'restricted/nominees': 2048,
} as const;

export type BlockFamily = keyof typeof blockSpans;
export type ColumnFamily = BlockFamily & TableName;
export type FamilyName = BlockFamily | SearchFamily | 'search/totals' | 'core';
export const blockFamilies = Object.keys(blockSpans) as BlockFamily[];
/** In the order of the manifest. */
export const familyNames: readonly FamilyName[] = [
  ...blockFamilies,
  ...searchFamilies,
  'search/totals',
  'core',
];

/** The family that holds the whole records of a resource. */
export const recordFamily = <R extends ReferencedResource>(resource: R): `records/${R}` =>
  `records/${resource}`;

/** The family that holds the restricted fields of a resource. */
export const restrictedFamily = <R extends EnrichedResource>(resource: R): `restricted/${R}` =>
  `restricted/${resource}`;

/** Ascending ids as runs of consecutive ids: first, count, first, count, … */
export type Runs = readonly number[];

/** Ascending ids as runs. */
export function toRuns(ascending: readonly number[]): number[] {
  const runs: number[] = [];
  for (const [i, id] of ascending.entries()) {
    if (id === ascending[i - 1]! + 1) runs[runs.length - 1]! += 1;
    else runs.push(id, 1);
  }
  return runs;
}

/** Shards of a family, ascending by key. */
export interface Directory {
  keys: readonly number[];
  hashes: readonly string[];
}

export interface Manifest {
  format: number;
  /** contentHash of the manifest without this member. */
  snapshot: string;
  /** Present if the record is the sample of the project: its totals are not those of the whole record. */
  sample?: true;
  /** Where the record comes from, and under which licences. */
  sources: readonly Source[];
  counts: Record<ResourceName, number>;
  families: Record<Exclude<FamilyName, SparseTable>, Directory> & { [F in SparseTable]?: Directory };
}

const noShards: Directory = { keys: [], hashes: [] };

/** The shards of a family of a snapshot. */
export const directoryOf = ({ families }: Pick<Manifest, 'families'>, family: FamilyName): Directory =>
  families[family] ?? noShards;

/** What the database stores: flags are 0 or 1. */
type Stored<R extends ResourceName> = RecordOf[R] & StoredBeside<R>;
export type ValueIn<T extends TableName, C extends keyof ColumnsOf<T>> = ColumnsOf<T>[C] extends readonly [
  infer K,
  infer F,
]
  ? K extends 'flag'
    ? number
    : Stored<(typeof tables)[T]['resource']>[F & keyof Stored<(typeof tables)[T]['resource']>]
  : never;
/** The columns of a shard, with one value per row. */
export type Columns<T extends TableName> = { readonly [C in keyof ColumnsOf<T>]: readonly ValueIn<T, C>[] };
export type ColumnShard<T extends TableName> = { id: Runs } & Columns<T>;

/**
 * core: what nearly every computed answer needs. The ids of all records, because counts by film or nominee
 * need no titles and names, and the columns of the few ceremonies and categories.
 */
export interface CoreShard {
  ids: Readonly<Record<ResourceName, Runs>>;
  ceremonies: Columns<'ceremonies'>;
  categories: Columns<'categories'>;
}
/**
 * The ids of the records whose field has a value that may not be passed on, by source and field, ascending. A
 * block without such a value has no shard.
 */
export type RestrictedShard = readonly (readonly [source: string, field: string, ids: Runs])[];
export type ShardOf = { [F in ColumnFamily]: ColumnShard<F> } & {
  [R in ReferencedResource as `records/${R}`]: readonly RecordOf[R][];
} & {
  core: CoreShard;
  'restricted/movies': RestrictedShard;
  'restricted/nominees': RestrictedShard;
  'search/totals': Readonly<Record<SearchFamily, SearchTotals>>;
};

/** Path of a shard below the root. */
export const shardPath = (family: FamilyName, hash: string): string => `shards/${family}/${hash}.json`;

/** SHA-256. A runtime with a faster implementation than the portable default passes its own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/**
 * The first 80 bits of the SHA-256 of some bytes, in hexadecimal: shard names, hashes in layer indexes,
 * ETags.
 */
export function contentHash(bytes: Uint8Array, digest: Sha256 = sha256): string {
  return nameOfDigest(digest(bytes));
}

/** The contentHash of the bytes that have this SHA-256. */
export function nameOfDigest(digits: Uint8Array): string {
  let name = '';
  for (let i = 0; i < 10; i += 1) name += hexadecimal[digits[i]!];
  return name;
}
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * The text of a record shard: a JSON array with one record per line. A reader splits lines instead of parsing
 * records.
 */
export function recordShardText(records: readonly string[]): string {
  return `[\n${records.join(',\n')}\n]\n`;
}

/** The records of a record shard as JSON texts, in order. */
export function recordShardLines(text: string): string[] {
  return text.slice(2, -3).split(',\n');
}

/**
 * The text of a document with its id: the contentHash of the text without the id.
 * @param opening what stands before the id @param member name of the id @param named the text without the id
 */
export function textWithId(
  opening: string,
  member: string,
  named: string,
  digest?: Sha256,
): { id: string; text: string } {
  const id = contentHash(encoder.encode(named), digest);
  return { id, text: `${opening}"${member}":"${id}",${named.slice(opening.length)}\n` };
}

/**
 * The bytes that textWithId() has hashed. Those of any other text have another hash, also of one with more
 * white space.
 */
export const textWithoutId = (text: string, member: string, id: string): Uint8Array =>
  encoder.encode(text.replace(`"${member}":"${id}",`, '').replace(/\n$/, ''));

const encoder = new TextEncoder();

/** The manifest of a snapshot, and its text. */
export function manifestText(
  { counts, families, sample, sources }: Pick<Manifest, 'counts' | 'families' | 'sample' | 'sources'>,
  digest?: Sha256,
): { text: string; manifest: Manifest } {
  const there = Object.entries(families).filter(
    ([family, { keys }]) => keys.length > 0 || !Object.hasOwn(sparseTables, family),
  );
  const content = {
    ...(sample && { sample }),
    sources,
    counts,
    families: Object.fromEntries(there) as typeof families,
  };
  const named = JSON.stringify({ format: formatVersion, ...content });
  const { id, text } = textWithId(`{"format":${formatVersion},`, 'snapshot', named, digest);
  return { text, manifest: { format: formatVersion, snapshot: id, ...content } };
}

/**
 * A parsed manifest, and the bytes that its id must be the hash of; undefined if it is not whole or of
 * another format version.
 */
export function readManifest(bytes: Uint8Array): { manifest: Manifest; named: Uint8Array } | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const { format, snapshot, sample, sources, counts, families } = JSON.parse(text) as Manifest;
    if (format !== formatVersion || !sources || !counts || !families) return undefined;
    const named = textWithoutId(text, 'snapshot', snapshot);
    const manifest = { format, snapshot, ...(sample && { sample }), sources, counts, families };
    return { manifest, named };
  } catch {
    return undefined;
  }
}

/**
 * Parses and checks a manifest; undefined if it is not whole, of another format version, or its id is wrong.
 */
export function parseManifest(bytes: Uint8Array, digest?: Sha256): Manifest | undefined {
  const read = readManifest(bytes);
  return read && contentHash(read.named, digest) === read.manifest.snapshot ? read.manifest : undefined;
}
