/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * The form of a page with filters, made from the table of parameters. It is a plain GET form: the address
 * holds the values.
 */
import { shapingParameters } from '../../../api/contract/addresses.ts';
import { type ParameterName, parameters } from '../../../api/contract/parameters.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { withParameter } from '../../../api/contract/query-string.ts';
import { routes } from '../../../api/contract/routes.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { capitalized } from '../shared/format.ts';
import { withQuery } from './addresses.ts';
import type { Visit } from './parts.tsx';
import { categoriesOf, ceremoniesOf } from './record.ts';

/** A value that a reader can choose, and its text. */
type Choice = readonly [value: string, text: string];
type Choices = Partial<Record<ParameterName, readonly Choice[]>>;

/** "true=Winners only, false=Did not win" */
const choicesOf = (text: string): Choice[] =>
  text.split(', ').map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]);

interface Filter {
  label: string;
  /** Shown below "More filters". */
  isRare?: true;
  /** A list of choices instead of a text field. Those that are not given here come from the record. */
  select?: readonly Choice[];
  /** Text of the choice "no filter". */
  none?: string;
}

const isRare = true as const;

/**
 * In the order in which a form shows them. Filters by ids are for programs: an address can have them, a form
 * has not.
 */
const described: Partial<Record<ParameterName, Filter>> = {
  nominee: { label: 'Nominee' },
  recipient: { label: 'Recipient' },
  movie: { label: 'Film' },
  title: { label: 'Title' },
  name: { label: 'Name' },
  artist: { label: 'Artist' },
  category: { label: 'Category' },
  category_name: { label: 'Name' },
  category_group: { label: 'Group of categories', select: [] },
  genre: { label: 'Genre', select: [] },
  known_for_department: { label: 'Department', select: [] },
  winner: {
    label: 'Outcome',
    none: 'Any outcome',
    select: choicesOf('true=Winners only, false=Did not win'),
  },
  class: {
    label: 'Class',
    select: choicesOf('Special=Special awards, SciTech=Scientific and technical awards'),
  },
  filmYear: { label: 'Film year' },
  yearStart: { label: 'Ceremonies from year' },
  yearEnd: { label: 'Ceremonies to year' },
  year: { label: 'Ceremony year', isRare },
  filmYearStart: { label: 'Film years from', isRare },
  filmYearEnd: { label: 'Film years to', isRare },
  official: {
    label: 'Status',
    isRare,
    none: 'All nominations',
    select: choicesOf('true=Official, false=Unofficial'),
  },
  is_song: {
    label: 'Songs',
    isRare,
    none: 'All nominations',
    select: choicesOf('true=With a song, false=Without a song'),
  },
  ceremony_ids: { label: 'Ceremony', isRare, select: [] },
  limit: { label: 'Rows on a page', isRare, none: '25', select: choicesOf('10=10, 50=50, 100=100') },
};

/** The years of songs are those of their recordings. */
const ofSongs: Partial<Record<ParameterName, Filter>> = {
  yearStart: { label: 'Recorded from year', isRare },
  yearEnd: { label: 'Recorded to year', isRare },
  year: { label: 'Year of the recording', isRare },
};

/** Page → the orders that it offers, the usual one first. */
const orders: Readonly<Record<string, readonly Choice[]>> = {
  '/movies': choicesOf(
    '-entries=Nominations, -wins=Wins, title=Title, -release_date=Latest release, release_date=Earliest release, -runtime=Longest',
  ),
  '/nominees': choicesOf('-entries=Nominations, -wins=Wins, name=Name, birthday=Oldest, -birthday=Youngest'),
  '/songs': choicesOf('-id=Latest ceremony, title=Title, artist=Artist'),
  '/nominations': choicesOf('-year=Latest, year=Earliest, category=Category, movie=Film, nominee=Nominee'),
  '/search': choicesOf('relevance=Best match, -year=Latest, year=Earliest'),
};
const ofRankings = choicesOf('nominations=Nominations, wins=Wins, unrewarded=Nominations without a win');

const ordersOf = (path: string): readonly Choice[] | undefined =>
  path.startsWith('/rankings/') ? ofRankings : orders[path];

/** The parameters of an address of the API that a form offers; links turn the pages. */
export function filtersOf(address: string): ParameterName[] {
  const route = routes.get(address);
  if (!route || !('parameters' in route)) return [];
  const isPaged = route.kind !== 'list' || route.paginated;
  const isShown = (name: ParameterName) =>
    name === 'limit'
      ? isPaged
      : !shapingParameters.has(name) && name !== 'q' && name !== 'fuzzy' && name !== 'by';
  return route.parameters.filter(isShown);
}

/**
 * The address of the API for a list: in the usual order of its page, unless the query names one.
 * @param include added members
 */
export function listAddress(path: string, query: string, include?: string): string {
  const order = orders[path]?.[0]?.[0];
  const isUsual = order === undefined || order === 'relevance' || new URLSearchParams(query).has('sort');
  // The API reports what is wrong in the query as it is.
  const sorted = isUsual ? query : `${query && `${query}&`}sort=${order}`;
  return withQuery(`/api${path}`, include ? withParameter(sorted, 'include', include) : sorted);
}

const distinct = (values: readonly (string | null)[]): Choice[] =>
  [...new Set(values)]
    .filter((value) => value !== null)
    .sort()
    .map((value) => [value, value]);

