/** The paths of the OpenAPI document: every operation of every address. */
import { answers } from '../../api/contract/answers.ts';
import { bodyTypes } from '../../api/contract/bodies.ts';
import { batchWritesPerWrite, maxBatchWrites } from '../../api/contract/limits.ts';
import { isWritable, type WritableResource } from '../../api/contract/names.ts';
import {
  batchPath,
  type Route,
  receiptsPath,
  routes,
  type WriteMethod,
  writeMethods,
} from '../../api/contract/routes.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { examplesOfAnswers, examplesOfBodies } from './examples.ts';
import { parametersOf, queryParametersOf, receiptParameters } from './parameters.ts';
import { cachedHeaders, type OperationKind, problemResponses, uncachedHeaders } from './responses.ts';
import { jsonContent, nameOfRoute, nameOfSchema, pascalCase, resourceTexts, schemaNames } from './schemas.ts';

/** What an operation says. */
export interface Operation {
  id: string;
  summary: string;
  tag: string;
  description: string;
  parameters?: readonly JsonObject[];
  /** Whether it needs a key. */
  isSecured?: boolean;
  /** Name of the schema of the body. */
  body?: string;
  /** The status of success, and what the answer is in words. Default: 200, the document. */
  success?: readonly [status: string, answer: string];
  headers?: JsonObject;
  /** Name of the schema of the answer. Default: any JSON object. */
  schema?: string | undefined;
  /** Media type → content of an answer that is not only JSON. */
  content?: JsonObject;
  /** Status → other answer. */
  others?: JsonObject;
  kind: OperationKind;
}

/** An operation of the document. */
export function operation(method: 'GET' | WriteMethod, address: string, own: Operation): JsonObject {
  const [status, description] = own.success ?? ['200', 'The document.'];
  const content = own.content ?? jsonContent(own.schema, examplesOfAnswers(method, address));
  return {
    operationId: own.id,
    summary: own.summary,
    tags: [own.tag],
    description: own.description,
    ...(own.parameters && { parameters: own.parameters }),
    ...(own.isSecured && { security: [{ apiKey: [] }] }),
    ...(own.body !== undefined && { requestBody: bodyOf(method, address, own.body) }),
    responses: {
      [status]: { description, ...(own.headers && { headers: own.headers }), content },
      ...own.others,
      ...problemResponses(own.kind),
    },
  };
}

function bodyOf(method: string, address: string, schema: string): JsonObject {
  const types = method === 'PATCH' ? bodyTypes.PATCH : bodyTypes.POST;
  const { 'application/json': content } = jsonContent(schema, examplesOfBodies(method, address));
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content!])) };
}

/** A route with something to read. */
type ReadRoute = Exclude<Route, { kind: 'batch' }>;

/** What GET answers. Without a schema, it is any JSON object. */
function readingOf(route: ReadRoute): Pick<Operation, 'tag' | 'summary' | 'description' | 'schema'> {
  const name = nameOfRoute(route);
  switch (route.kind) {
    case 'list': {
      const { resource, paginated } = route;
      const extent = paginated
        ? 'One page of the list.'
        : 'The whole list; page and limit are validated and ignored.';
      const order =
        resource === 'ceremonies'
          ? 'Newest first.'
          : `Ascending by id${route.parameters.includes('sort') ? ' unless sort says otherwise' : ''}.`;
      return {
        tag: name,
        summary: `List ${resourceTexts[resource].many}`,
        description: `${extent} ${order} A record must match all filters.`,
        schema: schemaNames.list(resource),
      };
    }
    case 'record':
      return {
        tag: pascalCase(route.resource),
        summary: `Read ${resourceTexts[route.resource].one}`,
        description: 'The record and its related records. Parameters that are not listed here are ignored.',
        schema: schemaNames.page(route.resource),
      };
    default: {
      const { summary, description, schema } = answers[route.address];
      const tag = route.kind === 'ranking' ? 'Rankings' : nameOfRoute(route);
      return { tag, summary, description, schema: nameOfSchema(schema) };
    }
  }
}

/**
 * HEAD and OPTIONS of an address have no operation: generators would make a function of each. The text
 * describes them.
 */
function readOperation(address: string, route: ReadRoute): JsonObject {
  const isPaged = route.kind === 'search' || (route.kind === 'list' && route.paginated);
  const isExported = 'parameters' in route && route.parameters.includes('format');
  const headers = cachedHeaders(
    ...(isPaged ? (['Link'] as const) : []),
    ...(route.kind === 'changes' ? (['Link.changes'] as const) : []),
    ...(route.kind === 'root' ? (['Link.root'] as const) : []),
    ...(isExported ? (['Content-Disposition'] as const) : []),
  );
  const { 'Content-Length': _length, 'Content-Encoding': _encoding, ...headersOf304 } = headers;
  return operation('GET', address, {
    id: `get${nameOfRoute(route)}`,
    ...readingOf(route),
    parameters: parametersOf(...queryParametersOf(route), 'If-None-Match'),
    headers,
    others: { '304': { description: 'The document has an ETag of If-None-Match.', headers: headersOf304 } },
    kind: 'parameters' in route && route.kind !== 'record' && route.kind !== 'changes' ? 'query' : route.kind,
  });
}

