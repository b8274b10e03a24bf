/** @jsxRuntime automatic @jsxImportSource preact */
/** A page with filters: its form, made from the table of parameters, and its answer. The address holds the chosen values. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ParameterName, parameters } from '../../../../api/contract/parameters.ts';
import type { ParameterFault } from '../../../../api/contract/problems.ts';
import { shapingParameters } from '../../../../api/contract/accepted.ts';
import { routes } from '../../../../api/contract/routes.ts';
import { ApiError } from '../../shared/api.ts';
import { type Choice, type Filter, filterOn, filters } from '../filters.ts';
import { apartParameter, knownQuery, searchHref, withQuery } from '../addresses.ts';
import { navigate } from '../navigation.ts';
import { usePlace } from '../page-context.ts';
import type { Reading } from '../record.ts';
import { type Answer, focusResults, Shown, useAnswer } from './page.tsx';
import { RequestShown } from './lists.tsx';

/** The parameters of an address that a form offers; links turn the pages. */
export function filtersOf(path: string): ParameterName[] {
  const route = routes.get(path);
  if (!route || !('parameters' in route)) return [];
  const isPaged = route.kind !== 'list' || route.paginated;
  const isShown = (name: ParameterName) => {
    if (name === 'limit') return isPaged;
    return name === 'sort' || !shapingParameters.has(name);
  };
  return route.parameters.filter(isShown);
}

interface FilteredProps<T> {
  names: readonly ParameterName[];
  /** Address of the API with the same answer, if there is one. */
  address: string | undefined;
  answer: Answer<T>;
  /** Shown instead of the answer while a filter is wrong. */
  invalid: string;
  isFolded?: boolean;
  above?: ComponentChildren;
  below?: ComponentChildren;
  children: (value: T) => ComponentChildren;
}

/** Filters, the answer, and the request to the API that has the same answer. */
export function Filtered<T>(props: FilteredProps<T>) {
  const { names, address, answer, invalid, isFolded = false, above, below, children } = props;
  const isInvalid =
    answer.state === 'failed' && answer.error instanceof ApiError && answer.error.status === 400;
  return (
    <>
      <a class="skip" href="#results">
        Skip the filters
      </a>
      <FilterForm
        names={names}
        faults={isInvalid ? (answer.error as ApiError).faults : []}
        isFolded={isFolded}
      />
      {above}
      {isInvalid ? (
        <p role="status">{invalid}</p>
      ) : (
        <div id="results" tabIndex={-1}>
          <Shown answer={answer}>{children}</Shown>
        </div>
      )}
      {below}
      {!isInvalid && address !== undefined && <RequestShown address={address} />}
    </>
  );
}

interface FormProps {
  names: readonly ParameterName[];
  faults: readonly ParameterFault[];
  isFolded: boolean;
}

