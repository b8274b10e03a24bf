/** @jsxRuntime automatic @jsxImportSource preact */
/** The search: its page, and the options below the field. */
import type { SearchResult } from '../../../../api/contract/answers.ts';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { searchPath } from '../../../../api/contract/routes.ts';
import { number } from '../../shared/format.ts';
import { changed, searchHref, withQuery } from '../addresses.ts';
import { areFaults, ask, orFaults } from '../ask.ts';
import { filterForm, filtersOf, takenAt } from '../filters.tsx';
import { Heading, listed, type Page, Pager, RequestShown, Rows, type Visit } from '../parts.tsx';
import type { Finding, Hit } from '../search.ts';
import { nominationRows, rowsText } from './list-rows.tsx';

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
  const form = await filterForm(visit, names, faults);
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
  for (const [name, value] of takenAt(path, query))
    if (name !== 'q' && (isSearch || value !== 'relevance')) parameters.set(name, value);
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