/** The choices that the record gives. A filter without any is not shown: it has no effect. */
async function choicesIn(snapshot: Snapshot, names: readonly ParameterName[]): Promise<Choices> {
  const choices: Choices = {};
  if (names.some((name) => name.startsWith('category'))) {
    const all = await categoriesOf(snapshot);
    choices.category = choices.category_name = all.map(({ category_name: name }) => [name, name]);
    choices.category_group = distinct(all.map((category) => category.category_group));
  }
  if (names.includes('ceremony_ids'))
    choices.ceremony_ids = (await ceremoniesOf(snapshot)).map(({ id, show_title, ceremony_year }) => [
      String(id),
      `${ceremony_year}${show_title === null ? '' : ` · ${show_title}`}`,
    ]);
  if (names.includes('genre')) choices.genre = distinct((await snapshot.table('films')).genres.texts);
  if (names.includes('known_for_department'))
    choices.known_for_department = distinct((await snapshot.table('people')).department.values);
  return choices;
}

interface FormProps {
  visit: Visit;
  names: readonly ParameterName[];
  choices: Choices;
  faults: readonly ParameterFault[];
  isFolded: boolean;
}

/**
 * The form with the filters of a page.
 * @param names see filtersOf()
 * @param faults of the values in the address
 * @param isFolded whether the fields are closed on wide screens, too
 */
export async function filterForm(
  visit: Visit,
  names: readonly ParameterName[],
  faults: readonly ParameterFault[] = [],
  isFolded = false,
) {
  const choices = await choicesIn(visit.snapshot, names);
  return <FilterForm visit={visit} names={names} choices={choices} faults={faults} isFolded={isFolded} />;
}

function FilterForm({ visit: { path, query }, names, choices, faults, isFolded }: FormProps) {
  const own = (path === '/songs' && ofSongs) || {};
  const order = ordersOf(path);
  const filters: [ParameterName, Filter][] = (Object.keys(described) as ParameterName[])
    .filter((name) => names.includes(name) && (choices[name]?.length !== 0 || query.has(name)))
    .map((name) => [name, own[name] ?? described[name]!]);
  if (order) filters.push(['sort', { label: 'Order by', none: order[0]![1], select: order.slice(1) }]);
  const isSet = (name: ParameterName) => query.has(name);
  const set = filters.filter(([name]) => isSet(name));
  const others = faults.filter(({ parameter }) => !filters.some(([name]) => name === parameter));
  const fieldOf = ([name, filter]: [ParameterName, Filter]) => (
    <Field
      key={name}
      name={name}
      filter={filter}
      value={query.get(name) ?? ''}
      choices={choices[name] ?? filter.select}
      fault={faults.find(({ parameter }) => parameter === name)?.message}
    />
  );
  const rareOnes = filters.filter(([, { isRare }]) => isRare);
  const kept = [...query].filter(([name]) => name !== 'page' && !filters.some(([shown]) => shown === name));
  const words = query.get('q');
  return (
    <form class="filters" id="filters" aria-label="Filters" action={path} autocomplete="off" data-auto>
      <details
        class={isFolded && set.length === 0 ? undefined : 'roomy'}
        open={faults.length > others.length}
      >
        <summary>Filters and order{set.length > 0 && ` (${set.length} set)`}</summary>
        <div class="fields">{filters.filter(([, { isRare }]) => !isRare).map(fieldOf)}</div>
        {rareOnes.length > 0 && (
          <details class="rare" open={rareOnes.some(([name]) => isSet(name))}>
            <summary>More filters</summary>
            <div class="fields">{rareOnes.map(fieldOf)}</div>
          </details>
        )}
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Apply</button>
      </details>
      {others.map(({ message }) => (
        <p class="fault" key={message}>
          {message}
        </p>
      ))}
      {(set.length > 0 || others.length > 0) && (
        <p class="links">
          <a href={words === null ? path : `${path}?${new URLSearchParams({ q: words })}`}>
            Remove all filters
          </a>
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  name: ParameterName;
  filter: Filter;
  value: string;
  choices: readonly Choice[] | undefined;
  fault: string | undefined;
}

function Field({ name, filter, value, choices = [], fault }: FieldProps) {
  const { label, select, none = 'All' } = filter;
  const id = `filter-${name}`;
  const isInteger = parameters[name].kind === 'integer';
  const note = fault?.replace(name, label);
  const common = {
    id,
    name,
    ...(note && { 'aria-describedby': `${id}-note`, 'aria-invalid': true }),
  };
  const known =
    choices.some(([own]) => own === value) || value === '' ? choices : [...choices, [value, value] as const];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {select ? (
        <select {...common}>
          <option value="">{none}</option>
          {known.map(([own, text]) => (
            <option key={own} value={own} selected={own === value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type={isInteger ? 'number' : 'text'}
          list={choices.length > 0 ? `${id}-list` : undefined}
          autocomplete="off"
          value={value}
        />
      )}
      {!select && choices.length > 0 && (
        <datalist id={`${id}-list`}>
          {choices.map(([own]) => (
            <option key={own} value={own} />
          ))}
        </datalist>
      )}
      {note && (
        <p class="fault" id={`${id}-note`}>
          {capitalized(note)}
        </p>
      )}
    </div>
  );
}
