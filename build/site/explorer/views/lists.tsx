/** @jsxRuntime automatic @jsxImportSource preact */
/** Lists of records with filters and orders, and the search. */
import type { ComponentChildren } from 'preact';
import type { Pagination, SearchResult } from '../../../../api/contract/answers.ts';
import { searchPath } from '../../../../api/contract/routes.ts';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { ParameterFault } from '../../../../api/contract/problems.ts';
import type {
  EntryCounts,
  Movie,
  Nomination,
  Nominee,
  RecordOf,
  Song,
} from '../../../../api/contract/resources.ts';
import {
  capitalized,
  ceremonyTitle,
  count,
  date,
  filmYears,
  honorTitle,
  initials,
  joined,
  nouns,
  number,
  span,
  titleCased,
} from '../../shared/format.ts';
import { changed, hrefOf, searchHref, withQuery } from '../addresses.ts';
import { filterForm, filtersOf, listAddress } from '../filters.tsx';
import { NominationTable } from '../nominations.tsx';
import {
  Decades,
  Heading,
  listed,
  type Page,
  Pager,
  Picture,
  RequestShown,
  type Row,
  Rows,
  totalsTexts,
  type Visit,
} from '../parts.tsx';
import { ask, decadesOf, type Nominated, nominatedYears, Refusal, withEntries } from '../record.ts';
import type { Finding, Hit } from '../search.ts';

interface Listed<T> {
  data: T[];
  pagination?: Pagination;
  count?: number;
}

/** What `ask` gives; the faults if the filters of the address are wrong. */
async function orFaults<T>(answer: Promise<T>): Promise<T | readonly ParameterFault[]> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.faults;
    throw error;
  }
}
const areFaults = <T,>(answer: T | readonly ParameterFault[]): answer is readonly ParameterFault[] =>
  Array.isArray(answer);

/** What the API adds to the records of a list. */
const included: Partial<Record<ResourceName, string>> = {
  movies: 'counts,film_year',
  nominees: 'counts',
  songs: 'nominations',
  nominations: 'details',
};

const links: Partial<Record<ResourceName, readonly (readonly [href: string, text: string])[]>> = {
  ceremonies: [['/timeline', 'All ceremonies by decade, with Best Picture']],
  movies: [['/rankings/top-movies', 'Films with the most nominations']],
  nominees: [['/rankings/top-nominees', 'People with the most nominations']],
  nominations: [['/years', 'Nominations by year']],
};

/** The list of a resource. */
export async function listPage(visit: Visit, resource: ResourceName): Promise<Page> {
  const { snapshot, path, query } = visit;
  const { one, many } = nouns[resource];
  const title = capitalized(many);
  const decades = resource === 'honors' ? await decadesOfHonors(visit) : [];
  const [latest] = decades;
  // The API lists the oldest honors first; without a filter, the page has the latest.
  const isLatest = latest !== undefined && [...query.keys()].every((name) => /^(page|limit)$/.test(name));
  const asked = isLatest ? `${query.size > 0 ? `${query}&` : ''}yearStart=${latest}` : String(query);
  const address = listAddress(path, asked, included[resource]);
  const answer = await orFaults(ask<Listed<never>>(snapshot, address));
  const faults = areFaults(answer) ? answer : [];
  const form = await filterForm(visit, filtersOf(`/api/${resource}`), faults);
  const total = areFaults(answer) ? 0 : (answer.pagination?.total ?? answer.count ?? 0);
  const body = (
    <>
      <Heading title={title}>
        {links[resource] && (
          <p class="tally">
            {links[resource].map(([href, text]) => (
              <a key={href} href={href}>
                {text}
              </a>
            ))}
          </p>
        )}
      </Heading>
      {form}
      {decades.length > 0 && (
        <Decades decades={decades} hrefOf={(decade) => `/honors?yearStart=${decade}&yearEnd=${decade + 9}`} />
      )}
      <section id="results" aria-label="Results">
        {areFaults(answer) && <p role="status">Correct the marked filters to see the list.</p>}
        {!areFaults(answer) && total === 0 && <Nothing visit={visit} resource={resource} />}
        {!areFaults(answer) && total > 0 && (
          <>
            <p class="total" role="status">
              {resource === 'nominations' ? rowsText(total) : count(total, one, many)}
              {isLatest && ` since ${latest}`}
            </p>
            {await rowsOf(visit, resource, answer.data)}
            {answer.pagination && <Pager visit={visit} pagination={answer.pagination} />}
          </>
        )}
      </section>
      {!areFaults(answer) && <RequestShown visit={visit} address={address} />}
    </>
  );
  const description = `${title} of the film awards, with filters.`;
  return { title, description, body, ...(faults.length > 0 && { isIndexed: false as const }) };
}

async function decadesOfHonors({ snapshot }: Visit): Promise<number[]> {
  const [honors, ceremonies] = await Promise.all([snapshot.table('honors'), snapshot.table('ceremonies')]);
  return decadesOf(honors.ceremony.map((id) => ceremonies.year[ceremonies.row(id)]!));
}

