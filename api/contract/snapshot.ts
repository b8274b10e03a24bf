/**
 * The snapshot format, version 10. `docs/snapshot-format.md` is the full specification.
 *
 *   manifest.json                the only mutable file: it names the shards of the snapshot (Manifest)
 *   shards/<family>/<hash>.json  immutable; the name is the contentHash of the bytes
 *
 * A family is an ordered directory of shards. The key of a shard is a block number, floor(id / span), in families cut by
 * id; search-index.ts has those of the index of search. "core" and "search/totals" have one shard, with the key 0. The manifest lists every shard with its hash, so that the id of a snapshot, the
 * hash of this list, names every byte of it. Pages, downloads and the site are derived files: see layers.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { EnrichedResource } from './enrichment.ts';
import type { ReferencedResource, ResourceName } from './names.ts';
import { searchFamilies, type SearchFamily, type SearchTotals } from './search-index.ts';

export const formatVersion = 10;
export const manifestPath = 'manifest.json';

/**
 * Families cut by id → ids per shard. A change rewrites one shard of a family: the span trades the time of a write against the
 * number of files that a cold request reads.
 */
export const blockSpans = {
  nominations: 4096,
  details: 2048,
  titles: 4096,
  names: 4096,
  films: 4096,
  people: 4096,
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
    if (i > 0 && id === ascending[i - 1]! + 1) runs[runs.length - 1]! += 1;
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
  counts: Record<ResourceName, number>;
  families: Record<FamilyName, Directory>;
}

/**
 * core: what nearly every computed answer needs. The ids of all records, because counts by film or nominee need no titles and
 * names, and the columns of the few ceremonies and categories.
 */
export interface CoreShard {
  ids: Readonly<Record<ResourceName, Runs>>;
  ceremonies: {
    year: readonly number[];
    show_title: readonly (string | null)[];
    date: readonly (string | null)[];
    movies_eligible: readonly (string | null)[];
  };
  categories: { name: readonly string[]; group: readonly (string | null)[] };
}
/** Columns of nominations. References are ids. */
export interface NominationShard {
  id: Runs;
  ceremony: readonly number[];
  category: readonly number[];
  movie: readonly number[];
  nominee: readonly number[];
  song: readonly (number | null)[];
  /** 0 or 1. */
  winner: readonly number[];
  /** Number of the entry within ceremony and category. */
  entry: readonly (number | null)[];
  /** 0 or 1. */
  official: readonly number[];
}
/** details: the details of nominations. A page that shows some nominations reads the shards of these, and no column of all. */
export interface DetailShard {
  id: Runs;
  /** As in nominations. */
  entry: readonly (number | null)[];
  official: readonly number[];
  character: readonly (string | null)[];
  note: readonly (string | null)[];
  historical_category: readonly (string | null)[];
}
/**
 * titles, names: the text of each film or nominee. `folded` holds the folded text of each value that is not ASCII, by position;
 * lower-casing folds the others.
 */
export interface TextShard {
  id: Runs;
  text: readonly string[];
  folded: readonly (readonly [position: number, text: string])[];
}
/** films: columns to filter and sort by, other than the title. */
export interface FilmShard {
  id: Runs;
  genres: readonly (readonly string[])[];
  /** Of origin. */
  countries: readonly (readonly string[])[];
  moviedb_id: readonly (number | null)[];
  filmindex_id: readonly (string | null)[];
  release_date: readonly (string | null)[];
  /** Minutes. */
  runtime: readonly (number | null)[];
}
/** people: columns to filter and sort by, other than the name. */
export interface PersonShard {
  id: Runs;
  department: readonly (string | null)[];
  moviedb_person_id: readonly (number | null)[];
  filmindex_id: readonly (string | null)[];
  birthday: readonly (string | null)[];
}
export interface SongShard {
  id: Runs;
  title: readonly string[];
  artist: readonly (string | null)[];
  year: readonly (number | null)[];
}
/** honors: whole records. References are ids. */
export interface HonorShard {
  id: Runs;
  ceremony: readonly number[];
  class: readonly string[];
  category: readonly string[];
  movie: readonly (number | null)[];
  recipients: readonly (string | null)[];
  nominees: readonly (readonly number[])[];
  citation: readonly (string | null)[];
}
/**
 * The ids of the records whose field has a value that may not be passed on, by source and field, ascending. A block without
 * such a value has no shard.
 */
export type RestrictedShard = readonly (readonly [source: string, field: string, ids: Runs])[];
export interface ShardOf {
  core: CoreShard;
  nominations: NominationShard;
  details: DetailShard;
  titles: TextShard;
  names: TextShard;
  films: FilmShard;
  people: PersonShard;
  songs: SongShard;
  'restricted/movies': RestrictedShard;
  'restricted/nominees': RestrictedShard;
  honors: HonorShard;
  'search/totals': Readonly<Record<SearchFamily, SearchTotals>>;
}

/** Path of a shard below the root. */
export const shardPath = (family: FamilyName, hash: string): string => `shards/${family}/${hash}.json`;

/** SHA-256. A runtime with a faster implementation than the portable default passes its own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The first 80 bits of the SHA-256 of some bytes, in hexadecimal: shard names, hashes in layer indexes, ETags. */
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

/** The text of a record shard: a JSON array with one record per line. A reader splits lines instead of parsing records. */
export function recordShardText(records: readonly string[]): string {
  return `[\n${records.join(',\n')}\n]\n`;
}

/** The records of a record shard as JSON texts, in order. */
export function recordShardLines(text: string): string[] {
  return text.slice(2, -3).split(',\n');
}

/** The id of a record as JSON: its first member. */
export const idOfRecord = (record: string): number => Number(record.slice(6, record.indexOf(',')));

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

/** The bytes that textWithId() has hashed. Those of any other text have another hash, also of one with more white space. */
export const textWithoutId = (text: string, member: string, id: string): Uint8Array =>
  encoder.encode(text.replace(`"${member}":"${id}",`, '').replace(/\n$/, ''));

const encoder = new TextEncoder();

/** The manifest of a snapshot, and its text. */
export function manifestText(
  counts: Manifest['counts'],
  families: Manifest['families'],
  digest?: Sha256,
): { text: string; manifest: Manifest } {
  const named = JSON.stringify({ format: formatVersion, counts, families });
  const { id, text } = textWithId(`{"format":${formatVersion},`, 'snapshot', named, digest);
  return { text, manifest: { format: formatVersion, snapshot: id, counts, families } };
}

/** A parsed manifest, and the bytes that its id must be the hash of; undefined if it is not whole or of another format version. */
export function readManifest(bytes: Uint8Array): { manifest: Manifest; named: Uint8Array } | undefined {
  try {
    const text = new TextDecoder().decode(bytes);
    const { format, snapshot, counts, families } = JSON.parse(text) as Manifest;
    if (format !== formatVersion || !counts || !families) return undefined;
    const named = textWithoutId(text, 'snapshot', snapshot);
    return { manifest: { format, snapshot, counts, families }, named };
  } catch {
    return undefined;
  }
}

/** Parses and checks a manifest; undefined if it is not whole, of another format version, or its id is wrong. */
export function parseManifest(bytes: Uint8Array, digest?: Sha256): Manifest | undefined {
  const read = readManifest(bytes);
  return read && contentHash(read.named, digest) === read.manifest.snapshot ? read.manifest : undefined;
}
