/** @jsxRuntime automatic @jsxImportSource preact */
/** The reference page: everything that it says, as HTML, made from the OpenAPI document. */
import { renderToString } from 'preact-render-to-string';
import { examples } from '../../../api/contract/openapi/examples.ts';
import { type Guide, guides, introduction } from '../../../api/contract/openapi/guides.ts';
import { problemTypePrefix } from '../../../api/contract/problems.ts';
import { openapiPath } from '../../../api/contract/routes.ts';
import { contentHash } from '../../../api/contract/snapshot.ts';
import {
  componentName,
  type Described,
  description,
  operationAt,
  operations,
  type Reference,
  type Response,
  resolved,
  type Schema,
} from './description.ts';
import { Fields } from './fields.tsx';
import { OperationSection } from './operation.tsx';
import { Inline, Prose } from './prose.tsx';
import { Answer, ExampleView, Request, TryButton } from './sample.tsx';
import { exampleOrigin } from './samples.ts';

/** The body of the page. @param errors the text of docs/errors.md */
export const referenceHtml = (errors: string): string => renderToString(<Page errors={errors} />);

const groupId = (name: string) => `group-${name.toLowerCase()}`;
const operationsOf = (tag: string): readonly Described[] => operations.filter(({ tags }) => tags[0] === tag);
const groups = description.tags.filter(({ name }) => operationsOf(name).length > 0);

function Page({ errors }: { errors: string }) {
  return (
    <div class="reference">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <a class="brand" href="/">
          Film Awards
        </a>
        <nav aria-label="Site">
          <a href={openapiPath}>OpenAPI</a>
          <a href="/edit">Editor</a>
        </nav>
        <button type="button" class="menu" popoverTarget="contents">
          Contents
        </button>
      </header>
      <nav id="contents" popover="auto" aria-label="Reference">
        <Contents />
      </nav>
      <main id="content">
        <h1>API reference</h1>
        <p class="lead">{introduction}</p>
        <p class="base">
          All addresses begin with <code class="origin">{exampleOrigin}</code>. The samples in JavaScript use{' '}
          <code>fetch</code>; “Client” is the typed client of this project, <code>film-awards/client</code>.
          The answers shown are those of the sample record, whose numbers of records differ from those of
          another; “Try it” asks this service.
        </p>
        {guides.map((guide) => (
          <GuideSection key={guide.id} guide={guide} errors={errors} />
        ))}
        {groups.map(({ name, description: text }) => (
          <section key={name} class="group">
            <h2 id={groupId(name)}>{name}</h2>
            <p>{text}</p>
            {operationsOf(name).map((operation) => (
              <OperationSection key={operation.operationId} operation={operation} />
            ))}
          </section>
        ))}
        <Objects />
      </main>
    </div>
  );
}

function Contents() {
  return (
    <>
      <search class="find scripted">
        <label for="find">Search the reference</label>
        <input
          id="find"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="genre, winner, ETag …"
        />
        <p class="hint">
          <kbd>/</kbd> or <kbd>Ctrl</kbd>+<kbd>K</kbd> leads here.
        </p>
        <div id="found" />
      </search>
      <div id="entries">
        <p class="title">Guides</p>
        <ul>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
        {groups.map(({ name }) => (
          <>
            <p class="title">{name}</p>
            <ul>
              {operationsOf(name).map(({ operationId, method, summary }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`}>
                    <span class={`method ${method.toLowerCase()}`}>{method}</span> {summary}
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
        <p class="title">More</p>
        <ul>
          <li>
            <a href="#objects">Objects</a>
          </li>
          <li>
            <a href={openapiPath}>OpenAPI document</a>
          </li>
          <li>
            <a href="/edit">Editor</a>
          </li>
        </ul>
      </div>
    </>
  );
}

function GuideSection({ guide, errors }: { guide: Guide; errors: string }) {
  const { id, title, text, shownBy } = guide;
  return (
    <section class="entry" id={id}>
      <div class="about">
        <h2>
          <a href={`#${id}`}>{title}</a>
        </h2>
        <Prose text={text} />
        {id === 'errors' && <Problems errors={errors} />}
      </div>
      <div class="shown">
        <div class="code-column">
          {shownBy.map((name) => (
            <ExampleView key={name} id={`${id}-${name}`} example={examples[name]!} />
          ))}
          {id === 'caching' && <Revalidation />}
        </div>
      </div>
    </section>
  );
}

/** A request for a document that the client has: the film of the first request, with the ETag of its example. */
function Revalidation() {
  const { method, target, answer } = examples.moviePage!;
  const etag = `"${contentHash(new TextEncoder().encode(`${JSON.stringify(answer)}\n`))}"`;
  const request = { method, target, headers: { 'If-None-Match': etag } };
  const name = 'The same film again';
  return (
    <>
      <p class="summary">{name}</p>
      <Request id="revalidation" name={name} request={request} />
      <TryButton operation={operationAt(method, target)!.operationId} name={name} request={request} />
      <Answer status={304} name={name} />
    </>
  );
}

/** A section of docs/errors.md. */
const errorSections = /^## (.+)\n\n\*\*(\d+)\*\* .+\n\n- When: (.+)\n- Next step: (.+)$/gm;

function Problems({ errors }: { errors: string }) {
  return (
    <dl class="fields">
      {[...errors.matchAll(errorSections)].map(([, code, status, when = '', next = '']) => (
        <div key={code} id={`problem-${code}`} data-found="">
          <dt>
            <span class="status bad">{status}</span> <code>{code}</code>
          </dt>
          <dd>
            <p>
              <Inline text={when} />
            </p>
            <p>
              <Inline text={next} />
            </p>
            <p class="type">
              {problemTypePrefix}
              {code}
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Part = Schema | Reference;
type WithContent = Pick<Response, 'content'>;

/** Names of the objects that answers consist of, and those that they and bodies refer to. */
export function describedObjects(): string[] {
  const found = new Set<string>();
  const visitParts = (part: Part): void => {
    const { properties = {}, items, anyOf = [], oneOf = [] } = resolved<Schema>(part);
    const listed = items === undefined ? [] : [items];
    for (const own of [...Object.values(properties), ...listed, ...anyOf, ...oneOf]) visit(own);
  };
  const visit = (part: Part): void => {
    const name = componentName(part);
    if (name !== undefined && found.has(name)) return;
    if (name !== undefined) found.add(name);
    visitParts(part);
  };
  const schemasIn = ({ content = {} }: WithContent): Part[] =>
    Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  for (const { responses, requestBody } of operations) {
    const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
    for (const [, part] of successes) schemasIn(resolved<WithContent>(part)).forEach(visit);
    // The operation itself lists the fields of its body.
    if (requestBody !== undefined) schemasIn({ content: requestBody.content! }).forEach(visitParts);
  }
  return [...found];
}

function Objects() {
  return (
    <section class="group" id="objects">
      <h2>Objects</h2>
      <p>What answers and bodies consist of. “optional” fields can be missing.</p>
      {describedObjects().map((name) => (
        <section key={name} class="entry wide" id={name}>
          <div class="about">
            <h3>
              <a href={`#${name}`}>{name}</a>
            </h3>
            <Fields of={name} schema={resolved<Schema>({ $ref: `#/components/schemas/${name}` })} />
          </div>
        </section>
      ))}
    </section>
  );
}
