/** @jsxRuntime automatic @jsxImportSource preact */
/** The list of a resource, and the search. */
import { filmYear } from '../../../../api/contract/film-year.ts';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { IncludeName } from '../../../../api/contract/parameters.ts';
import { nameOf } from '../../../../api/contract/query-string.ts';
import type {
  Ceremony,
  EntryCounts,
  Honor,
  Movie,
  Nominee,
  Nomination,
  RecordOf,
  Song,
} from '../../../../api/contract/resources.ts';
import type { Pagination } from '../../../../api/contract/answers.ts';
import { splitTarget } from '../../../../api/contract/target.ts';
import { ApiError, type List } from '../../shared/api.ts';
import {
  capitalized,
  ceremonyTitle,
  date,
  filmYears,
  honorTitle,
  joined,
  nouns,
  number,
  titleCased,
} from '../../shared/format.ts';
import { tallyTexts } from '../counts.ts';
import { honorsHref, hrefOf, searchedWords, songYearsPath, withQuery } from '../addresses.ts';
import { listAddress } from '../filters.ts';
import { usePlace } from '../navigation.ts';
import { Filtered, filtersOf } from '../parts/filter-form.tsx';
import { decadeOf, Decades, Pager, type Row, Rows } from '../parts/lists.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, useAnswer } from '../parts/page.tsx';
import type { FilmSeries } from '../search/film-totals.ts';
import type { Finding } from '../search/find.ts';
import { finder } from '../search/search.ts';
import { isQuery, isSearch } from '../search/words.ts';
import { FilmTable, SearchHits } from './search.tsx';
import { ask, type DetailedNomination, reading, withDetails } from '../record.ts';

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

export function ListPage({ list }: { list: ResourceName | 'search' }) {
  const { query } = usePlace();
  const isOfWords = list === 'search';
  const address = listAddress(`/${list}`, query);
  const answer = useAnswer(address, () => askList(list, address));
  const resource = isOfWords ? 'nominations' : list;
  return (
    <>
      {isOfWords ? <SearchHeading /> : <Heading title={capitalized(nouns[list].many)} />}
      <Advice list={list} query={new URLSearchParams(query)} />
      <Filtered
        // The search field of every page has the words.
        names={filtersOf(`/api/${list}`).filter((name) => name !== 'q')}
        isFolded={isOfWords}
        address={answer.value?.latest?.address ?? address}
        answer={answer}
        what={nouns[resource].one}
        invalid={
          isOfWords && !new URLSearchParams(query).get('q')
            ? 'Type the name of a film, a person or a song, or a category and a year.'
            : 'Nothing is shown until the filters above are right.'
        }
      >
        {(listed) => <Results resource={resource} listed={listed} />}
      </Filtered>
    </>
  );
}

function SearchHeading() {
  const { path, query } = usePlace();
  const words = searchedWords(path, query);
  if (words === '') return <Heading title="Search" />;
  return <Heading title={`“${words}”`} tab={`${words} · Search`} above="Search" />;
}

async function askList(list: ResourceName | 'search', address: string): Promise<Listed> {
  if (list === 'search') return askSearch(address);
  if (list === 'songs') return askSongs(address);
  if (address === '/api/honors') return askLatestHonors(address);
  if (list === 'movies' || list === 'nominees') return askCounted(address);
  const listed = await ask<Listed>(address);
  if (list !== 'nominations') return listed;
  return { ...listed, data: await withDetails(listed.data as Nomination[]) };
}

type Including<T> = Omit<Listed, 'data'> & List<T>;

/** The address of a list whose records have more members. */
function including(name: IncludeName, address: string): string {
  const { path, queryString } = splitTarget(address);
  // The API reports what is wrong in the query as it is.
  const others = queryString.split('&').filter((part) => part !== '' && nameOf(part) !== 'include');
  return withQuery(path, [...others, `include=${name}`].join('&'));
}

/** Films or people. Asks for counts too, because the first page with counts is precomputed. */
async function askCounted(address: string): Promise<Listed> {
  const listed = await ask<Including<(Movie | Nominee) & { counts: EntryCounts }>>(
    including('counts', address),
  );
  // A server embeds no more than the page shows.
  return { ...listed, data: listed.data.map(({ counts: _, ...record }) => record) };
}

