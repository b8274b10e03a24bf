/** A form for the parameters of an address, made from the interface's own table; what is chosen stands in the address. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ParameterName, parameters } from '../../../../api/contract/parameters.ts';
import { useAnswer } from '../answers.ts';
import {
  alwaysChosen,
  type Choice,
  type Choices,
  choicesWithoutRecord,
  isChosen,
  isFree,
  type Label,
  labelOf,
  labels,
  loadChoices,
  withoutFilter,
} from '../filters.ts';
import { navigate, usePlace } from '../navigation.ts';
import type { Fault } from '../record.ts';

/**
 * @param props.names the parameters that can be set here
 * @param props.faults what is wrong with them
 * @param props.folded whether they wait to be unfolded
 */
export function FilterForm(props: {
  names: readonly ParameterName[];
  faults?: readonly Fault[] | undefined;
  folded?: boolean;
}) {
  const { names, faults = [], folded = false } = props;
  const place = usePlace();
  const query = new URLSearchParams(place.query);
  const answer = useAnswer(`choices/${names.join()}`, () => loadChoices(names));
  const choices = answer.value ?? {};
  const set = names.filter((name) => query.has(name)).length;
  // What the address says besides, and is wrong.
  const others = faults.filter(({ parameter }) => !names.some((name) => name === parameter));
  // Where there is little room, what was found comes first.
  const [open] = useState(() => matchMedia('(min-width: 40rem)').matches && (!folded || set > 0));
  const [often, seldom] = [inOrder(names, place.path, false), inOrder(names, place.path, true)];
  const fieldOf = (name: ParameterName) => (
    <Field
      key={name}
      name={name}
      label={labelOf(name, place.path)}
      value={query.get(name) ?? ''}
      choices={choicesFor(name, choices, query.get(name))}
      fault={faults.find(({ parameter }) => parameter === name)?.message}
    />
  );
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <details open={open}>
        <summary>Filters{set > 0 && `, ${set} set`}</summary>
        <div class="fields">{often.map(fieldOf)}</div>
        {seldom.length > 0 && (
          <details open={seldom.some((name) => query.has(name))}>
            <summary>More filters</summary>
            <div class="fields">{seldom.map(fieldOf)}</div>
          </details>
        )}
      </details>
      {others.map(({ message }) => (
        <p class="fault" key={message}>
          {message}
        </p>
      ))}
      <p class="reset">
        <a href={place.path} hidden={set === 0 && others.length === 0}>
          Remove all filters
        </a>
      </p>
    </form>
  );
}

/** In the order in which the labels stand, which is that of how much they matter to a reader. */
const inOrder = (names: readonly ParameterName[], path: string, seldom: boolean): ParameterName[] =>
  (Object.keys(labels) as ParameterName[]).filter(
    (name) => names.includes(name) && (labelOf(name, path).seldom ?? false) === seldom,
  );

/** What can be chosen, with what the address says even where the record does not know it. */
function choicesFor(
  name: ParameterName,
  loaded: Choices,
  value: string | null,
): readonly Choice[] | undefined {
  const choices = choicesWithoutRecord(name) ?? loaded[name] ?? (isChosen(name) ? [] : undefined);
  if (!choices || value === null || isFree(name)) return choices;
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, text: value }];
}

/** The address with another value of a parameter, and from its first page. */
function withValue(name: ParameterName, value: string): string {
  const query = new URLSearchParams(location.search);
  if (value === '' || value === alwaysChosen[name]) query.delete(name);
  else query.set(name, value);
  query.delete('page');
  const text = query.toString();
  return text === '' ? location.pathname : `${location.pathname}?${text}`;
}

interface FieldProps {
  name: ParameterName;
  label: Label;
  value: string;
  choices: readonly Choice[] | undefined;
  fault: string | undefined;
}

function Field({ name, label: { label, hint }, value, choices, fault }: FieldProps) {
  const id = useId();
  const described = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined;
  const common = { id, 'aria-describedby': described, 'aria-invalid': fault !== undefined };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices && !isFree(name) ? (
        <select
          {...common}
          name={name}
          value={value || alwaysChosen[name] || ''}
          onChange={({ currentTarget }) => navigate(withValue(name, currentTarget.value))}
        >
          {alwaysChosen[name] === undefined && <option value="">{withoutFilter[name] ?? 'All'}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      ) : (
        <WrittenField {...common} name={name} value={value} choices={choices} />
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault.replaceAll(/\b[a-zA-Z_]+\b/g, (word) => labels[word as ParameterName]?.label ?? word)}
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

/** Text takes effect while it is written, a number when it is complete. */
function WrittenField(props: Omit<FieldProps, 'fault' | 'label'> & { id: string }) {
  const { name, value, choices, id, ...rest } = props;
  const field = useRef<HTMLInputElement>(null);
  const begun = useRef(false);
  const isNumber = parameters[name].kind === 'integer';
  // The address may change otherwise; what is being written is not disturbed by anything else.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [value]);
  const write = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const href = withValue(name, currentTarget.value);
    // One entry of the history for all that is written in one go.
    navigate(href, { replace: begun.current });
    begun.current = !isNumber;
  };
  return (
    <>
      <input
        {...rest}
        ref={field}
        id={id}
        name={name}
        type={isNumber ? 'number' : 'text'}
        inputMode={isNumber ? 'numeric' : undefined}
        list={choices ? `${id}-list` : undefined}
        autocomplete="off"
        onFocus={() => {
          begun.current = false;
        }}
        {...(isNumber ? { onChange: write } : { onInput: write })}
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
