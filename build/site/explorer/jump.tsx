/** @jsxRuntime automatic @jsxImportSource preact */
/** Links into a long list: to the films or ceremonies of a decade, and to the titles or names of a letter. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { changed } from './addresses.ts';
import { orderByText } from './filter-words.ts';
import { isInOrderOfText, lettersIn } from './letters.ts';
import { Chips, type Visit } from './parts.tsx';
import { ceremoniesOf, decadesOf } from './record.ts';
import { decadeParameters, rangeParameters, type YearKind } from './year-range.ts';

/** The lists that have decades, and which years these are. */
const yearsOf: Partial<Record<ResourceName, YearKind>> = {
  movies: 'film',
  nominees: 'ceremony',
  songs: 'film',
  nominations: 'ceremony',
  honors: 'ceremony',
};
/**
 * The links of a list; undefined for a short one.
 * @param asked what the list asks the API for; undefined if it is not valid
 */
export async function jumpLinks(visit: Visit, resource: ResourceName, asked: URLSearchParams | undefined) {
  const { path, query, snapshot } = visit;
  const kind = yearsOf[resource];
  if (kind === undefined) return undefined;
  const years = (await ceremoniesOf(snapshot)).map((ceremony) => ceremony.ceremony_year);
  const taken = rangeParameters(path === '/songs' ? ['film'] : ['film', 'ceremony']);
  const without = Object.fromEntries(taken.map((name) => [name, undefined]));
  const decades = decadesOf(years).map((decade): [href: string, text: string] => [
    changed(path, query, { ...without, ...decadeParameters(kind, decade) }),
    `${decade}s`,
  ]);
  const chosen = decades.find(([href]) => href === changed(path, query, {}))?.[1];
  const order = orderByText[path];
  const isByText = isInOrderOfText(visit);
  if (order !== undefined && !isByText) decades.push([changed(path, query, { sort: order }), 'A–Z']);
  return (
    <div class="jump">
      <span class="soft" aria-hidden="true">
        {kind === 'film' ? 'Films of the' : 'Ceremonies of the'}
      </span>
      <Chips
        label={kind === 'film' ? 'Films of a decade' : 'Ceremonies of a decade'}
        links={decades}
        current={chosen}
      />
      {isByText && asked && <Chips label="Letters" links={await lettersIn(visit, resource, asked)} />}
    </div>
  );
}

/** The latest decade with honors; undefined without any. */
export async function latestDecadeOfHonors({ snapshot }: Visit): Promise<number | undefined> {
  const [honors, ceremonies] = await Promise.all([snapshot.table('honors'), snapshot.table('ceremonies')]);
  return decadesOf(honors.ceremony.map((id) => ceremonies.year[ceremonies.row(id)]!))[0];
}