/** Why a list is empty, and where to go on. */
function Nothing({ visit: { snapshot, path, query }, resource }: { visit: Visit; resource: ResourceName }) {
  const { many } = nouns[resource];
  const words = query.get('title') ?? query.get('name') ?? query.get('movie') ?? query.get('nominee');
  if (snapshot.manifest.counts[resource] === 0) return <p>The record has no {many} yet.</p>;
  return (
    <p role="status">
      No {many} match these filters. <a href={path}>Show all {many}</a>
      {words && [' or ', <a key="words" href={searchHref(words)}>{`search for “${words}”`}</a>]}.
    </p>
  );
}

/** What a list of nominations counts: people with one nomination have a row each. */
const rowsText = (total: number): string =>
  `${count(total, 'row')}, each with one person, company or country and one film`;

/** The records of a list. */
async function rowsOf(
  visit: Visit,
  resource: ResourceName,
  data: readonly never[],
): Promise<ComponentChildren> {
  if (resource === 'nominations') return nominationRows(visit, data);
  const years =
    resource === 'nominees'
      ? await nominatedYears(
          visit.snapshot,
          (data as readonly Nominee[]).map(({ id }) => id),
        )
      : [];
  return <Rows rows={data.map((record, i) => describe[resource](record, visit, years[i]))} />;
}

const nominationRows = async (visit: Visit, data: readonly Nomination[]) => (
  <NominationTable
    caption="Nominations"
    nominations={await withEntries(visit.snapshot, data)}
    shown={['year', 'category', 'film', 'nominees', 'outcome']}
    isSplit
  />
);

type RowResource = Exclude<ResourceName, 'nominations'>;
type ListedRecords = RecordOf & {
  movies: Movie & { counts: EntryCounts; film_year: number | null };
  nominees: Nominee & { counts: EntryCounts };
  songs: Nominated<Song>;
};

const describe: {
  [R in RowResource]: (record: ListedRecords[R], visit: Visit, years?: [number, number]) => Row;
} = {
  movies: (film, visit) => ({
    href: hrefOf('movies', film),
    label: film.title,
    detail: joined(film.film_year === null ? '' : `film year ${film.film_year}`, film.genres.join(', ')),
    numbers: totalsTexts({ nominations: film.counts.entries, wins: film.counts.wins }),
    picture: (
      <Picture
        visit={visit}
        address={film.poster_path}
        kind="film"
        year={film.film_year ?? undefined}
        text={String(film.film_year ?? '')}
      />
    ),
  }),
  nominees: (person, visit, years) => ({
    href: hrefOf('nominees', person),
    label: person.name,
    detail: joined(person.known_for_department, years && span(...years)),
    numbers: totalsTexts({ nominations: person.counts.entries, wins: person.counts.wins }),
    picture: (
      <Picture visit={visit} address={person.profile_path} kind="person" text={initials(person.name)} />
    ),
  }),
  songs: (song) => {
    const [first] = song.nominations;
    const film = joined(first?.movie, first && `ceremony of ${first.ceremony_year}`);
    return {
      href: hrefOf('songs', song),
      label: `“${song.original_title}”`,
      detail: song.artist_names ?? '',
      numbers: [film, song.nominations.some(({ winner }) => winner) ? ' · won' : ''],
    };
  },
  honors: (honor) => ({
    href: hrefOf('honors', honor),
    label: honorTitle(honor),
    detail: joined(titleCased(honor.category), String(honor.ceremony_year)),
  }),
  categories: (category) => ({
    href: hrefOf('categories', category),
    label: category.category_name,
    detail: joined(category.category_group, category.era),
  }),
  ceremonies: (ceremony) => {
    const films = filmYears(ceremony.movies_eligible);
    const held = ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year);
    return {
      href: hrefOf('ceremonies', ceremony),
      label: ceremonyTitle(ceremony),
      detail: joined(held, films && `films of ${films}`),
    };
  },
};

/** One of each kind of search. */
const examples = ['meryl streep', 'best actress 1990', 'most oscars in the 1990s', 'james bond'];
const searchLinks = (searches: readonly string[]) =>
  listed(searches.map((words) => <a href={searchHref(words)}>{words}</a>));

