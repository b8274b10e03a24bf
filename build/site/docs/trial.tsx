/** The panel that sends a request of the reference and shows the answer. */
import { render } from 'preact';
import { useId, useState } from 'preact/hooks';
import { splitTarget } from '../../../api/contract/target.ts';
import { size } from '../shared/format.ts';
import { keyHeader, storedKey, storeKey } from '../shared/key.ts';
import type { Described, Parameter } from './description.ts';
import { type Received, sendRequest } from './requests.ts';

type Values = Readonly<Record<string, string>>;
/** Longer texts are cut: a whole list as a file can have megabytes. */
const maxCharacters = 100_000;

export interface TrialParameter {
  name: string;
  place: Parameter['in'];
  isRequired: boolean;
  /** Values with commas between them. */
  isList: boolean;
  /** Valid values; empty if they are not limited. */
  choices: readonly string[];
}

/** What a panel needs to know about an operation: the section of the operation has it as data. */
export interface TriedOperation extends Pick<Described, 'method' | 'path'> {
  parameters: readonly TrialParameter[];
}

interface Trial extends TriedOperation {
  /** Name of a parameter → value to begin with. */
  values: Values;
  /** undefined for a method without a body. */
  body: string | undefined;
  isSecured: boolean;
}

/** Opens the panel of a button: the button's data name the request to begin with. */
export function openTrial(button: HTMLButtonElement): void {
  const place = panelOf(button) ?? Object.assign(document.createElement('div'), { className: 'trial' });
  button.after(place);
  place.hidden = false;
  if (place.childElementCount > 0) return;
  const { operation: id = '', target = '', body, headers = '{}', secured } = button.dataset;
  const operation = JSON.parse(document.getElementById(id)!.dataset.trial!) as TriedOperation;
  const values = { ...valuesOf(operation.path, target), ...(JSON.parse(headers) as Values) };
  render(<Panel trial={{ ...operation, values, body, isSecured: secured !== undefined }} />, place);
  place.querySelector<HTMLElement>('input, textarea, button')?.focus();
}

/** Closes the panel of a button. What was entered stays. */
export function closeTrial(button: HTMLButtonElement): void {
  const place = panelOf(button);
  if (place) place.hidden = true;
}

function panelOf(button: HTMLButtonElement): HTMLElement | undefined {
  const next = button.nextElementSibling;
  return next instanceof HTMLElement && next.matches('.trial') ? next : undefined;
}

/** The values of a request: of the path by position, of the query string by name. */
function valuesOf(pattern: string, target: string): Values {
  const { path, queryString: query } = splitTarget(target);
  const segments = path.split('/');
  const ofPath = pattern
    .split('/')
    .flatMap((segment, i): [string, string][] =>
      segment.startsWith('{') ? [[segment.slice(1, -1), segments[i] ?? '']] : [],
    );
  return Object.fromEntries([...ofPath, ...new URLSearchParams(query)]);
}

