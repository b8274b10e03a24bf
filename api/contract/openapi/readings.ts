/** What GET answers at each address: the parts of the read operations that differ between addresses. */
import { rankingTexts } from '../answers.ts';
import { downloadFormats, downloadIndexName, downloadIndexPath, downloadsFolder } from '../download-names.ts';
import { listIndexPath, listKinds, listsFolder } from '../lists.ts';
import type { ResourceName } from '../names.ts';
import { acceptedByReceipts } from '../accepted.ts';
import { type BatchRoute, type Route, receiptsPath } from '../routes.ts';
import { queryParametersOf } from './parameters.ts';
import { cachedHeaders, type OperationKind, problemResponses, uncachedHeaders } from './responses.ts';
import { type JsonObject, pascalCase, referencesTo, referenceTo, schemaNames } from './schemas.ts';

export interface Reading {
  kind: OperationKind;
  tag: string;
  /** Part of the operation id after the method. */
  name: string;
  summary: string;
  description: string;
  /** Names of components. */
  parameters: readonly string[];
  /** Name of the document's schema; undefined for any JSON object. */
  schema?: string;
  headers: JsonObject;
  /** Receipts need a key and have no ETag; documents of the snapshot are the opposite. */
  secured: boolean;
}

/** Resource → singular and plural in summaries. */
export const nouns: Record<ResourceName, readonly [one: string, many: string]> = {
  nominations: ['a nomination', 'nominations'],
  ceremonies: ['a ceremony', 'ceremonies'],
  movies: ['a film', 'films'],
  nominees: ['a person or company', 'people and companies'],
  categories: ['a category', 'categories'],
  songs: ['a song', 'songs'],
  honors: ['an honor', 'honors'],
};

/** A route with something to read. */
type ReadRoute = Exclude<Route, BatchRoute>;

export function readingOf(route: ReadRoute): Reading {
  const isExported = 'parameters' in route && route.parameters.includes('format');
  const isPaged = route.kind === 'search' || (route.kind === 'list' && route.paginated);
  return {
    ...partsOf(route),
    kind: route.kind === 'record' || route.kind === 'document' ? route.kind : 'query',
    parameters: [...queryParametersOf(route), 'If-None-Match'],
    headers: cachedHeaders(
      ...(isPaged ? (['Link'] as const) : []),
      ...(isExported ? (['Content-Disposition'] as const) : []),
    ),
    secured: false,
  };
}

function partsOf(route: ReadRoute): Pick<Reading, 'tag' | 'name' | 'summary' | 'description' | 'schema'> {
  switch (route.kind) {
    case 'list': {
      const { resource, paginated } = route;
      const extent = paginated ? 'One page.' : 'The whole list; page and limit are validated and ignored.';
      const order =
        resource === 'ceremonies'
          ? 'Newest first.'
          : `Ascending by id${route.parameters.includes('sort') ? ' unless sort says otherwise' : ''}.`;
      return {
        tag: pascalCase(resource),
        name: pascalCase(resource),
        summary: `List ${nouns[resource][1]}`,
        description: `${extent} ${order} A record must match all filters.`,
        schema: schemaNames.list(resource),
      };
    }
    case 'record':
      return {
        tag: pascalCase(route.resource),
        name: schemaNames.record(route.resource),
        summary: `Read ${nouns[route.resource][0]}`,
        description: 'The record and its related records. Parameters that are not listed here are ignored.',
        schema: schemaNames.page(route.resource),
      };
    case 'search':
      return {
        tag: 'Search',
        name: 'Search',
        summary: 'Search nominations',
        description:
          'Each word of q must match the start of a word in the nominee, the film or the category. A word of one character must match a whole word. Best match first, then ascending by id, unless sort says otherwise. Where the words find nothing, suggestions has similar queries, and fuzzy=true answers with the first of them.',
        schema: schemaNames.search,
      };
    case 'ranking':
      return {
        tag: 'Rankings',
        name: schemaNames.ranking(route.ranking),
        ...rankingTexts[route.ranking],
        schema: schemaNames.ranking(route.ranking),
      };
    case 'counts':
      return {
        tag: 'Counts',
        name: 'Counts',
        summary: 'Count nominations in groups',
        description:
          'Totals of the nominations that match all filters, for each year, decade, category and so on. Ascending by key.',
        schema: schemaNames.counts,
      };
    case 'document':
      return {
        tag: 'Description',
        name: 'Description',
        summary: 'Read this description',
        description: 'The OpenAPI document of the service. The query string is ignored.',
      };
  }
}

