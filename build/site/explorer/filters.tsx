/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * The form of a page with filters, made from the table of parameters. It is a plain GET form: the address
 * holds the values. A phone shows the fields as a sheet, which a button opens without a script.
 */
import { shapingParameters } from '../../../api/contract/addresses.ts';
import { type ParameterName, parameters } from '../../../api/contract/parameters.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { routes } from '../../../api/contract/routes.ts';
import { count } from '../shared/format.ts';
import { type Chip, chipsOf } from './filter-chips.ts';
import { type Choices, choicesIn } from './filter-choices.ts';
import { type Choice, described, faultText, type Filter, ordersOf, type Wording } from './filter-words.ts';
import type { Visit } from './parts.tsx';
import { rangeFields, rangeParameters, rangeShown, type YearKind, yearKinds } from './year-range.ts';

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

/** A query less the parameters that an address of the API does not take: a page ignores them. */
export function takenAt(address: string, query: URLSearchParams): URLSearchParams {
  const route = routes.get(address);
  const names: readonly string[] = route && 'parameters' in route ? route.parameters : [];
  return new URLSearchParams([...query].filter(([name]) => names.includes(name)));
}

interface FormProps {
  visit: Visit;
  names: readonly ParameterName[];
  choices: Choices;
  chips: readonly Chip[];
  faults: readonly ParameterFault[];
}

/**
 * The form with the filters of a page, and a chip for each that is set.
 * @param names see filtersOf()
 * @param faults of the values in the address
 */
export async function filterForm(
  visit: Visit,
  names: readonly ParameterName[],
  faults: readonly ParameterFault[] = [],
) {
  const [choices, chips] = await Promise.all([
    choicesIn(visit.snapshot, visit.path, names),
    chipsOf(visit, names),
  ]);
  return <FilterForm visit={visit} names={names} choices={choices} chips={chips} faults={faults} />;
}

function FilterForm({ visit: { path, query }, names, choices, chips, faults }: FormProps) {
  const words = described(path);
  const kinds = yearKinds(path, names);
  const ofRange = rangeParameters(kinds);
  const order = ordersOf(path);
  const isShown = (name: ParameterName) =>
    names.includes(name) && !ofRange.includes(name) && (choices[name]?.length !== 0 || query.has(name));
  const filters = (Object.keys(words) as ParameterName[])
    .filter(isShown)
    .map((name): [ParameterName, Filter] => [name, words[name]!]);
  if (order) filters.push(['sort', { label: 'Order', none: order[0]![1], select: order.slice(1) }]);
  const fieldOf = ([name, filter]: [ParameterName, Filter]) => (
    <Field
      key={name}
      name={name}
      filter={filter}
      value={query.get(name) ?? ''}
      choices={choices[name] ?? filter.select}
      fault={faultText(
        faults.find(({ parameter }) => parameter === name),
        words,
      )}
    />
  );
  const rareOnes = filters.filter(([, { isRare }]) => isRare);
  const isField = (name: string) =>
    filters.some(([shown]) => shown === name) || ofRange.some((own) => own === name);
  const kept = [...query].filter(([name]) => name !== 'page' && !isField(name));
  const search = query.get('q');
  const all = search === null ? path : `${path}?${new URLSearchParams({ q: search })}`;
  return (
    <form class="filters" id="filters" aria-label="Filters" action={path} autocomplete="off" data-auto>
      <button type="button" class="open-sheet" popovertarget="filter-sheet">
        Filters and order{chips.length > 0 && ` · ${count(chips.length, 'filter')} set`}
      </button>
      <div class="sheet" id="filter-sheet" popover="auto">
        <div class="fields">
          {filters.filter(([, { isRare }]) => !isRare).map(fieldOf)}
          {kinds.length > 0 && <Years query={query} kinds={kinds} faults={faults} words={words} />}
        </div>
        {rareOnes.length > 0 && (
          <details class="rare" open={rareOnes.some(([name]) => query.has(name))}>
            <summary>More filters</summary>
            <div class="fields">{rareOnes.map(fieldOf)}</div>
          </details>
        )}
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p class="apply">
          <button type="submit" class="primary">
            Show the list
          </button>
        </p>
      </div>
      {faults.map((fault) => (
        <p class={isField(fault.parameter) ? 'fault of-sheet' : 'fault'} key={fault.parameter}>
          {faultText(fault, words)}
        </p>
      ))}
      {chips.length > 0 && (
        <ul class="chosen" aria-label="Filters that are set">
          {chips.map(({ text, without }, at) => (
            <li key={text}>
              <a id={`chosen-${at}`} href={without}>
                <span class="visually-hidden">Remove the filter: </span>
                {text}
                <span aria-hidden="true"> ×</span>
              </a>
            </li>
          ))}
          {chips.length > 1 && (
            <li>
              <a class="remove-all" href={all}>
                Remove all filters
              </a>
            </li>
          )}
        </ul>
      )}
    </form>
  );
}

interface YearsProps {
  query: URLSearchParams;
  kinds: readonly YearKind[];
  faults: readonly ParameterFault[];
  words: Wording;
}

const kindLabels: Readonly<Record<YearKind, string>> = { ceremony: 'Ceremony years', film: 'Film years' };

/** One range, with a choice of its kind where a list takes both. */
function Years({ query, kinds, faults, words }: YearsProps) {
  const shown = rangeShown(query, kinds);
  const found = faults.filter(({ parameter }) => rangeParameters(kinds).some((own) => own === parameter));
  const common = { type: 'number', inputmode: 'numeric', autocomplete: 'off' } as const;
  const invalid = found.length > 0 ? { 'aria-describedby': 'filter-years-note', 'aria-invalid': true } : {};
  return (
    <fieldset class="field years">
      <legend>{kinds.length > 1 ? 'Years' : kindLabels[kinds[0]!]}</legend>
      {kinds.length > 1 && (
        <select name={rangeFields.kind} id="filter-years" aria-label="Which years">
          {kinds.map((kind) => (
            <option key={kind} value={kind} selected={kind === shown.kind}>
              {kindLabels[kind]}
            </option>
          ))}
        </select>
      )}
      {kinds.length === 1 && kinds[0] === 'film' && (
        <input type="hidden" name={rangeFields.kind} value="film" />
      )}
      <input
        {...common}
        {...invalid}
        name={rangeFields.from}
        id="filter-from"
        aria-label="From year"
        placeholder="From"
        value={shown.from}
      />
      <span aria-hidden="true">–</span>
      <input
        {...common}
        {...invalid}
        name={rangeFields.to}
        id="filter-to"
        aria-label="To year"
        placeholder="To"
        value={shown.to}
      />
      {found.length > 0 && (
        <p class="fault" id="filter-years-note">
          {found.map((fault) => faultText(fault, words)).join(' ')}
        </p>
      )}
    </fieldset>
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
  const common = {
    id,
    name,
    ...(fault && { 'aria-describedby': `${id}-note`, 'aria-invalid': true }),
  };
  const isKnown = choices.some(([own]) => own === value) || value === '';
  const known = isKnown ? choices : [...choices, [value, 'As in the address'] as const];
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
      {fault && (
        <p class="fault" id={`${id}-note`}>
          {fault}
        </p>
      )}
    </div>
  );
}
