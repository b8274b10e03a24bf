/** @jsxRuntime automatic @jsxImportSource preact */
/** A request in each language, and its answer. The choice of a language needs no program. */
import type { ComponentChildren } from 'preact';
import type { Example } from '../../../api/contract/openapi/examples.ts';
import type { Json } from '../../../api/contract/openapi/schemas.ts';
import { operationAt } from './description.ts';
import {
  exampleOrigin,
  isSecured,
  type Language,
  languageNames,
  type SampleRequest,
  samplesOf,
  textOf,
} from './samples.ts';

/** Strings, then comments, numbers and words; the origin of the service is a part of its own, which the page replaces. */
const parts =
  /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>\b(?:const|await|import|from|true|false|null|True|False|None|curl)\b)/g;

function coloured(code: string): ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const match of code.matchAll(parts)) {
    const [text] = match;
    shown.push(withOrigin(code.slice(end, match.index)));
    end = match.index + text.length;
    const isName = match.groups!.string !== undefined && /^\s*:\s/.test(code.slice(end, end + 3));
    const kind = isName ? 'n' : match.groups!.string !== undefined ? 's' : 'v';
    shown.push(<b class={kind}>{withOrigin(text)}</b>);
  }
  return [...shown, withOrigin(code.slice(end))];
}

function withOrigin(text: string): ComponentChildren {
  const [before, ...after] = text.split(exampleOrigin);
  return after.length === 0
    ? text
    : [before, <span class="origin">{exampleOrigin}</span>, after.join(exampleOrigin)];
}

/** Code with a button that copies it. @param label name of the block for screen readers */
function Code({ code, label }: { code: string; label: string }) {
  return (
    <div class="code">
      <button type="button" class="copy scripted" aria-label={`Copy: ${label}`}>
        Copy
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{coloured(code)}</code>
      </pre>
    </div>
  );
}

/** @param id distinguishes the choices of the page. @param name of the request, for screen readers */
export function Request({ id, name, request }: { id: string; name: string; request: SampleRequest }) {
  const samples = Object.entries(samplesOf(request)) as [Language, string][];
  return (
    <div class="sample">
      <fieldset class="languages">
        <legend class="visually-hidden">Language of the sample: {name}</legend>
        {samples.map(([language], i) => (
          <label key={language}>
            <input type="radio" name={`${id}-language`} value={language} checked={i === 0} />
            {languageNames[language]}
          </label>
        ))}
      </fieldset>
      {samples.map(([language, code]) => (
        <div key={language} class={`in-${language}`}>
          <Code code={code} label={`${name}, ${languageNames[language]}`} />
        </div>
      ))}
    </div>
  );
}

/** @param answer undefined for an answer without a body */
export function Answer({ status, answer, name }: { status: number; answer?: Json; name: string }) {
  return (
    <figure class="answer">
      <figcaption>
        Answer <span class={status < 300 ? 'status good' : 'status bad'}>{status}</span>
      </figcaption>
      {answer !== undefined && <Code code={JSON.stringify(answer, undefined, 2)} label={`Answer: ${name}`} />}
    </figure>
  );
}

/** Opens a panel that sends the request. @param operation id of the request's operation */
export function TryButton({ operation, name, request }: TryProps) {
  const { target, body } = request;
  return (
    <button
      type="button"
      class="try scripted"
      aria-expanded="false"
      data-operation={operation}
      data-target={target}
      data-headers={request.headers && JSON.stringify(request.headers)}
      data-body={body === undefined ? undefined : textOf(body)}
      data-secured={isSecured(request) ? '' : undefined}
    >
      Try it<span class="visually-hidden">: {name}</span>
    </button>
  );
}

interface TryProps {
  operation: string;
  name: string;
  request: SampleRequest;
}

interface ExampleProps {
  id: string;
  example: Example;
  isTitled?: boolean;
}

/** An example of the OpenAPI document. */
export function ExampleView({ id, example, isTitled = true }: ExampleProps) {
  const { summary, method, target } = example;
  const operation = operationAt(method, target);
  return (
    <>
      {isTitled && <p class="summary">{summary}</p>}
      <Request id={id} name={summary} request={example} />
      {operation !== undefined && (
        <TryButton operation={operation.operationId} name={summary} request={example} />
      )}
      <Answer {...example} name={summary} />
    </>
  );
}
