/** The paths of the OpenAPI document: every operation of every address. */
import { bodyTypes } from '../bodies.ts';
import { maxBatchWrites } from '../limits.ts';
import { isWritable, type WritableResource } from '../names.ts';
import { batchPath, type Route, routes, type WriteMethod, writeMethods } from '../routes.ts';
import { examplesOfAnswers, examplesOfBodies } from './examples.ts';
import type { CommonParameter } from './parameters.ts';
import { downloadPaths, filmListPaths, nouns, type Reading, readingOf, receiptReadings } from './readings.ts';
import { problemResponses, uncachedHeaders } from './responses.ts';
import { type JsonObject, pascalCase, referenceTo, schemaNames } from './schemas.ts';

const security = [{ apiKey: [] }];
const receiptHeaders = ['Receipt', 'Snapshot', 'Snapshot-Pending'] as const;
const writeHeaders = ['ETag.written', ...receiptHeaders] as const;

const parametersOf = (names: readonly string[]): JsonObject =>
  names.length === 0 ? {} : { parameters: names.map((name) => referenceTo('parameters', name)) };

/** A media type object. @param examples references; may be empty */
const contentOf = (schema: JsonObject, examples: JsonObject): JsonObject => ({
  schema,
  ...(Object.keys(examples).length > 0 && { examples }),
});

/** HEAD and OPTIONS of an address have no operation: generators would make a function of each. The text describes them. */
function readOperations(address: string, reading: Reading): JsonObject {
  const { kind, tag, name, summary, description, parameters, schema, headers, secured } = reading;
  const { 'Content-Length': _length, 'Content-Encoding': _encoding, ...headersOf304 } = headers;
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
      tags: [tag],
      description,
      ...parametersOf(parameters),
      ...(secured && { security }),
      responses: {
        '200': { headers, description: 'The document.', content },
        ...(!secured && {
          '304': { description: 'The document has an ETag of If-None-Match.', headers: headersOf304 },
        }),
        ...problemResponses(kind),
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
    parameters: ['If-Match'] satisfies CommonParameter[],
    body: schemaNames.change,
    status: '200',
    answer: 'The changed record, in the form of the list.',
    headers: writeHeaders,
    kind: 'change',
  },
  DELETE: {
    verb: 'delete',
    summary: 'Delete',
    description:
      'The answer is sent when the deletion is durable and no GET shows the record. A record that others refer to is not deleted. No new record gets its id, unless a client chooses it.',
    parameters: ['If-Match'] satisfies CommonParameter[],
    body: undefined,
    status: '200',
    answer: 'The record that is gone, in the form of the list.',
    headers: receiptHeaders,
    kind: 'deletion',
  },
} as const;

/** POST, or PATCH and DELETE; no operation for a read-only route. */
function writeOperations(address: string, route: Route): JsonObject {
  if (!('resource' in route) || !isWritable(route.resource)) return {};
  const { resource } = route;
  return Object.fromEntries(
    writeMethods(route).map((method) => [method.toLowerCase(), writeOperation(method, address, resource)]),
  );
}

function writeOperation(method: WriteMethod, address: string, resource: WritableResource): JsonObject {
  const { verb, summary, description, parameters, body, status, answer, headers, kind } = writes[method];
  const id =
    resource === 'nominations'
      ? ' The client chooses the id.'
      : ' A record without an id gets the next free id.';
  const record = contentOf(
    referenceTo('schemas', schemaNames.record(resource)),
    examplesOfAnswers(method, address),
  );
  return {
    operationId: `${verb}${schemaNames.record(resource)}`,
    summary: `${summary} ${nouns[resource][0]}`,
    tags: [pascalCase(resource)],
    description: method === 'POST' ? description + id : description,
    ...parametersOf(parameters),
    security,
    ...(method !== 'DELETE' && body && { requestBody: bodyOf(method, address, body(resource)) }),
    responses: {
      [status]: {
        description: answer,
        headers: uncachedHeaders(...headers),
        content: { 'application/json': record },
      },
      ...problemResponses(kind),
    },
  };
}

/** @param schema name of the schema */
function bodyOf(method: keyof typeof bodyTypes, address: string, schema: string): JsonObject {
  const content = contentOf(referenceTo('schemas', schema), examplesOfBodies(method, address));
  return { required: true, content: Object.fromEntries(bodyTypes[method].map((type) => [type, content])) };
}

/** POST of several writes. */
const batchOperations: JsonObject = {
  post: {
    operationId: 'createBatch',
    summary: 'Write several records at once',
    tags: ['Batches'],
    description: `Up to ${maxBatchWrites} POSTs, PATCHes and DELETEs in one transaction: all are carried out in their order, or none. A nomination can refer to a record that an earlier POST of the batch adds with an id of its own. The checks are those of single writes. The first write that is refused ends the batch: nothing is changed, and the answer is the refusal of that write; the pointers of its faults begin with the position of the write, such as \`/3/body/title\`. The rate limit counts each write of a batch, and admits the batch as long as one write is left. A batch leaves one group of receipts, and is shown by every GET when it is answered.`,
    security,
    requestBody: {
      required: true,
      content: {
        [bodyTypes.POST[0]]: contentOf(
          referenceTo('schemas', schemaNames.batch),
          examplesOfBodies('POST', batchPath),
        ),
      },
    },
    responses: {
      '200': {
        description: 'The outcome of each write.',
        headers: uncachedHeaders('Snapshot', 'Snapshot-Pending'),
        content: {
          'application/json': contentOf(
            referenceTo('schemas', schemaNames.batchResult),
            examplesOfAnswers('POST', batchPath),
          ),
        },
      },
      ...problemResponses('batch'),
    },
  },
};

/** Address → operations. */
export function paths(): JsonObject {
  const id = (address: string) => (address.includes('{id}') ? parametersOf(['id']) : {});
  const ofRoutes = [...routes].map(([address, route]): [string, JsonObject] => [
    address,
    route.kind === 'batch'
      ? batchOperations
      : {
          ...id(address),
          ...readOperations(address, readingOf(route)),
          ...writeOperations(address, route),
        },
  ]);
  const ofReceipts = receiptReadings.map(([address, reading]): [string, JsonObject] => [
    address,
    { ...id(address), ...readOperations(address, reading) },
  ]);
  return { ...Object.fromEntries([...ofRoutes, ...ofReceipts]), ...downloadPaths, ...filmListPaths };
}