/** The honors of the latest year: the API lists the oldest first. */
async function askLatestHonors(address: string): Promise<Listed> {
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

interface ListedSong extends Song {
  /** The film with its year, and whether the song won. */
  numbers: NonNullable<Row['numbers']>;
}

/** Songs with their films. */
async function askSongs(address: string): Promise<Listed> {
  const [{ data: ceremonies }, listed] = await Promise.all([
    ask<List<Ceremony>>('/api/ceremonies'),
    ask<Including<Song & { nominations: Nomination[] }>>(including('nominations', address)),
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
async function askSearch(address: string): Promise<Listed> {
  const { queryString: query } = splitTarget(address);
  const typed = new URLSearchParams(query).get('q') ?? '';
  // Without words there is nothing wrong yet.
  if (typed === '') throw new ApiError(400, 'there are no words to search for', []);
  const { addressesOf, findFilms, findRecords } = await finder();
  const isOneLetter = isSearch(typed) && !isQuery(typed);
  let listed = noNominations;
  let suggestions: Listed['suggestions'];
  for (const meaning of isOneLetter ? [] : await addressesOf(query)) {
    listed = await ask<Listed>(meaning);
    // Undefined only if nominations have the words.
    suggestions = meaning === address ? listed.suggestions : (suggestions ?? []);
    // A page behind the last one has no records either.
    if ((listed.pagination?.total ?? 0) > 0) break;
  }
  return {
    ...listed,
    data: await withDetails(listed.data as Nomination[]),
    suggestions,
    found: await findRecords(typed),
    films: await findFilms(typed),
  };
}

const noNominations: Listed = {
  data: [],
  pagination: { page: 1, limit: 25, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
};

function Results({ resource, listed }: { resource: ResourceName; listed: Listed }) {
  const typed = new URLSearchParams(usePlace().query).get('q') ?? '';
  const { data, pagination, found, films, suggestions = [], count = 0, latest } = listed;
  const total = pagination?.total ?? count;
  const { one, many } = nouns[resource];
  return (
    <section class="found" aria-label="Results">
      {found && <SearchHits typed={typed} finding={found} suggestions={suggestions} />}
      {films && <FilmTable series={films} />}
      {found && total > 0 && <h2>Nominations</h2>}
      <p class="total" role="status">
        {found && total === 0 && found.groups.length > 0
          ? ''
          : total === 0
            ? `No ${many} match these filters.`
            : // Elsewhere on the site, people who were nominated together have one nomination.
              `${number(total)} ${resource === 'nominations' ? 'individual ' : ''}${total === 1 ? one : many}${latest ? ` of ${latest.year}` : ''}`}
      </p>
      {resource === 'nominations' && total > 1 && (
        <p class="detail">Those nominated together have a row each.</p>
      )}
      {latest && (
        <>
          <p class="detail">
            <a href={honorsHref({ yearStart: String(latest.decades.at(-1)) })}>
              All {number(latest.all)} honors, oldest first
            </a>
            {total > data.length && [
              ', ',
              <a key="year" href={honorsHref({ year: String(latest.year) })}>
                all of {latest.year}
              </a>,
            ]}
          </p>
          <Decades
            decades={latest.decades}
            hrefOf={(decade) => honorsHref({ yearStart: String(decade), yearEnd: String(decade + 9) })}
          />
        </>
      )}
      {resource !== 'nominations' ? (
        <RecordRows resource={resource} records={data as RecordOf[RowResource][]} />
      ) : (
        data.length > 0 && (
          <NominationTable
            caption="Nominations"
            nominations={data as DetailedNomination[]}
            shown={['year', 'category', 'film', 'nominees', 'outcome']}
            isSplit
          />
        )
      )}
      {pagination && !latest && <Pager pagination={pagination} />}
    </section>
  );
}

/** The resources whose records are shown as rows. */
type RowResource = Exclude<ResourceName, 'nominations'>;
type Describe = {
  [R in RowResource]: (record: RecordOf[R]) => [label: string, detail: string, numbers?: Row['numbers']];
};

const describe: Describe = {
  movies: ({ title, release_date, genres }) => [title, joined(release_date?.slice(0, 4), genres.join(', '))],
  nominees: ({ name, known_for_department }) => [name, known_for_department ?? ''],
  songs: (song) => [
    `“${song.original_title}”`,
    song.artist_names ?? '',
    (song as Partial<ListedSong>).numbers,
  ],
  honors: (honor) => [honorTitle(honor), joined(titleCased(honor.category), String(honor.ceremony_year))],
  categories: ({ category_name, category_group, era }) => [category_name, joined(category_group, era)],
  ceremonies: (ceremony) => {
    const films = filmYears(ceremony.movies_eligible);
    const held = ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year);
    return [ceremonyTitle(ceremony), joined(held, films && `films of ${films}`)];
  },
};

interface RecordRowsProps<R extends RowResource> {
  resource: R;
  records: readonly RecordOf[R][];
}

/** Rows; those of films and people get their tallies when the columns are loaded. */
function RecordRows<R extends RowResource>({ resource, records }: RecordRowsProps<R>) {
  const hasTallies = resource === 'movies' || resource === 'nominees';
  const ids = records.map(({ id }) => id);
  const tallied = useAnswer(`tallies/${resource}?${ids}`, async () => {
    const tallyOf = hasTallies ? await (await reading()).tallies(resource) : undefined;
    return Object.fromEntries(ids.map((id) => [id, tallyOf?.(id)]));
  });
  const rows = records.map((record) => {
    const [label, detail, known] = describe[resource](record);
    const tally = tallied.value?.[record.id];
    // Empty texts keep the place of the numbers.
    const numbers = known ?? (hasTallies ? (tally ? tallyTexts(tally) : (['', ''] as const)) : undefined);
    return { href: hrefOf(resource, record), label, detail, ...(numbers && { numbers }) };
  });
  return <Rows rows={rows} />;
}

/** Advice about years. */
function Advice({ list, query }: { list: ResourceName | 'search'; query: URLSearchParams }) {
  const year = Number(query.get('year'));
  if (list === 'nominations' && year > 1) {
    const nextYear = new URLSearchParams(query);
    nextYear.set('year', String(year + 1));
    nextYear.delete('page');
    return (
      <p class="advice">
        The ceremony held in {year} was for films of {year - 1} or thereabouts.{' '}
        <a href={`/nominations?${nextYear}`}>Films of {year}</a> were up for the ceremony of {year + 1}.
      </p>
    );
  }
  if (list === 'songs')
    return (
      <p class="advice">
        <a href={songYearsPath}>Songs by film year</a>
      </p>
    );
  return null;
}