const ofReceipts = {
  tag: 'Receipts',
  secured: true,
  headers: uncachedHeaders(),
};

export const receiptReadings: readonly (readonly [address: string, reading: Reading])[] = [
  [
    receiptsPath,
    {
      ...ofReceipts,
      kind: 'receipts',
      name: 'Receipts',
      summary: 'List receipts',
      description:
        'All writes, newest first. A receipt must match all filters. A time without a clock means the whole day in UTC. The header Link leads to the next page. Only on a service with writes.',
      parameters: acceptedByReceipts.parameters.map((name) => (name === 'limit' ? 'limit.receipts' : name)),
      schema: schemaNames.receipts,
      headers: uncachedHeaders('Link.receipts'),
    },
  ],
  [
    `${receiptsPath}/{id}`,
    {
      ...ofReceipts,
      kind: 'receipt',
      name: 'Receipt',
      summary: 'Read a receipt',
      description: 'The fields and the snapshot files that one write changed. Only on a service with writes.',
      parameters: [],
      schema: schemaNames.receipt,
    },
  ],
];

/** A GET of a plain file beside the API. @param answer what it is, in words */
const fileOperation = (operation: JsonObject, answer: string, content: JsonObject): JsonObject => ({
  get: {
    ...operation,
    responses: {
      '200': { description: answer, content },
      // No content: else generators would take a part of a JSON file for a document.
      '206': {
        description: 'The bytes of the file that Range asks for.',
        headers: referencesTo('headers', ['Content-Range']),
      },
      '304': { description: 'The file has an ETag of If-None-Match.' },
      ...problemResponses('file'),
    },
  },
});

const pathParameter = (name: string, description: string, schema: JsonObject = {}): JsonObject => ({
  ...{ name, in: 'path', required: true, description },
  schema: { type: 'string', ...schema },
});

const json = (schema: string): JsonObject => ({
  'application/json': { schema: referenceTo('schemas', schema) },
});

/** Address → operations of the downloads. */
export const downloadPaths: JsonObject = {
  [`/${downloadIndexPath}`]: fileOperation(
    {
      operationId: 'getDownloads',
      summary: 'List the downloads',
      tags: ['Downloads'],
      description:
        'The files with the whole record, each with format, number of records, size and SHA-256. The index names the snapshot of the files, which can be older than the current one.',
    },
    'The index.',
    json(schemaNames.downloads),
  ),
  [`/${downloadsFolder}/{name}`]: fileOperation(
    {
      operationId: 'getDownload',
      summary: 'Download a file',
      tags: ['Downloads'],
      description: `A file from ${downloadIndexName}, under either of its names. Supports range and conditional requests.`,
      parameters: [pathParameter('name', 'The name or the immutable name of the file.')],
    },
    'The file.',
    Object.fromEntries(Object.values(downloadFormats).map((type) => [type.split(';')[0]!, {}])),
  ),
};

const listText =
  'Lists of films for media tools, one of winners and one of nominees for every category and ceremony.';

/** Address → operations of the lists. */
export const filmListPaths: JsonObject = {
  [`/${listIndexPath}`]: fileOperation(
    {
      operationId: 'getFilmLists',
      summary: 'List the lists of films',
      tags: ['Lists'],
      description: listText,
    },
    'The index.',
    json(schemaNames.filmLists),
  ),
  [`/${listsFolder}/{name}/{file}`]: fileOperation(
    {
      operationId: 'getFilmList',
      summary: 'Read a list of films',
      tags: ['Lists'],
      description: `A list that the index names. ${listText}`,
      parameters: [
        {
          ...pathParameter('name', 'The category or ceremony, as in the index.'),
          example: 'best-picture',
        },
        pathParameter('file', 'The kind and the format.', {
          enum: listKinds.flatMap((kind) => [`${kind}.json`, `${kind}.rss`]),
        }),
      ],
    },
    'The list.',
    { ...json(schemaNames.filmList), 'application/rss+xml': {} },
  ),
};
