/** @jsxRuntime automatic @jsxImportSource preact */
/** Lists of records with filters and orders. */
import type { NomineeKind, ResourceName } from '../../../../api/contract/names.ts';
import { capitalized, count, nouns } from '../../shared/format.ts';
import { changed, searchHref } from '../addresses.ts';
import { areFaults, orFaults, tallyAt } from '../ask.ts';
import { askList, isByCounts } from '../ask-list.ts';
import { filterForm, filtersOf, takenAt } from '../filters.tsx';
import { listAddress } from '../filter-words.ts';
import { jumpLinks, latestDecadeOfHonors } from '../jump.tsx';
import { Chips, Heading, type Page, Pager, RequestShown, type Visit } from '../parts.tsx';
import { rowsOf, rowsText } from './list-rows.tsx';

/** What the API adds to the records of a list. */
const included: Partial<Record<ResourceName, string>> = {
  movies: 'counts,film_year',
  ceremonies: 'film_years',
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
  const { many } = nouns[resource];
  const kind = resource === 'nominees' ? nomineeKindIn(query) : undefined;
  const title = kind ? nomineeTitles[kind] : capitalized(many);
  const asked = takenAt(`/api/${resource}`, query);
  if (kind === 'all') asked.delete('kind');
  else if (kind) asked.set('kind', kind);
  // The API lists the oldest honors first; without a filter, the page has the latest.
  const latest = resource === 'honors' ? await latestDecadeOfHonors(visit) : undefined;
  const isLatest = latest !== undefined && [...asked.keys()].every((name) => /^(page|limit)$/.test(name));
  if (isLatest) asked.set('yearStart', String(latest));
  const address = listAddress(path, String(asked), included[resource]);
  const answer = await orFaults(askList<never>(snapshot, address));
  const faults = areFaults(answer) ? answer : [];
  const [form, jump] = await Promise.all([
    filterForm(visit, filtersOf(`/api/${resource}`), faults),
    jumpLinks(visit, resource, faults.length > 0 ? undefined : searchOf(address)),
  ]);
  const total = areFaults(answer) ? 0 : (answer.pagination?.total ?? answer.count ?? 0);
  const body = (
    <>
      <Heading title={title}>
        {kind && <NomineeKinds visit={visit} kind={kind} />}
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
      {jump}
      <section id="results" aria-label="Results">
        {areFaults(answer) && <p role="status">Correct the marked filters to see the list.</p>}
        {!areFaults(answer) && total === 0 && <Nothing visit={visit} resource={resource} />}
        {!areFaults(answer) && total > 0 && (
          <>
            <p class="total" role="status">
              {resource === 'nominations'
                ? rowsText(total, await tallyAt(snapshot, query))
                : count(total, ...nounsOf(resource, kind))}
              {isLatest && ` since ${latest}`}
            </p>
            {await rowsOf(visit, resource, answer.data)}
            {answer.pagination && <Pager visit={visit} pagination={answer.pagination} />}
          </>
        )}
      </section>
      {!areFaults(answer) && (
        <RequestShown visit={visit} address={address}>
          {isByCounts(searchOf(address).get('sort')) && (
            <p>The API sorts by all nominations, this page by the official ones: the order can differ.</p>
          )}
        </RequestShown>
      )}
    </>
  );
  const description = `${title} of the film awards, with filters.`;
  return { title, description, body, ...(faults.length > 0 && { isIndexed: false as const }) };
}

const searchOf = (address: string) => new URLSearchParams(address.split('?')[1]);

/** People, unless the address asks for companies and countries, or for all. */
type ListedKind = NomineeKind | 'all';
const nomineeTitles: Readonly<Record<ListedKind, string>> = {
  person: 'People',
  company: 'Companies and countries',
  all: 'People and companies',
};
const nomineeKindIn = (query: URLSearchParams): ListedKind => {
  const kind = query.get('kind');
  return kind === 'company' || kind === 'all' ? kind : 'person';
};
function nounsOf(resource: ResourceName, kind: ListedKind | undefined): [one: string, many: string] {
  if (kind === 'person') return ['person', 'people'];
  if (kind === 'company') return ['company or country', 'companies and countries'];
  const { one, many } = nouns[resource];
  return [one, many];
}

const NomineeKinds = ({ visit: { path, query }, kind }: { visit: Visit; kind: ListedKind }) => (
  <Chips
    label="Kinds of nominees"
    current={nomineeTitles[kind]}
    links={Object.entries(nomineeTitles).map(([own, text]) => [
      changed(path, query, { kind: own === 'person' ? undefined : own }),
      text,
    ])}
  />
);

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
