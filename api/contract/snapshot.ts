/**
 * The snapshot format, version 1: an interface of its own. What `build` writes and the resolver reads:
 *
 *   manifest.json              the one mutable file: which shards make up the snapshot (Manifest)
 *   shards/<family>/<hash>.json  immutable; the name is the contentHash of the bytes
 *   api/…                      pages: what the resolver answers, precomputed; listed with their hashes by the family "pages"
 *
 * A family is an ordered directory of shards. Its keys are block numbers, floor(id / span), for families cut by id; groups
 * of terms for "search", whose shards are directories in turn, of shards of "terms" by their lowest term; and page groups
 * for "pages". A small directory stands in the manifest, a large one in a head file of its own. So the manifest names heads
 * and shards, and those name pages: the snapshot's id names every byte.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { ReferencedResource, ResourceName } from './names.ts';

export const formatVersion = 1;
export const manifestPath = 'manifest.json';

/** Families cut by id → ids per shard. A change rewrites one shard of a family, so spans trade its size against their number. */
export const blockSpans = {
  nominations: 2048,
  titles: 2048,
  names: 2048,
  films: 2048,
  people: 2048,
  songs: 2048,
  ceremonies: 2048,
  categories: 2048,
  'records/movies': 64,
  'records/nominees': 64,
  'records/songs': 64,
  'records/ceremonies': 64,
  'records/categories': 64,
} as const;

export type BlockFamily = keyof typeof blockSpans;
/** The families that the manifest names. */
export type ManifestFamily = BlockFamily | 'search' | 'pages';
export type FamilyName = ManifestFamily | 'terms';
export const blockFamilies = Object.keys(blockSpans) as BlockFamily[];
export const manifestFamilies: readonly ManifestFamily[] = [...blockFamilies, 'search', 'pages'];

/** The family that holds the whole records of a resource. */
export const recordFamily = <R extends ReferencedResource>(resource: R): `records/${R}` =>
  `records/${resource}`;

/** Shards of a family, ascending by key (numbers by value, strings by code unit). */
export interface Directory {
  keys: readonly (number | string)[];
  hashes: readonly string[];
}

/** Directories with more shards than this stand in a head file. */
export const inlineDirectoryLimit = 16;

export interface Manifest {
  format: number;
  /** contentHash of the manifest without this member. */
  snapshot: string;
  counts: Record<ResourceName, number>;
  families: Record<ManifestFamily, Directory | { head: string }>;
}

/** Ids ascending, as runs of consecutive ones: first, count, first, count, … */
export type Runs = readonly number[];
/** Ids ascending, as differences: the first to 0, each other to the one before. */
export type Differences = readonly number[];

/** A column with long repeats: value, how often, value, how often, … */
export type Repeats = readonly number[];

/**
 * Columns of nominations. References are ids less one: where ids have no gaps, as is usual, they are positions, and a reader
 * can take a column as it is. `song` is -1 for none.
 */
export interface NominationShard {
  id: Runs;
  ceremony: Repeats;
  category: Repeats;
  movie: readonly number[];
  nominee: readonly number[];
  song: Repeats;
  winner: Repeats;
}
/**
 * titles, names: the text of each film or nominee, and how many different words it has (its field length in BM25). `folded`
 * has the folded text of those that are not plain ASCII, by position; folding the others is lower-casing.
 */
export interface TextShard {
  id: Runs;
  text: readonly string[];
  folded: readonly (readonly [position: number, text: string])[];
  words: readonly number[];
}
/** films: what films are filtered by besides the title. */
export interface FilmShard {
  id: Runs;
  /** Each genre, folded, with the positions of its films. */
  genres: readonly (readonly [genre: string, positions: Differences])[];
  moviedb_id: readonly (number | null)[];
  filmindex_id: readonly (string | null)[];
}
/** people: what nominees are filtered by besides the name. */
export interface PersonShard {
  id: Runs;
  department: readonly (string | null)[];
  moviedb_person_id: readonly (number | null)[];
  filmindex_id: readonly (string | null)[];
}
export interface SongShard {
  id: Runs;
  title: readonly string[];
  artist: readonly (string | null)[];
  year: readonly (number | null)[];
}
export interface CeremonyShard {
  id: Runs;
  year: readonly number[];
}
export interface CategoryShard {
  id: Runs;
  name: readonly string[];
  group: readonly (string | null)[];
}
/**
 * Terms ascending by code unit, each with the films and the nominees whose title or name has it; an id stands as often as
 * the term does in that text (difference 0). Category names have no postings: their few words come from the column.
 */