function FilterForm({ names, faults, isFolded }: FormProps) {
  const { path, query: queryString } = usePlace();
  const query = new URLSearchParams(queryString);
  // A page from a server has the choices: the browser loads their code with the first page that it makes itself.
  const load = async (reading: Reading) =>
    (await import('../choices.ts')).loadChoices(reading, path, names, filterOn(path, 'sort').choices);
  const choices = useAnswer(`choices${path}/${names.join()}`, load).value ?? {};
  const setCount = names.filter((name) => query.has(name)).length;
  const otherFaults = faults.filter(({ parameter }) => !names.some((name) => name === parameter));
  const isWrong = faults.length > otherFaults.length;
  const [isWrongAtFirst] = useState(isWrong);
  const isUnfolded = !isFolded || setCount > 0;
  const details = useRef<HTMLDetailsElement>(null);
  // On a narrow screen, results come first. Until the program runs, the style of "roomy" shows the same.
  useLayoutEffect(() => {
    const own = details.current;
    if (own && isUnfolded && matchMedia('(min-width: 40rem)').matches) own.open = true;
    own?.classList.remove('roomy');
  }, []);
  // A wrong filter has no results, and its message stands in the form.
  useLayoutEffect(() => {
    if (details.current && isWrong) details.current.open = true;
  }, [isWrong]);
  // Where the record has no values to choose from, a filter has no effect.
  const shown = (Object.keys(filters) as ParameterName[]).filter(
    (name) => names.includes(name) && (choices[name]?.length !== 0 || query.has(name)),
  );
  const words = query.get('q');
  const rare = shown.filter((name) => filterOn(path, name).isRare);
  const fieldOf = (name: ParameterName) => (
    <Field
      key={name}
      name={name}
      filter={filterOn(path, name)}
      value={query.get(name) ?? ''}
      choices={choicesFor(filterOn(path, name), choices[name], query.get(name))}
      fault={faults.find(({ parameter }) => parameter === name)?.message}
    />
  );
  return (
    <form
      class="filters"
      id="filters"
      aria-label="Filters"
      action={path}
      onSubmit={(event) => event.preventDefault()}
    >
      <details ref={details} class={isUnfolded ? 'roomy' : undefined} open={isWrongAtFirst}>
        <summary>Filters{setCount > 0 && ` (${setCount})`}</summary>
        <div class="fields">{shown.filter((name) => !rare.includes(name)).map(fieldOf)}</div>
        {rare.length > 0 && (
          <details open={rare.some((name) => query.has(name))}>
            <summary>More filters</summary>
            <div class="fields">{rare.map(fieldOf)}</div>
          </details>
        )}
        {otherParameters(query, names).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class="without-script">
          Show
        </button>
      </details>
      {otherFaults.map(({ message }) => (
        <p class="fault" key={message}>
          {message}
        </p>
      ))}
      <p class="reset">
        <a
          href={words === null || names.includes('q') ? path : searchHref(words)}
          hidden={setCount === 0 && otherFaults.length === 0}
          onClick={focusResults}
        >
          Remove all filters
        </a>
      </p>
    </form>
  );
}

/** Other parameters of the page, which the form keeps. The tabs of the page of years stand below it. */
const otherParameters = (query: URLSearchParams, names: readonly ParameterName[]): [string, string][] =>
  [...query].filter(([name]) => ![...names, 'page', apartParameter].includes(name));

/** The choices of a field. A select also offers the current value when the record does not have it. */
function choicesFor(
  { isSelect, choices: fixed }: Filter,
  loaded: readonly Choice[] | undefined,
  value: string | null,
): readonly Choice[] | undefined {
  if (!isSelect) return loaded;
  const choices = loaded ?? fixed ?? [];
  if (value === null || choices.some((choice) => choice.value === value)) return choices;
  return [...choices, { value, text: value }];
}

/** The address with another value of a parameter, on its first page. */
function withValue(name: ParameterName, value: string, preset?: string): string {
  const query = new URLSearchParams(knownQuery(location.search.slice(1)));
  if (value === '' || value === preset) query.delete(name);
  else query.set(name, value);
  query.delete('page');
  return withQuery(location.pathname, query);
}

interface FieldProps {
  name: ParameterName;
  filter: Filter;
  value: string;
  choices: readonly Choice[] | undefined;
  fault: string | undefined;
}

function Field({ name, filter, value, choices, fault }: FieldProps) {
  const id = useId();
  const { label, hint, isSelect, none = 'All', preset } = filter;
  const describedBy = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined;
  const common = { id, name, 'aria-describedby': describedBy, 'aria-invalid': fault !== undefined };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isSelect ? (
        <select
          {...common}
          value={value || preset || ''}
          onChange={({ currentTarget }) => navigate(withValue(name, currentTarget.value, preset))}
        >
          {preset === undefined && <option value="">{none}</option>}
          {choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      ) : (
        <TextField {...common} value={value} choices={choices} />
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault.replaceAll(/\b[a-zA-Z_]+\b/g, (word) => filters[word as ParameterName]?.label ?? word)}
        </p>
      )}
      {hint && !fault && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A text takes effect on each input, a number when it is complete. */
function TextField(props: Pick<FieldProps, 'name' | 'value' | 'choices'> & { id: string }) {
  const { name, value, choices, id } = props;
  const { choices: _choices, value: _value, ...attributes } = props;
  const field = useRef<HTMLInputElement>(null);
  const isBegun = useRef(false);
  const isNumber = parameters[name].kind === 'integer';
  // Uncontrolled, so that a re-render does not disturb the input.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [value]);
  const apply = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    // One history entry for all that is typed at a time.
    navigate(withValue(name, currentTarget.value), { replace: isBegun.current });
    isBegun.current = !isNumber;
  };
  return (
    <>
      <input
        {...attributes}
        ref={field}
        type={isNumber ? 'number' : 'text'}
        inputMode={isNumber ? 'numeric' : undefined}
        list={choices ? `${id}-list` : undefined}
        autocomplete="off"
        defaultValue={value}
        onFocus={() => {
          isBegun.current = false;
        }}
        {...(isNumber ? { onChange: apply } : { onInput: apply })}
      />
      {choices && (
        <datalist id={`${id}-list`}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} />
          ))}
        </datalist>
      )}
    </>
  );
}
