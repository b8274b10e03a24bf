/** The paths of the OpenAPI document: every operation of every address. */
import { bodyTypes } from '../bodies.ts';
import { isWritable } from '../names.ts';
import { type Route, routes, writeMethod } from '../routes.ts';
import { examplesOfAnswers, examplesOfBodies } from './examples.ts';
import type { AnyParameter } from './parameters.ts';
import { downloadPaths, nouns, type Reading, readingOf, receiptReadings } from './readings.ts';
import { preflightHeaders, problemResponses, uncachedHeaders } from './responses.ts';
import { type JsonObject, pascalCase, referenceTo, schemaNames } from './schemas.ts';

const security = [{ apiKey: [] }];
const writeHeaders = ['ETag.written', 'Receipt', 'Snapshot', 'Snapshot-Pending'] as const;

const parametersOf = (names: readonly AnyParameter[]): JsonObject =>
  names.length === 0 ? {} : { parameters: names.map((name) => referenceTo('parameters', name)) };

/** A media type object. @param examples references; may be empty */
const contentOf = (schema: JsonObject, examples: JsonObject): JsonObject => ({
  schema,
  ...(Object.keys(examples).length > 0 && { examples }),
});

function readOperations(address: string, reading: Reading): JsonObject {
  const { kind, tag, name, summary, description, parameters, schema, headers, secured } = reading;
  const { 'Content-Length': _length, 'Content-Encoding': _encoding, ...headersOf304 } = headers;
  const shared: JsonObject = {
    tags: [tag],
    description,
    ...parametersOf(parameters),
    ...(secured && { security }),
  };
  const responses = (found: JsonObject): JsonObject => ({
    '200': { headers, ...found },
    ...(!secured && {
      '304': { description: 'The document has an ETag of If-None-Match.', headers: headersOf304 },
    }),
    ...problemResponses(kind),
  });
  const content = {
    'application/json': contentOf(
      schema === undefined ? { type: 'object' } : referenceTo('schemas', schema),
      examplesOfAnswers('GET', address),
    ),
  };
  return {
    get: {
      operationId: `get${name}`,
      summary,
      ...shared,
      responses: responses({ description: 'The document.', content }),
    },
    head: {
      operationId: `head${name}`,
      summary: `${summary}: headers only`,
      ...shared,
      responses: responses({ description: 'The headers of GET, without the document.' }),
    },
    options: {
      operationId: `options${name}`,
      summary: `${summary}: methods of this address`,
      tags: [tag],
      description: 'Answers the CORS preflight request of a browser.',
      responses: {
        '204': { description: 'The allowed methods and headers.', headers: preflightHeaders },
        ...problemResponses('preflight'),
      },
    },
  };
}

/** Method → the parts of its operation. */
const writes = {
  POST: {
    verb: 'create',
    summary: 'Add',
    description: 'The answer is sent when the record is durable and every GET shows it.',
    parameters: [],
    body: schemaNames.creation,
    status: '201',
    answer: 'The new record, in the form of the list.',
    headers: ['Location', ...writeHeaders],
    kind: 'creation',
  },
  PATCH: {
    verb: 'update',
    summary: 'Change',
    description:
      'The answer is sent when the change is durable and every GET shows it. An empty object changes nothing.',
    parameters: ['If-Match'],
    body: schemaNames.change,
    status: '200',
    answer: 'The changed record, in the form of the list.',
    headers: writeHeaders,
    kind: 'change',
  },
} as const;

/** POST or PATCH; no operation for a read-only route. */
function writeOperations(address: string, route: Route): JsonObject {
  const method = writeMethod(route);
  if (method === undefined || !('resource' in route) || !isWritable(route.resource)) return {};
  const { resource } = route;
  const { verb, summary, description, parameters, body, status, answer, headers, kind } = writes[method];
  const id =
    resource === 'nominations'
      ? ' The client chooses the id.'
      : ' A record without an id gets the next free id.';
  const bodyContent = contentOf(referenceTo('schemas', body(resource)), examplesOfBodies(method, address));
  const record = contentOf(
    referenceTo('schemas', schemaNames.record(resource)),
    examplesOfAnswers(method, address),
  );
  const operation = {
    operationId: `${verb}${schemaNames.record(resource)}`,
    summary: `${summary} ${nouns[resource][0]}`,
    tags: [pascalCase(resource)],
    description: method === 'POST' ? description + id : description,
    ...parametersOf(parameters),
    security,
    requestBody: {
      required: true,
      content: Object.fromEntries(bodyTypes[method].map((type) => [type, bodyContent])),
    },
    responses: {
      [status]: {
        description: answer,
        headers: uncachedHeaders(...headers),
        content: { 'application/json': record },
      },
      ...problemResponses(kind),
    },
  };
  return { [method.toLowerCase()]: operation };
}

/** Address → operations. */
export function paths(): JsonObject {
  const id = (address: string) => (address.includes('{id}') ? parametersOf(['id']) : {});
  const ofRoutes = [...routes].map(([address, route]): [string, JsonObject] => [
    address,
    {
      ...id(address),
      ...readOperations(address, readingOf(route)),
      ...writeOperations(address, route),
    },
  ]);
  const ofReceipts = receiptReadings.map(([address, reading]): [string, JsonObject] => [
    address,
    { ...id(address), ...readOperations(address, reading) },
  ]);
  return { ...Object.fromEntries([...ofRoutes, ...ofReceipts]), ...downloadPaths };
}