export type TermShard = readonly (readonly [term: string, movies: Differences, nominees: Differences])[];
/** The group of a term in "search": its first letter from a to z; digits share one group, and so do all other letters. */
export function searchGroup(term: string): string {
  const first = term[0]!;
  return first < 'a' ? '0' : first <= 'z' ? first : '~';
}

/** Pages of one group: path below the root and contentHash, ascending by path. */
export type PageShard = readonly (readonly [path: string, hash: string])[];

export interface ShardOf {
  nominations: NominationShard;
  titles: TextShard;
  names: TextShard;
  films: FilmShard;
  people: PersonShard;
  songs: SongShard;
  ceremonies: CeremonyShard;
  categories: CategoryShard;
  search: Directory;
  terms: TermShard;
  pages: PageShard;
}

/** Path of a shard or a head file below the root. */
export const shardPath = (family: FamilyName, hash: string): string => `shards/${family}/${hash}.json`;

/** SHA-256 of some bytes; runtimes that have a faster one than the portable default may pass their own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The name of some content: the first 80 bits of its SHA-256 in hexadecimal. Shard names, page hashes and ETags. */
export function contentHash(bytes: Uint8Array, digest: Sha256 = sha256): string {
  return nameOfDigest(digest(bytes));
}

/** The name that content with this SHA-256 has. */
export function nameOfDigest(digits: Uint8Array): string {
  let name = '';
  for (let i = 0; i < 10; i += 1) name += hexadecimal[digits[i]!];
  return name;
}
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Ascending ids as runs. */
export function toRuns(ascending: readonly number[]): number[] {
  const runs: number[] = [];
  for (const [i, id] of ascending.entries()) {
    if (i > 0 && id === ascending[i - 1]! + 1) runs[runs.length - 1]! += 1;
    else runs.push(id, 1);
  }
  return runs;
}

/** A column as repeats. */
export function toRepeats(values: readonly number[]): number[] {
  const repeats: number[] = [];
  for (const [i, value] of values.entries()) {
    if (i > 0 && value === values[i - 1]) repeats[repeats.length - 1]! += 1;
    else repeats.push(value, 1);
  }
  return repeats;
}

/** Ascending numbers as differences. */
export function toDifferences(ascending: readonly number[]): number[] {
  return ascending.map((value, i) => value - (i === 0 ? 0 : ascending[i - 1]!));
}

/** The inverse of toDifferences. */
export function fromDifferences(differences: Differences): number[] {
  let value = 0;
  return differences.map((difference) => {
    value += difference;
    return value;
  });
}

/** The text of a record shard: a JSON array with one record per line, so that a reader can take records without parsing them. */
export function recordShardText(records: readonly string[]): string {
  return `[\n${records.join(',\n')}\n]\n`;
}

/** The records of a record shard as JSON texts, in order. */
export function recordShardLines(text: string): string[] {
  return text.slice(2, -3).split(',\n');
}

/** The manifest of a snapshot; its id covers everything else in it. */
export function manifestText(
  counts: Manifest['counts'],
  families: Manifest['families'],
  digest?: Sha256,
): { text: string; snapshot: string } {
  const snapshot = contentHash(namedBytes(counts, families), digest);
  return { snapshot, text: `${JSON.stringify({ format: formatVersion, snapshot, counts, families })}\n` };
}

/** All of a manifest but its id. */
const namedBytes = (counts: Manifest['counts'], families: Manifest['families']): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ format: formatVersion, counts, families }));

/** A manifest as it is read, and the bytes that its id must be the contentHash of; undefined unless it is whole and of this format version. */
export function readManifest(bytes: Uint8Array): { manifest: Manifest; named: Uint8Array } | undefined {
  try {
    const { format, snapshot, counts, families } = JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
    if (format !== formatVersion || !counts || !families) return undefined;
    return { manifest: { format, snapshot, counts, families }, named: namedBytes(counts, families) };
  } catch {
    return undefined;
  }
}

/** Reads a manifest; undefined unless it is whole, of this format version and true to its own id. */
export function parseManifest(bytes: Uint8Array, digest?: Sha256): Manifest | undefined {
  const read = readManifest(bytes);
  return read && contentHash(read.named, digest) === read.manifest.snapshot ? read.manifest : undefined;
}