/** The records that the words name, then the nominations that they mean or are found in. */
export async function searchResults(visit: Visit): Promise<Page> {
  const { snapshot, query } = visit;
  const typed = (query.get('q') ?? '').trim();
  const description = 'Search films, people, songs, categories and ceremonies of the film awards.';
  if (typed === '') {
    const body = (
      <>
        <Heading title="Search" />
        <p>
          Type the name of a film, a person or a song, or a category and a year. For example{' '}
          {searchLinks(examples)}.
        </p>
      </>
    );
    return { title: 'Search', description, body, isIndexed: false };
  }
  const finding = await visit.find(typed);
  if (finding.isTooLong) {
    const body = (
      <>
        <Heading title="Search" />
        <p role="status">{finding.note}</p>
      </>
    );
    return { title: 'Search', description, body, isIndexed: false };
  }
  const plain = `${searchPath}?${new URLSearchParams({ q: typed })}`;
  const isPlain = query.get('words') === 'exact';
  const meant = isPlain ? plain : finding.nominations || plain;
  const address = withFilters(meant, query);
  const answer = await orFaults(ask<SearchResult>(snapshot, address));
  const names = filtersOf(address.split('?')[0]!);
  // Words that are too short for the API can name a record: "M".
  const faults = areFaults(answer) ? answer.filter(({ parameter }) => parameter !== 'q') : [];
  const form = await filterForm(visit, names, faults, true);
  const total = areFaults(answer) ? 0 : answer.pagination.total;
  const suggestions = areFaults(answer) ? [] : (answer.suggestions ?? []);
  const body = (
    <>
      <Heading title={`“${typed}”`} above="Search" />
      <Hits typed={typed} finding={finding} suggestions={suggestions} isEmpty={total === 0} />
      <section id="results" aria-label="Nominations">
        {total > 0 && <h2>Nominations</h2>}
        {(total > 0 || faults.length > 0 || query.size > 1) && form}
        {areFaults(answer)
          ? faults.length > 0 && <p role="status">Correct the marked filters to see the nominations.</p>
          : total > 0 && (
              <>
                <p class="detail" role="status">
                  {rowsText(total)}.{' '}
                  {!isPlain && meant !== plain && (
                    <a href={changed(visit.path, query, { words: 'exact' })}>
                      Search for exactly these words
                    </a>
                  )}
                </p>
                {await nominationRows(visit, answer.data as Nomination[])}
                <Pager visit={visit} pagination={answer.pagination} />
              </>
            )}
      </section>
      {!areFaults(answer) && <RequestShown visit={visit} address={address} />}
    </>
  );
  return { title: `${typed} · Search`, description, body, isIndexed: false };
}

/** The address of what is meant, with the filters of the page. */
function withFilters(address: string, query: URLSearchParams): string {
  const [path = '', meant] = address.split('?');
  const parameters = new URLSearchParams(meant);
  const isSearch = path === searchPath;
  for (const [name, value] of query)
    if (!['q', 'words'].includes(name) && (isSearch || value !== 'relevance')) parameters.set(name, value);
  parameters.set('include', 'details');
  return withQuery(path, parameters);
}

interface HitsProps {
  typed: string;
  finding: Finding;
  /** Words that find something. */
  suggestions: readonly string[];
  /** Whether there are no nominations either. */
  isEmpty: boolean;
}

function Hits({ typed, finding: { groups, isNear, note }, suggestions, isEmpty }: HitsProps) {
  const didYouMean = suggestions.length > 0 && <>Did you mean {searchLinks(suggestions)}? </>;
  return (
    <>
      {note && <p class="advice">{note}</p>}
      {isNear && <p>No record has all these words. {didYouMean}These have some of them.</p>}
      {groups.length === 0 && isEmpty && (
        <p role="status">
          Nothing on record has a name like “{typed}”. {didYouMean}The record has the films, people and songs
          that were nominated, and honors. Look through the <a href="/movies">films</a>, the{' '}
          <a href="/nominees">people</a>, the <a href="/timeline">ceremonies</a> or the{' '}
          <a href={`/honors?${new URLSearchParams({ recipient: typed })}`}>honors</a>.
        </p>
      )}
      <div class="hits">
        {groups.map(({ title, hits }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <Rows rows={hits} />
          </section>
        ))}
      </div>
    </>
  );
}

/** The hits as the options of the search field, which the script shows while the reader types. */
export async function searchOptions({ query, find }: Visit) {
  const typed = (query.get('q') ?? '').trim();
  const { groups, isNear, note } = await find(typed);
  let at = 0;
  const option = ({ href, label, detail, won }: Hit) => (
    <a key={href} role="option" id={`option-${at++}`} aria-selected="false" tabIndex={-1} href={href}>
      <span class={won ? 'label won' : 'label'} dir="auto">
        {label}
      </span>
      <span class="detail">{detail}</span>
    </a>
  );
  const hits = number(groups.reduce((sum, group) => sum + group.hits.length, 0));
  return (
    <>
      <p class="soft" role="status">
        {note ??
          (isNear ? 'No record has all these words. These have some of them.' : `Records found: ${hits}`)}
      </p>
      <div role="listbox" id="search-options" aria-label="Results">
        {groups.map((group) => [
          <p key={group.title} class="soft" aria-hidden="true">
            {group.title}
          </p>,
          group.hits.map(option),
        ])}
        <a
          role="option"
          id={`option-${at}`}
          aria-selected="false"
          tabIndex={-1}
          class="all"
          href={searchHref(typed)}
        >
          All results for “{typed}”
        </a>
      </div>
    </>
  );
}