/** The address with the entered values. Empty values are left out. */
function targetOf({ path, parameters }: Trial, values: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const query = parameters
    .filter(({ place, name }) => place === 'query' && values[name])
    // Commas separate the values of a list, and people read them.
    .map(
      ({ name }) =>
        `${name}=${encodeURIComponent(values[name]!).replaceAll('%2C', ',').replaceAll('%20', '+')}`,
    );
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function useSending(trial: Trial, values: Values, body: string, key: string) {
  const [received, setReceived] = useState<Received>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const own = trial.parameters.filter(({ place, name }) => place === 'header' && values[name]);
    const headers = {
      ...Object.fromEntries(own.map(({ name }) => [name, values[name]!])),
      ...(trial.isSecured && key !== '' && keyHeader(key)),
      ...(trial.body !== undefined && { 'Content-Type': 'application/json' }),
    };
    try {
      setReceived(
        await sendRequest({
          method: trial.method,
          target: targetOf(trial, values),
          headers,
          body: trial.body === undefined ? undefined : body,
        }),
      );
    } catch (error) {
      setReceived(undefined);
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return { received, failure, isBusy, send };
}

function Panel({ trial }: { trial: Trial }) {
  const [values, setValues] = useState<Values>(trial.values);
  const [body, setBody] = useState(trial.body ?? '');
  const [key, setKey] = useState(() => storedKey() ?? '');
  const { received, failure, isBusy, send } = useSending(trial, values, body, key);
  const enter = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const id = useId();
  const used = trial.parameters.filter(
    ({ name, isRequired }) => isRequired || trial.values[name] !== undefined,
  );
  const others = trial.parameters.filter((parameter) => !used.includes(parameter));
  const controls = (parameters: readonly TrialParameter[]) =>
    parameters.map((parameter) => (
      <Control
        key={parameter.name}
        parameter={parameter}
        value={values[parameter.name] ?? ''}
        onEnter={(value) => enter(parameter.name, value)}
      />
    ));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
      >
        {trial.isSecured && <KeyControl value={key} onEnter={setKey} />}
        {controls(used)}
        {others.length > 0 && (
          <details>
            <summary>
              {used.length > 0 ? 'More parameters' : 'Parameters'} ({others.length})
            </summary>
            {controls(others)}
          </details>
        )}
        {trial.body !== undefined && (
          <div class="control">
            <label for={`${id}-body`}>Body</label>
            <textarea
              id={`${id}-body`}
              rows={Math.min(body.split('\n').length + 1, 14)}
              spellcheck={false}
              value={body}
              onInput={({ currentTarget: { value } }) => setBody(value)}
            />
            {trial.isSecured && <p class="hint">Sending it changes the record of this service.</p>}
          </div>
        )}
        <p class="line">
          <code>
            {trial.method} {targetOf(trial, values)}
          </code>
        </p>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Sending …' : 'Send'}
        </button>
      </form>
      <div role="status">
        {failure !== undefined && <p class="failure">{failure}</p>}
        {received && <StatusLine received={received} />}
      </div>
      {received && <ReceivedView received={received} />}
    </>
  );
}

function KeyControl({ value, onEnter }: Pick<ControlProps, 'value' | 'onEnter'>) {
  const id = useId();
  return (
    <div class="control">
      <label for={id}>Key</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => {
          const key = currentTarget.value.trim();
          onEnter(key);
          storeKey(key);
        }}
      />
      <p class="hint">Kept until this tab is closed, and shared with the editor.</p>
    </div>
  );
}

/** Status, time and size of an answer. */
const StatusLine = ({ received: { status, milliseconds, bytes, isLocal } }: { received: Received }) => (
  <p>
    <span class={status < 400 ? 'status good' : 'status bad'}>{status}</span>{' '}
    {Math.max(1, Math.round(milliseconds))} ms · {size(bytes)}
    {isLocal && ' · answered in this page, from the files of the snapshot'}
  </p>
);

/** JSON with a member on each line; any other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function ReceivedView({ received: { headers, text } }: { received: Received }) {
  const shown = readable(text);
  return (
    <>
      <details>
        <summary>Headers ({headers.length})</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {shown !== '' && (
        <div class="code">
          <button type="button" class="copy" aria-label="Copy: the answer">
            Copy
          </button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            <code>{shown.slice(0, maxCharacters)}</code>
          </pre>
        </div>
      )}
      {shown.length > maxCharacters && (
        <p class="hint">
          The first {maxCharacters} characters of {shown.length}.
        </p>
      )}
    </>
  );
}

interface ControlProps {
  parameter: TrialParameter;
  value: string;
  onEnter: (value: string) => void;
}

function Control({ parameter: { name, choices, isList, isRequired }, value, onEnter }: ControlProps) {
  const id = useId();
  const attributes = { id, value, spellcheck: false, autocomplete: 'off' } as const;
  return (
    <div class="control">
      <label for={id}>
        {name}
        {isRequired && <span class="required"> (required)</span>}
      </label>
      {choices.length > 0 && !isList ? (
        <select {...attributes} onChange={({ currentTarget }) => onEnter(currentTarget.value)}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          type="text"
          placeholder={isList ? choices.slice(0, 3).join(',') : ''}
          onInput={({ currentTarget }) => onEnter(currentTarget.value)}
        />
      )}
    </div>
  );
}
