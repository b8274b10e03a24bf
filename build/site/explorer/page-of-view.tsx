/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a view, or one that says that there is none. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { yearAt } from '../../../api/read/tables.ts';
import { nouns } from '../shared/format.ts';
import { awardHref, type View, withQuery } from './addresses.ts';
import { Refusal } from './ask.ts';
import { Heading, type Page, Rows, type Visit } from './parts.tsx';
import { views } from './views.ts';
import { withRange } from './year-range.ts';

/** The pages whose forms have a range of years. */
const takesYears: ReadonlySet<string> = new Set(['list', 'ranking', 'years', 'search']);

/**
 * The address that the page has instead of its own: a nomination has a place on the page of its ceremony, and
 * the range of a form is parameters of the API. Undefined for all others.
 */
export async function locationOf(visit: Visit, view: View): Promise<string | undefined> {
  if (view.kind === 'record' && view.resource === 'nominations') return placeOf(visit, view.id);
  const ranged = takesYears.has(view.kind) ? withRange(visit.query) : undefined;
  return ranged && withQuery(visit.path, ranged);
}

/** The place of a nomination on the page of its ceremony; undefined if there is none. */
async function placeOf({ snapshot }: Visit, id: number): Promise<string | undefined> {
  const table = await snapshot.table('nominations');
  const row = table.row(id);
  if (row < 0) return undefined;
  const ceremony = { id: table.ceremony.idAt(row), ceremony_year: yearAt(table, row) };
  return awardHref(ceremony, table.category.idAt(row));
}

export async function pageOf(visit: Visit, view: Exclude<View, { kind: 'moved' }>): Promise<Page> {
  try {
    if (view.kind === 'record') {
      const page = views.record[view.resource];
      return page ? await page(visit, view.id) : await notFound(visit, view.resource);
    }
    if (view.kind === 'list') return await views.list(visit, view.resource);
    if (view.kind === 'ranking') return await views.ranking(visit, view.ranking);
    if (view.kind === 'compare') return await views.compare(visit, view.resource);
    if (view.kind === 'unknown') return await notFound(visit);
    return await views[view.kind](visit);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return notFound(visit, view.kind === 'record' ? view.resource : undefined);
  }
}

/** For an address of nothing: a search for its words. */
async function notFound(visit: Visit, resource?: ResourceName): Promise<Page> {
  const words = decoded(visit.path)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const asked = resource ? words.replace(/^\w+ \d* ?/, '') : words;
  const groups = asked.length > 1 ? (await visit.find(asked)).groups : [];
  const title = resource ? `There is no such ${nouns[resource].one}` : 'There is no page at this address';
  const body = (
    <>
      <Heading title={title} />
      <p>
        The address may be mistyped, or the record was removed. Search for it above
        {resource && [
          ', or look through the ',
          <a key="list" href={`/${resource}`}>
            {nouns[resource].many}
          </a>,
        ]}
        .
      </p>
      {groups.length > 0 && (
        <section aria-label="Records with a similar name">
          <h2>Records with a similar name</h2>
          <Rows rows={groups.flatMap(({ hits }) => hits).slice(0, 5)} />
        </section>
      )}
    </>
  );
  return { title, description: 'There is nothing at this address.', body, status: 404, isIndexed: false };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
