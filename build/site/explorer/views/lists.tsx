/** @jsxRuntime automatic @jsxImportSource preact */
/** Lists of records with filters and orders. */
import type { ComponentChildren } from 'preact';
import type { Pagination } from '../../../../api/contract/answers.ts';
import type { ResourceName } from '../../../../api/contract/names.ts';
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
  span,
  titleCased,
} from '../../shared/format.ts';
import { hrefOf, searchHref } from '../addresses.ts';
import { areFaults, ask, orFaults } from '../ask.ts';
import { filterForm, filtersOf, listAddress } from '../filters.tsx';
import { NominationTable } from '../nominations.tsx';
import {
  Decades,
  Heading,
  type Page,
  Pager,
  Picture,
  RequestShown,
  type Row,
  Rows,
  totalsTexts,
  type Visit,
} from '../parts.tsx';
import { decadesOf, type Nominated, nominatedYears, withEntries } from '../record.ts';

interface Listed<T> {
  data: T[];
  pagination?: Pagination;
  count?: number;
}

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
export const rowsText = (total: number): string =>
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

export const nominationRows = async (visit: Visit, data: readonly Nomination[]) => (
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
