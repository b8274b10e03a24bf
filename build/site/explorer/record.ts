/**
 * The record as the pages read it, in the browser and on a server: the answers of the resolver, and some of its tables. A
 * Reading says where they come from.
 */
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Category, Ceremony, Details, Nomination } from '../../../api/contract/resources.ts';
import { recordPath } from '../../../api/contract/routes.ts';
import type { Accepted, Query } from '../../../api/contract/parameters.ts';
import { parseQuery } from '../../../api/contract/query-string.ts';
import type { Manifest } from '../../../api/contract/snapshot.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { ApiError } from '../shared/api.ts';
import type { Row } from './parts/lists.tsx';
import type { CeremonySize, RankingOrder, RankingSlice, TallyOf, YearCount } from './counts.ts';

/** What most pages show of a ceremony. */
export type CeremonySummary = Pick<
  Ceremony,
  'id' | 'ceremony_year' | 'show_title' | 'date' | 'movies_eligible'
>;
/** What most pages show of a category. */
export type CategorySummary = Pick<Category, 'id' | 'category_name' | 'category_group'>;

export interface Reading {
  /** The answer of the API at an address such as `/api/movies?genre=Drama`. @throws ApiError */
  ask<T>(address: string): Promise<T>;
  /** The bytes of a file of the folder, by its path below the root; undefined if it is missing. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** The details of nominations that exist, in the order of the ids. @throws SnapshotUnavailable */
  details(ids: readonly number[]): Promise<Details[]>;
  /** All ceremonies, newest first. @throws SnapshotUnavailable */
  ceremonies(): Promise<CeremonySummary[]>;
  /** All categories in their order. @throws SnapshotUnavailable */
  categories(): Promise<CategorySummary[]>;
  /** See sizesOf(). @throws SnapshotUnavailable */
  sizesOf(ceremonies: readonly number[]): Promise<CeremonySize[]>;
  /** What pages must say about the sources of the record. @throws SnapshotUnavailable */
  notices(): Promise<string[]>;
  /** Number of records of each kind. @throws SnapshotUnavailable */
  counts(): Promise<Manifest['counts']>;
  /** @throws SnapshotUnavailable */
  tallies(resource: 'movies' | 'nominees'): Promise<TallyOf>;
  /** See honorsOf(). @throws SnapshotUnavailable */
  honorsOf(person: number): Promise<Row[]>;
  /** See rankByEntries(). @throws SnapshotUnavailable */
  ranked(resource: 'movies' | 'nominees', query: Query, order: RankingOrder): Promise<Required<RankingSlice>>;
  /** See countByCategory(). @throws SnapshotUnavailable */
  countedByCategory(query: Query): Promise<YearCount[]>;
  /** The snapshot, for reading tables; it loads each table on first use. @throws SnapshotUnavailable */
  snapshot(): Promise<Snapshot>;
}

let current: Reading | undefined;
/** Work that uses the current reading. */
let users = 0;
/** Called when the current reading has no more users. */
let waiting: (() => void)[] = [];

/**
 * Runs work whose loads use a reading. Work with the same reading runs at the same time; work with another one waits, because
 * a load does not carry its reading: one runtime may serve several sites.
 */
export async function withReading<T>(own: Reading, work: () => Promise<T>): Promise<T> {
  while (users > 0 && current !== own) await new Promise<void>((resolve) => waiting.push(resolve));
  current = own;
  users += 1;
  try {
    return await work();
  } finally {
    users -= 1;
    if (users === 0) {
      const released = waiting;
      waiting = [];
      for (const call of released) call();
    }
  }
}

let start: (() => Promise<Reading>) | undefined;

/** Sets the only reading of a program. @param load called at each use; gives the same reading each time */
export function startReading(load: () => Promise<Reading>): void {
  start = load;
}

/** Where the record comes from in this program. */
export async function reading(): Promise<Reading> {
  if (current) return current;
  if (start === undefined) throw new Error('nothing says where the record is');
  return start();
}

/** The answer of the API at an address such as `/api/movies?genre=Drama`. @throws ApiError */
export const ask = async <T>(address: string): Promise<T> => (await reading()).ask<T>(address);

/** The filters of a page, as the API takes them. @throws ApiError if one is wrong */
export function queryIn(text: string, accepted: Accepted): Query {
  const parsed = parseQuery(text, accepted);
  if (!parsed.ok) throw new ApiError(400, 'the filters are wrong', parsed.faults);
  return parsed.query;
}

/** The page of a record. @throws ApiError */
export const askRecord = <T>(resource: ResourceName, id: number): Promise<T> =>
  ask<T>(recordPath(resource, id));

/** All ceremonies, newest first. @throws SnapshotUnavailable */
export const askCeremonies = async (): Promise<CeremonySummary[]> => (await reading()).ceremonies();

/** All categories in their order. @throws SnapshotUnavailable */
export const askCategories = async (): Promise<CategorySummary[]> => (await reading()).categories();

/** A nomination with what the source tells besides. */
export interface DetailedNomination extends Nomination {
  details: Details;
  /** Nominations with the same key count as one. */
  entryKey: string;
}

/** Adds the details to nominations, with small requests and without the columns. @throws SnapshotUnavailable */
export async function withDetails(nominations: readonly Nomination[]): Promise<DetailedNomination[]> {
  const { details: detailsOf } = await reading();
  const details = await detailsOf(nominations.map(({ id }) => id));
  // Only an entry without a number depends on the category.
  const acting = details.some(({ entry }) => entry === null)
    ? actingCategories(await askCategories())
    : undefined;
  return nominations.map((nomination, i) => {
    const own = details[i]!;
    const isActing = acting?.has(nomination.category_id) ?? false;
    return { ...nomination, details: own, entryKey: entryKey({ ...nomination, entry: own.entry }, isActing) };
  });
}

/** A record with its nominations. */
export type Nominated<T> = T & { nominations: DetailedNomination[] };

/** The page of a record with the details of its nominations. @throws ApiError @throws SnapshotUnavailable */
export async function askNominated<T>(resource: ResourceName, id: number): Promise<Nominated<T>> {
  const record = await askRecord<T & { nominations: Nomination[] }>(resource, id);
  return { ...record, nominations: await withDetails(record.nominations) };
}
