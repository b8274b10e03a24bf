/** The page of a list: its filters, what they find, and the request that finds the same. */
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { Nomination, RecordOf } from '../../../../api/contract/resources.ts';
import { routes } from '../../../../api/contract/routes.ts';
import type { Pagination } from '../../../../api/read/documents.ts';
import { recordHref } from '../addresses.ts';
import { type Answered, useAnswer } from '../answers.ts';
import { talliesOf, tallyTexts } from '../counts.ts';
import { number } from '../format.ts';
import { usePlace } from '../navigation.ts';
import { FilterForm } from '../parts/filter-form.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, Shown } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { RequestShown } from '../parts/request.tsx';
import { Rows, rowOf } from '../parts/rows.tsx';
import { ask, Unanswered } from '../record.ts';

/** What a list answers: one page of it, or all with their number. */
interface Listed {
  data: RecordOf[ResourceName][];
  pagination?: Pagination;
  count?: number;
}

const titles: Readonly<Record<ResourceName | 'search', { title: string; one: string; many: string }>> = {
  nominations: { title: 'Nominations', one: 'nomination', many: 'nominations' },
  ceremonies: { title: 'Ceremonies', one: 'ceremony', many: 'ceremonies' },
  movies: { title: 'Films', one: 'film', many: 'films' },
  nominees: { title: 'People and companies', one: 'person or company', many: 'people and companies' },
  categories: { title: 'Categories', one: 'category', many: 'categories' },
  songs: { title: 'Songs', one: 'song', many: 'songs' },
  search: { title: 'Search', one: 'nomination', many: 'nominations' },
};

/** What the wrong filters are told apart from everything else that can go wrong. */
export const faultsOf = (answer: Answered<unknown>) =>
  answer.state === 'failed' && answer.error instanceof Unanswered && answer.error.status === 400
    ? answer.error.faults
    : undefined;

export function ListPage({ list }: { list: ResourceName | 'search' }) {
  const { query } = usePlace();
  const path = `/api/${list}`;
  const address = query === '' ? path : `${path}?${query}`;
  const answer = useAnswer(address, () => ask<Listed>(address));
  const faults = faultsOf(answer);
  const { title } = titles[list];
  return (
    <>
      <Heading title={title} />
      <Advice list={list} query={new URLSearchParams(query)} />
      <FilterForm names={settable(path)} faults={faults} />
      {faults ? (
        <p role="status">
          {query === ''
            ? 'Write at least two letters to search for.'
            : 'Nothing is shown until the filters above are right.'}
        </p>
      ) : (
        <Shown answer={answer} what={titles[list].one}>
          {(listed) => <Found list={list} listed={listed} />}
        </Shown>
      )}
      {!faults && <RequestShown address={address} />}
    </>
  );
}

/** The parameters of an address that a reader sets; the page they turn. */
export function settable(path: string) {
  const route = routes.get(path);
  if (!route || !('parameters' in route)) return [];
  const paged = route.kind !== 'list' || route.paginated;
  return route.parameters.filter((name) => name !== 'page' && (paged || name !== 'limit'));
}

function Found({ list, listed }: { list: ResourceName | 'search'; listed: Listed }) {
  const { data, pagination, count = 0 } = listed;
  const total = pagination?.total ?? count;
  const { one, many } = titles[list];
  const isOfNominations = list === 'nominations' || list === 'search';
  return (
    <section class="found" aria-label="Results">
      <p class="total" role="status">
        {total === 0 ? `No ${many} match these filters.` : `${number(total)} ${total === 1 ? one : many}`}
      </p>
      {total > 0 && isOfNominations && <p class="advice">Those nominated together have a row each.</p>}
      {isOfNominations ? (
        data.length > 0 && (
          <NominationTable
            caption="Nominations"
            nominations={data as Nomination[]}
            shown={['year', 'category', 'film', 'nominees', 'outcome']}
            each
          />
        )
      ) : (
        <RowsOf resource={list} records={data} />
      )}
      {pagination && <Pager pagination={pagination} />}
    </section>
  );
}

type Referenced = Exclude<ResourceName, 'nominations'>;

/** Rows with what the columns tell of each, once they are there. */
function RowsOf({ resource, records }: { resource: Referenced; records: readonly RecordOf[ResourceName][] }) {
  const counted = resource === 'movies' || resource === 'nominees' ? resource : undefined;
  const ids = records.map(({ id }) => id);
  const tallies = useAnswer(`tallies/${resource}?${ids}`, async () =>
    counted ? talliesOf(counted, ids) : undefined,
  );
  return (
    <Rows
      rows={records.map((record) => {
        const tally = tallies.value?.get(record.id);
        return {
          ...rowOf(resource, record),
          href: recordHref(resource, record.id),
          ...(counted && { numbers: tally ? tallyTexts(tally) : noTexts }),
        };
      })}
    />
  );
}

/** Until they are counted, their place is kept. */
const noTexts: [string, string] = ['', ''];

/** What readers stumble over. */
function Advice({ list, query }: { list: ResourceName | 'search'; query: URLSearchParams }) {
  const year = Number(query.get('year'));
  if (list === 'nominations' && year > 1)
    return (
      <p class="advice">
        The ceremony held in {year} was for films of {year - 1} or thereabouts.{' '}
        <a href={`/nominations?${changedTo(query, 'year', String(year + 1))}`}>Films of {year}</a> were up for
        the ceremony of {year + 1}.
      </p>
    );
  if (list === 'songs')
    return (
      <p class="advice">
        Songs of a certain year stand among the <a href="/nominations?is_song=true">song nominations</a>, by
        the year of the ceremony.
      </p>
    );
  return null;
}

function changedTo(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set(name, value);
  changed.delete('page');
  return changed;
}
