/** @jsxRuntime automatic @jsxImportSource preact */
/** The section of an operation. */
import { type Example, examples } from '../../../api/contract/openapi/examples.ts';
import { problemsIn } from '../../../api/contract/openapi/responses.ts';
import {
  choicesOf,
  componentName,
  type Described,
  membersOf,
  operationAt,
  type Parameter,
  type Response,
  resolved,
  type Schema,
} from './description.ts';
import { Fields, Parameters } from './fields.tsx';
import { commas, Inline } from './prose.tsx';
import { ExampleView, Request, TryButton } from './sample.tsx';
import type { TrialParameter, TriedOperation } from './trial.tsx';

/** Addresses of operations without an example: files, whose bytes depend on the record. */
const fileTargets: Readonly<Record<string, string>> = {
  '/downloads/{name}': '/downloads/movies.csv',
  '/lists/{name}/{file}': '/lists/best-picture/winners.json',
};

/** The examples of an operation, most telling first. */
export const examplesOf = (operation: Described): readonly (readonly [name: string, example: Example])[] =>
  Object.entries(examples).filter(
    ([, { method, target, status }]) => status < 300 && operationAt(method, target) === operation,
  );

const trialParameter = ({ name, in: place, required = false, schema }: Parameter): TrialParameter => ({
  name,
  place,
  isRequired: required,
  isList: schema.type === 'array',
  choices: schema.type === 'boolean' ? ['true', 'false'] : choicesOf(schema),
});

export function OperationSection({ operation }: { operation: Described }) {
  const { operationId: id, summary, description, method, path, parameters, security } = operation;
  const [first, ...others] = examplesOf(operation);
  const plain = { method, target: fileTargets[path] ?? path.replace('{id}', '1') };
  const tried: TriedOperation = { method, path, parameters: parameters.map(trialParameter) };
  const places = [
    ['Path', 'path'],
    ['Query parameters', 'query'],
    ['Headers', 'header'],
  ] as const;
  return (
    <section class="entry" id={id} data-trial={JSON.stringify(tried)}>
      <div class="about">
        <h3>
          <a href={`#${id}`}>{summary}</a>
        </h3>
        <p class="address">
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </p>
        <p>
          <Inline text={description} />
        </p>
        {security !== undefined && (
          <p class="secured">
            Needs a key in the header <code>x-api-key</code>.
          </p>
        )}
        {places.map(([title, place]) => {
          const own = parameters.filter((parameter) => parameter.in === place);
          return (
            own.length > 0 && (
              <div key={place}>
                <h4>{title}</h4>
                <Parameters of={id} parameters={own} />
              </div>
            )
          );
        })}
        <Body operation={operation} />
        <Answers operation={operation} />
      </div>
      <div class="shown">
        <div class="code-column">
          {first === undefined ? (
            <>
              <Request id={id} name={summary} request={plain} />
              <TryButton operation={id} name={summary} request={plain} />
            </>
          ) : (
            <ExampleView id={id} example={first[1]} />
          )}
          {others.map(([name, example]) => (
            <details key={name}>
              <summary>{example.summary}</summary>
              <ExampleView id={`${id}-${name}`} example={example} isTitled={false} />
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}

function Body({ operation: { operationId, requestBody } }: { operation: Described }) {
  if (requestBody === undefined) return null;
  const [[type, { schema }]] = Object.entries(requestBody.content!) as [[string, { schema: Schema }]];
  return (
    <>
      <h4>Body</h4>
      <p>
        <code>{type}</code>
      </p>
      <Fields of={`${operationId}-body`} schema={resolved<Schema>(schema)} isBody />
    </>
  );
}

function Answers({ operation }: { operation: Described }) {
  const all = Object.entries(operation.responses).map(
    ([status, part]) => [status, resolved<Response>(part)] as const,
  );
  return (
    <>
      <h4>Answers</h4>
      {all
        .filter(([status]) => Number(status) < 300)
        .map(([status, response]) => (
          <Success key={status} status={status} response={response} />
        ))}
      <ul class="statuses">
        {all
          .filter(([status]) => Number(status) >= 300)
          .map(([status, response]) => (
            <li key={status}>
              <span class="status bad">{status}</span> <Problems response={response} />
            </li>
          ))}
      </ul>
    </>
  );
}

function Success({ status, response }: { status: string; response: Response }) {
  const schema = response.content?.['application/json']?.schema;
  const shown = schema === undefined ? undefined : resolved<Schema>(schema);
  const name = componentName(schema);
  const headers = Object.entries(response.headers ?? {});
  return (
    <details class="success">
      <summary>
        <span class="status good">{status}</span> {response.description}{' '}
        {name !== undefined && <code>{name}</code>}
      </summary>
      {Object.keys(response.content ?? {}).length > 1 && (
        <p>
          As{' '}
          {commas(Object.keys(response.content!), (type) => (
            <code>{type}</code>
          ))}
          .
        </p>
      )}
      {shown !== undefined && membersOf(shown) !== undefined && <Fields schema={shown} />}
      {headers.length > 0 && (
        <p class="headers">
          Headers:{' '}
          {commas(headers, ([header, part]) => (
            <code title={resolved<{ description?: string }>(part).description}>{header}</code>
          ))}
          .
        </p>
      )}
    </details>
  );
}

/** The problems of an error answer, with links to their section. */
function Problems({ response }: { response: Response }) {
  const codes = problemsIn(response.description);
  if (codes.length === 0) return <>{response.description}</>;
  return (
    <>
      {commas(codes, (code) => (
        <a href={`#problem-${code}`}>{code}</a>
      ))}
    </>
  );
}
