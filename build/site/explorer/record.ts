/** The record as the pages read it, in the browser and on a server: the answers of the resolver, and some of its tables. */
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Accepted, Query } from '../../../api/contract/parameters.ts';
import { parseQuery } from '../../../api/contract/query-string.ts';
import type { Category, Ceremony, Details, Nomination } from '../../../api/contract/resources.ts';
import { recordPath } from '../../../api/contract/routes.ts';
import { detailsOf } from '../../../api/read/nominations.ts';
import type { Resolver } from '../../../api/read/resolve.ts';
import { noticesOf } from '../../../api/read/restricted.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { ApiError, readDocument } from '../shared/api.ts';
import type { RankedResource } from './addresses.ts';
import type { RankingOrder } from './counts.ts';
import { countByCategory, honorsOf, rankByEntries, sizesOf, tallies } from './table-counts.ts';

/** What most pages show of a ceremony. */
export type CeremonySummary = Pick<
  Ceremony,
  'id' | 'ceremony_year' | 'show_title' | 'date' | 'movies_eligible'
>;
/** What most pages show of a category. */
export type CategorySummary = Pick<Category, 'id' | 'category_name' | 'category_group'>;

/** A nomination with what the source tells besides. */
export interface DetailedNomination extends Nomination {
  details: Details;
  /** Nominations with the same key count as one. */
  entryKey: string;
}

/** A record with its nominations. */
export type Nominated<T> = T & { nominations: DetailedNomination[] };

export type Reading = ReturnType<typeof readingOf>;

/**
 * How pages read the record. Its functions throw ApiError where the API refuses a question, and SnapshotUnavailable.
 * @param file reads a file of the folder, by its path below the root
 */
export function readingOf(resolver: Resolver, file: (path: string) => Promise<Uint8Array | undefined>) {
  const snapshot = () => resolver.snapshot();
  const ask = <T>(address: string): Promise<T> => readDocument<T>(resolver, address);
  const record = <T>(resource: ResourceName, id: number) => ask<T>(recordPath(resource, id));
  const categories = async () => summariesOfCategories(await snapshot());
  const details = async (ids: readonly number[]) => detailsOf(await snapshot(), ids);
  const withDetails = async (nominations: readonly Nomination[]): Promise<DetailedNomination[]> => {
    const all = await details(nominations.map(({ id }) => id));
    // Only an entry without a number depends on the category.
    const acting = all.some(({ entry }) => entry === null) ? actingCategories(await categories()) : undefined;
    return nominations.map((nomination, i) => {
      const own = all[i]!;
      const isActing = acting?.has(nomination.category_id) ?? false;
      return {
        ...nomination,
        details: own,
        entryKey: entryKey({ ...nomination, entry: own.entry }, isActing),
      };
    });
  };
  return {
    file,
    /** For reading tables; it loads each table on first use. */
    snapshot,
    /** The answer of the API at an address such as `/api/movies?genre=Drama`. */
    ask,
    /** The page of a record. */
    record,
    /** The page of a record with the details of its nominations. */
    nominated: async <T>(resource: ResourceName, id: number): Promise<Nominated<T>> => {
      const found = await record<T & { nominations: Nomination[] }>(resource, id);
      return { ...found, nominations: await withDetails(found.nominations) };
    },
    /** The details of nominations that exist, in the order of the ids. */
    details,
    /** Adds the details to nominations, with small requests and without the columns. */
    withDetails,
    /** All ceremonies, newest first. */
    ceremonies: async () => summariesOfCeremonies(await snapshot()),
    /** All categories in their order. */
    categories,
    /** Whether the record is the sample of the project. */
    isSample: async () => (await snapshot()).manifest.sample === true,
    /** What pages must say about the sources of the record. */
    notices: async () => noticesOf(await snapshot()),
    /** Number of records of each kind. */
    counts: async () => (await snapshot()).manifest.counts,
    sizesOf: async (ceremonies: readonly number[]) => sizesOf(await snapshot(), ceremonies),
    tallies: async (resource: RankedResource) => tallies(await snapshot(), resource),
    honorsOf: async (person: number) => honorsOf(await snapshot(), person),
    ranked: async (resource: RankedResource, query: Query, order: RankingOrder) =>
      rankByEntries(await snapshot(), resource, query, order),
    countedByCategory: async (query: Query) => countByCategory(await snapshot(), query),
    /** The filters of a page, as the API takes them. @throws ApiError if one is wrong */
    queryIn: (text: string, accepted: Accepted): Query => {
      const parsed = parseQuery(text, accepted);
      if (!parsed.ok) throw new ApiError(400, 'the filters are wrong', parsed.faults);
      return parsed.query;
    },
  };
}

/** Newest first. @throws SnapshotUnavailable */
export async function summariesOfCeremonies(snapshot: Snapshot): Promise<CeremonySummary[]> {
  const ceremonies = await snapshot.table('ceremonies');
  const { year, show_title, date, movies_eligible } = ceremonies.columns;
  return ceremonies.newestFirst().map((row) => ({
    id: ceremonies.id(row),
    ceremony_year: year[row]!,
    show_title: show_title[row]!,
    date: date[row]!,
    movies_eligible: movies_eligible[row]!,
  }));
}

/** Ascending by id. @throws SnapshotUnavailable */
async function summariesOfCategories(snapshot: Snapshot): Promise<CategorySummary[]> {
  const categories = await snapshot.table('categories');
  return categories.name.values.map((name, row) => ({
    id: categories.id(row),
    category_name: name!,
    category_group: categories.group.values[row]!,
  }));
}