const receiptHeaders = ['Receipt', 'Snapshot', 'Snapshot-Pending'] as const;

/** Method → the parts of its operation. */
const writes = {
  POST: {
    verb: 'create',
    summary: 'Add',
    description: 'The answer is sent when the record is durable and every GET shows it.',
    body: schemaNames.creation,
    success: ['201', 'The new record, in the form of the list.'],
    headers: ['Location', 'ETag.written', ...receiptHeaders],
    kind: 'creation',
  },
  PATCH: {
    verb: 'update',
    summary: 'Change',
    description:
      'The answer is sent when the change is durable and every GET shows it. An empty object changes nothing.',
    body: schemaNames.change,
    success: ['200', 'The changed record, in the form of the list.'],
    headers: ['ETag.written', ...receiptHeaders],
    kind: 'change',
  },
  DELETE: {
    verb: 'delete',
    summary: 'Delete',
    description:
      'The answer is sent when the deletion is durable and no GET shows the record. A record that others refer to is not deleted. No new record gets its id, unless a client chooses it.',
    success: ['200', 'The record that is gone, in the form of the list.'],
    headers: receiptHeaders,
    kind: 'deletion',
  },
} as const;

function writeOperation(method: WriteMethod, address: string, resource: WritableResource): JsonObject {
  const { verb, summary, description, headers, success, kind, ...own } = writes[method];
  const schema = schemaNames.record(resource);
  const id =
    resource === 'nominations'
      ? ' The client chooses the id.'
      : ' A record without an id gets the next free id.';
  return operation(method, address, {
    id: `${verb}${schema}`,
    summary: `${summary} ${resourceTexts[resource].one}`,
    tag: pascalCase(resource),
    description: method === 'POST' ? description + id : description,
    ...(method !== 'POST' && { parameters: parametersOf('If-Match') }),
    isSecured: true,
    ...('body' in own && { body: own.body(resource) }),
    success,
    headers: uncachedHeaders(...headers),
    schema,
    kind,
  });
}

const batchOperation = operation('POST', batchPath, {
  id: 'createBatch',
  summary: 'Write several records at once',
  tag: 'Batches',
  description: `Up to ${maxBatchWrites} POSTs, PATCHes and DELETEs in one transaction: all are carried out in their order, or none. A nomination can refer to a record that an earlier POST of the batch adds with an id of its own. The checks are those of single writes. The first write that is refused ends the batch: nothing is changed, and the answer is the refusal of that write; the pointers of its faults begin with the position of the write, such as \`/3/body/title\`. The rate limit counts ${batchWritesPerWrite} writes of a batch as one, and admits the batch as long as one is left. A batch leaves one group of receipts, and is shown by every GET when it is answered.`,
  isSecured: true,
  body: 'Batch',
  success: ['200', 'The outcome of each write.'],
  headers: uncachedHeaders('Snapshot', 'Snapshot-Pending'),
  schema: 'BatchResult',
  kind: 'batch',
});

/** Method → operation of a route. */
function operationsOf(address: string, route: Route): JsonObject {
  if (route.kind === 'batch') return { post: batchOperation };
  const resource = 'resource' in route && isWritable(route.resource) ? route.resource : undefined;
  const written = resource
    ? writeMethods(route).map((method) => [method.toLowerCase(), writeOperation(method, address, resource)])
    : [];
  return { get: readOperation(address, route), ...Object.fromEntries(written) };
}

/** The operations of the log of writes. */
const receiptPaths: JsonObject = {
  [receiptsPath]: {
    get: operation('GET', receiptsPath, {
      ...receiptReading(receiptsPath),
      id: 'getReceipts',
      parameters: parametersOf(...receiptParameters),
      headers: uncachedHeaders('Link.receipts'),
      kind: 'receipts',
    }),
  },
  '/receipts/{id}': {
    get: operation('GET', '/receipts/{id}', {
      ...receiptReading('/receipts/{id}'),
      id: 'getReceipt',
      headers: uncachedHeaders(),
      kind: 'receipt',
    }),
  },
};

function receiptReading(address: '/receipts' | '/receipts/{id}') {
  const { summary, description, schema } = answers[address];
  return { summary, description, schema: nameOfSchema(schema), tag: 'Receipts', isSecured: true };
}

/** Address → operations. */
export function paths(): JsonObject {
  const ofRoutes = [...routes].map(([address, route]) => [address, operationsOf(address, route)] as const);
  const all = [...ofRoutes, ...Object.entries(receiptPaths)].map(
    ([address, operations]): [string, JsonObject] => [
      address,
      { ...(address.includes('{id}') && { parameters: parametersOf('id') }), ...(operations as JsonObject) },
    ],
  );
  return Object.fromEntries(all);
}
