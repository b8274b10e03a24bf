/** What the pages of lists and of the search ask the API for. */
import type { Pagination } from '../../../../api/contract/answers.ts';
import { filmYear } from '../../../../api/contract/film-year.ts';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { IncludeName } from '../../../../api/contract/parameters.ts';
import { withParameter } from '../../../../api/contract/query-string.ts';
import type {
  EntryCounts,
  Honor,
  Movie,
  Nominee,
  Nomination,
  RecordOf,
  Song,
} from '../../../../api/contract/resources.ts';
import { splitTarget } from '../../../../api/contract/target.ts';
import { ApiError, type List } from '../../shared/api.ts';
import { joined } from '../../shared/format.ts';
import { withQuery } from '../addresses.ts';
import { decadeOf, type Row } from '../parts/lists.tsx';
import type { Reading } from '../record.ts';
import type { FilmSeries } from '../search/finder.ts';
import type { Finding } from '../search/find.ts';
import { finder } from '../search/search.ts';
import { isQuery, isSearch } from '../search/words.ts';

/** One page of a list, or a whole list with its number of records. */
export interface Listed extends List<RecordOf[ResourceName]> {
  /** What the words of a search name and mean. */
  found?: Finding;
  /** The films whose titles have all words of a search, if there are several. */
  films?: FilmSeries | undefined;
  /** Words that find something, if those of a search find nothing. */
  suggestions?: readonly string[] | undefined;
  pagination?: Pagination;
  count?: number;
  /** Only with the honors of the latest year: their address, and links to the others. */
  latest?: { address: string; year: number; all: number; decades: readonly number[] };
}

/** The answer to the address of a list or a search. @throws ApiError @throws SnapshotUnavailable */
export async function askList(
  reading: Reading,
  list: ResourceName | 'search',
  address: string,
): Promise<Listed> {
  if (list === 'search') return askSearch(reading, address);
  if (list === 'songs') return askSongs(reading, address);
  if (address === '/api/honors') return askLatestHonors(reading, address);
  if (list === 'movies' || list === 'nominees') return askCounted(reading, address);
  const listed = await reading.ask<Listed>(address);
  if (list !== 'nominations') return listed;
  return { ...listed, data: await reading.withDetails(listed.data as Nomination[]) };
}

type Including<T> = Omit<Listed, 'data'> & List<T>;

/** The address of a list whose records have more members. */
function including(name: IncludeName, address: string): string {
  const { path, queryString } = splitTarget(address);
  return withQuery(path, withParameter(queryString, 'include', name));
}

/** Films or people with their counts. */
async function askCounted({ ask }: Reading, address: string): Promise<Listed> {
  const listed = await ask<Including<(Movie | Nominee) & { counts: EntryCounts }>>(address);
  // The rows have counts of the columns, with years. A server embeds no more than the page shows.
  return { ...listed, data: listed.data.map(({ counts: _, ...record }) => record) };
}

/** The honors of the latest year: the API lists the oldest first. */
async function askLatestHonors({ ask }: Reading, address: string): Promise<Listed> {
  const oldest = await ask<HonorList>(address);
  const { total, totalPages } = oldest.pagination;
  const [first] = oldest.data;
  if (!first) return oldest;
  const newest = totalPages > 1 ? await ask<HonorList>(`${address}?page=${totalPages}`) : oldest;
  const year = Math.max(...newest.data.map(({ ceremony_year }) => ceremony_year));
  const own = `${address}?year=${year}&limit=100`;
  const earliest = decadeOf(first.ceremony_year);
  const decades = Array.from(
    { length: (decadeOf(year) - earliest) / 10 + 1 },
    (_, i) => decadeOf(year) - 10 * i,
  );
  return { ...(await ask<HonorList>(own)), latest: { address: own, year, all: total, decades } };
}

type HonorList = List<Honor> & { pagination: Pagination };

export interface ListedSong extends Song {
  /** The film with its year, and whether the song won. */
  numbers: NonNullable<Row['numbers']>;
}

/** Songs with their films. */
async function askSongs(reading: Reading, address: string): Promise<Listed> {
  const [ceremonies, listed] = await Promise.all([
    reading.ceremonies(),
    reading.ask<Including<Song & { nominations: Nomination[] }>>(including('nominations', address)),
  ]);
  const songs = listed.data.map(({ nominations, ...song }): ListedSong => {
    const [first] = nominations;
    const ceremony = ceremonies.find(({ id }) => id === first?.ceremony_id);
    const won = nominations.some(({ winner }) => winner);
    const film = joined(first?.movie, ceremony && String(filmYear(ceremony)));
    return { ...song, numbers: [film, won ? ' · won' : ''] };
  });
  return { ...listed, data: songs };
}

/** The nominations that match, and what the words name and mean. */
async function askSearch(reading: Reading, address: string): Promise<Listed> {
  const { queryString: query } = splitTarget(address);
  const typed = new URLSearchParams(query).get('q') ?? '';
  // Without words there is nothing wrong yet.
  if (typed === '') throw new ApiError(400, 'there are no words to search for', []);
  const { addressesOf, findFilms, findRecords } = await finder();
  const isOneLetter = isSearch(typed) && !isQuery(typed);
  let listed = noNominations;
  let suggestions: Listed['suggestions'];
  for (const meaning of isOneLetter ? [] : await addressesOf(reading, query)) {
    listed = await reading.ask<Listed>(meaning);
    // Undefined only if nominations have the words.
    suggestions = meaning === address ? listed.suggestions : (suggestions ?? []);
    // A page behind the last one has no records either.
    if ((listed.pagination?.total ?? 0) > 0) break;
  }
  return {
    ...listed,
    data: await reading.withDetails(listed.data as Nomination[]),
    suggestions,
    found: await findRecords(reading, typed),
    films: await findFilms(reading, typed),
  };
}

const noNominations: Listed = {
  data: [],
  pagination: { page: 1, limit: 25, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
};
