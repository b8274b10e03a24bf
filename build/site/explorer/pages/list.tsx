/** @jsxRuntime automatic @jsxImportSource preact */
/** The list of a resource, and the search. */
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { RecordOf } from '../../../../api/contract/resources.ts';
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
import { honorsHref, hrefOf, type RankedResource, searchedWords, songYearsPath } from '../addresses.ts';
import { tallyTexts } from '../counts.ts';
import { listAddress } from '../filters.ts';
import { usePlace } from '../page-context.ts';
import { Filtered, filtersOf } from '../parts/filter-form.tsx';
import { Decades, Pager, type Row, Rows } from '../parts/lists.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, useAnswer } from '../parts/page.tsx';
import type { DetailedNomination } from '../record.ts';
import { askList, type Listed, type ListedSong } from './listed.ts';
import { FilmTable, SearchExamples, SearchHits } from './search.tsx';

export function ListPage({ list }: { list: ResourceName | 'search' }) {
  const { query } = usePlace();
  const isOfWords = list === 'search';
  const address = listAddress(`/${list}`, query);
  const answer = useAnswer(address, (reading) => askList(reading, list, address));
  const resource = isOfWords ? 'nominations' : list;
  const isWithoutWords = isOfWords && !new URLSearchParams(query).get('q');
  return (
    <>
      {isOfWords ? <SearchHeading /> : <Heading title={capitalized(nouns[list].many)} />}
      <Advice list={list} query={new URLSearchParams(query)} />
      <Filtered
        // The search field of every page has the words.
        names={filtersOf(`/api/${list}`).filter((name) => name !== 'q' && name !== 'fuzzy')}
        isFolded={isOfWords}
        address={answer.value?.latest?.address ?? address}
        answer={answer}
        invalid={
          isWithoutWords
            ? 'Type the name of a film, a person or a song, or a category and a year.'
            : 'Nothing is shown until the filters above are right.'
        }
        below={isWithoutWords && <SearchExamples />}
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
        {found && total === 0
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
      {resource === 'movies' || resource === 'nominees' ? (
        <TalliedRows resource={resource} records={data as RecordOf[typeof resource][]} />
      ) : resource !== 'nominations' ? (
        <RecordRows resource={resource} records={data as RecordOf[typeof resource][]} />
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

function RecordRows<R extends RowResource>({ resource, records }: RecordRowsProps<R>) {
  const rows = records.map((record): Row => {
    const [label, detail, numbers] = describe[resource](record);
    return { href: hrefOf(resource, record), label, detail, ...(numbers && { numbers }) };
  });
  return <Rows rows={rows} />;
}

/** Rows of films or people, with their tallies when the columns are loaded. */
function TalliedRows<R extends RankedResource>({ resource, records }: RecordRowsProps<R>) {
  const ids = records.map(({ id }) => id);
  const tallied = useAnswer(`tallies/${resource}?${ids}`, async ({ tallies }) => {
    const tallyOf = await tallies(resource);
    return Object.fromEntries(ids.map((id) => [id, tallyOf(id)]));
  });
  const rows = records.map((record): Row => {
    const [label, detail] = describe[resource](record);
    const tally = tallied.value?.[record.id];
    // Empty texts keep the place of the numbers.
    return { href: hrefOf(resource, record), label, detail, numbers: tally ? tallyTexts(tally) : ['', ''] };
  });
  return <Rows rows={rows} />;
}

/** Advice about years, and other views of a list. */
function Advice({ list, query }: { list: ResourceName | 'search'; query: URLSearchParams }) {
  const year = Number(query.get('year'));
  if (list === 'nominations' && year > 1) {
    const nextYear = new URLSearchParams(query);
    nextYear.set('year', String(year + 1));
    nextYear.delete('page');
    return (
      <p class="advice">
        The year is that of the ceremony: {year} stands for films of {year - 1} or thereabouts.{' '}
        <a href={`/nominations?${nextYear}`}>Films of {year}</a> are under {year + 1}.
      </p>
    );
  }
  if (list === 'songs' || list === 'ceremonies')
    return (
      <p class="advice">
        {list === 'songs' ? (
          <a href={songYearsPath}>Songs by film year</a>
        ) : (
          <a href="/timeline">Best Picture, year by year</a>
        )}
      </p>
    );
  return null;
}
