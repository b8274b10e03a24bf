/** The operations of the document: what every method does at every address. */
import { bodyTypes } from '../bodies.ts';
import { isWritable, type WritableResource } from '../names.ts';
import { type Route, routes, writeMethod } from '../routes.ts';
import { downloadPaths } from './downloads.ts';
import { examplesOfAnswers, examplesOfBodies } from './examples.ts';
import { headersOfNothingKept, headersOfPreflight } from './headers.ts';
import { type JsonObject, referenceTo } from './model.ts';
import { otherParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';
import { type Reading, readingOf, receiptReadings, tagOf, wordsFor } from './readings.ts';
import { schemaNames } from './schemas.ts';

const security = [{ apiKey: [] }];
const headersOfWrites = ['ETag.written', 'Receipt', 'Snapshot', 'Snapshot-Pending'] as const;

/** GET, HEAD and OPTIONS at an address. */
function readOperations(address: string, reading: Reading): JsonObject {
  const { kind, tag, name, summary, headers } = reading;
  const responses = (found: JsonObject): JsonObject => ({
    '200': { headers, ...found },
    ...unchanged(reading),
    ...problemResponses(kind),
  });
  return {
    get: {
      operationId: `get${name}`,
      summary,
      ...sharedParts(reading),
      responses: responses({ description: 'The document.', content: contentOf(address, reading) }),
    },
    head: {
      operationId: `head${name}`,
      summary: `${summary}: only the headers`,
      ...sharedParts(reading),
      responses: responses({ description: 'What GET would answer, without the document.' }),
    },
    options: {
      operationId: `options${name}`,
      summary: `${summary}: the methods of this address`,
      tags: [tag],
      description: 'The answer to a browser that asks whether another site may send a request (CORS).',
      responses: {
        '204': { description: 'Yes, with these methods and headers.', headers: headersOfPreflight },
        ...problemResponses('preflight'),
      },
    },
  };
}

const sharedParts = ({ tag, description, parameters, conditional, secured }: Reading): JsonObject => ({
  tags: [tag],
  description,
  ...parametersOf(conditional ? [...parameters, otherParameters.ifNoneMatch] : parameters),
  ...(secured && { security }),
});

const contentOf = (address: string, { schema }: Reading): JsonObject => ({
  'application/json': {
    schema: schema === undefined ? { type: 'object' } : referenceTo('schemas', schema),
    ...examplesIn(examplesOfAnswers('GET', address)),
  },
});

function unchanged({ conditional, headers }: Reading): JsonObject {
  if (!conditional) return {};
  const { 'Content-Length': _length, ...rest } = headers;
  return {
    '304': { description: 'The document is still the one that If-None-Match names.', headers: rest },
  };
}

const parametersOf = (names: readonly string[]): JsonObject =>
  names.length === 0 ? {} : { parameters: names.map((name) => referenceTo('parameters', name)) };

const examplesIn = (examples: JsonObject): JsonObject =>
  Object.keys(examples).length === 0 ? {} : { examples };

/** POST or PATCH at an address, if it takes either. */
function writeOperations(address: string, route: Route): JsonObject {
  const method = writeMethod(route);
  if (method === undefined || !('resource' in route) || !isWritable(route.resource)) return {};
  const { resource } = route;
  return {
    [method.toLowerCase()]: method === 'POST' ? creation(address, resource) : change(address, resource),
  };
}

function creation(address: string, resource: WritableResource): JsonObject {
  const id =
    resource === 'nominations' ? 'The id is yours to choose.' : 'Without an id it gets the next free one.';
  return {
    operationId: `create${schemaNames.record(resource)}`,
    summary: `Add ${wordsFor[resource][0]}`,
    tags: [tagOf(resource)],
    description: `Answered when the record is on the disk and every GET shows it. ${id}`,
    security,
    requestBody: bodyOf(address, 'POST', schemaNames.creation(resource)),
    responses: {
      '201': {
        description: 'The new record, as a list shows it.',
        headers: headersOfNothingKept('Location', ...headersOfWrites),
        content: recordContent(address, 'POST', resource),
      },
      ...problemResponses('creation'),
    },
  };
}

function change(address: string, resource: WritableResource): JsonObject {
  return {
    operationId: `update${schemaNames.record(resource)}`,
    summary: `Change ${wordsFor[resource][0]}`,
    tags: [tagOf(resource)],
    description:
      'Answered when the change is on the disk and every GET shows it. An empty object changes nothing.',
    ...parametersOf([otherParameters.ifMatch]),
    security,
    requestBody: bodyOf(address, 'PATCH', schemaNames.change(resource)),
    responses: {
      '200': {
        description: 'The record as it is now, as a list shows it.',
        headers: headersOfNothingKept(...headersOfWrites),
        content: recordContent(address, 'PATCH', resource),
      },
      ...problemResponses('change'),
    },
  };
}

const bodyOf = (address: string, method: keyof typeof bodyTypes, schema: string): JsonObject => ({
  required: true,
  content: Object.fromEntries(
    bodyTypes[method].map((type) => [
      type,
      { schema: referenceTo('schemas', schema), ...examplesIn(examplesOfBodies(method, address)) },
    ]),
  ),
});

const recordContent = (address: string, method: string, resource: WritableResource): JsonObject => ({
  'application/json': {
    schema: referenceTo('schemas', schemaNames.record(resource)),
    ...examplesIn(examplesOfAnswers(method, address)),
  },
});

/** Address → its operations, all of them. */
export function paths(): JsonObject {
  const ofRoutes = [...routes].map(([address, route]): [string, JsonObject] => [
    address,
    {
      ...idOf(address),
      ...readOperations(address, readingOf(route)),
      ...writeOperations(address, route),
    },
  ]);
  const ofReceipts = receiptReadings.map(([address, reading]): [string, JsonObject] => [
    address,
    { ...idOf(address), ...readOperations(address, reading) },
  ]);
  return { ...Object.fromEntries([...ofRoutes, ...ofReceipts]), ...downloadPaths };
}

const idOf = (address: string): JsonObject =>
  address.includes('{id}') ? parametersOf([otherParameters.id]) : {};
