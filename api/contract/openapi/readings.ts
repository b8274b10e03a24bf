/** What there is to read at each address: what GET, HEAD and OPTIONS have in common there. */
import type { ResourceName } from '../names.ts';
import {
  type ListRoute,
  type RankingRoute,
  type RecordRoute,
  type Route,
  receiptPath,
  receiptsPath,
  type SearchRoute,
} from '../routes.ts';
import { headersOfNothingKept, headersOfReading } from './headers.ts';
import type { JsonObject } from './model.ts';
import { otherParameters } from './parameters.ts';
import type { OperationKind } from './problems.ts';
import { pascalCase, schemaNames } from './schemas.ts';

export interface Reading {
  kind: OperationKind;
  tag: string;
  /** What follows the method in the operation's id. */
  name: string;
  summary: string;
  description: string;
  parameters: readonly string[];
  /** Name of the schema of the document; without it, any JSON object. */
  schema?: string;
  headers: JsonObject;
  /** Whether 304 can be answered. */
  conditional: boolean;
  secured: boolean;
}

/** What one record of a collection, and many of them, are called in summaries. */
export const wordsFor: Record<ResourceName, readonly [one: string, many: string]> = {
  nominations: ['a nomination', 'nominations'],
  ceremonies: ['a ceremony', 'ceremonies'],
  movies: ['a film', 'films'],
  nominees: ['a person or company', 'people and companies'],
  categories: ['a category', 'categories'],
  songs: ['a song', 'songs'],
};

/** The group of operations that a collection belongs to. */
export const tagOf = (resource: ResourceName): string => pascalCase(resource);

const ofTheSnapshot = { conditional: true, secured: false };

/** What a route reads. */
export function readingOf(route: Route): Reading {
  switch (route.kind) {
    case 'list':
      return listReading(route);
    case 'record':
      return recordReading(route);
    case 'search':
      return searchReading(route);
    case 'ranking':
      return rankingReading(route);
    case 'document':
      return documentReading;
  }
}

function listReading({ resource, paginated, parameters }: ListRoute): Reading {
  const order = resource === 'ceremonies' ? 'Newest first.' : 'Ascending by id.';
  const extent = paginated ? 'One page.' : 'All at once; page and limit are checked and mean nothing.';
  return {
    ...ofTheSnapshot,
    kind: 'query',
    tag: tagOf(resource),
    name: pascalCase(resource),
    summary: `List ${wordsFor[resource][1]}`,
    description: `${extent} ${order} Filters combine with AND.`,
    parameters,
    schema: schemaNames.list(resource),
    headers: paginated ? headersOfReading('Link') : headersOfReading(),
  };
}

const recordReading = ({ resource }: RecordRoute): Reading => ({
  ...ofTheSnapshot,
  kind: 'record',
  tag: tagOf(resource),
  name: schemaNames.record(resource),
  summary: `Read ${wordsFor[resource][0]}`,
  description: 'The record with what belongs to it. The query string is ignored.',
  parameters: [],
  schema: schemaNames.page(resource),
  headers: headersOfReading(),
});

const searchReading = ({ parameters }: SearchRoute): Reading => ({
  ...ofTheSnapshot,
  kind: 'query',
  tag: 'Search',
  name: 'Search',
  summary: 'Search nominations',
  description:
    'Nominations in which every word of q begins a word of the nominee, the film or the category; a word of one character must be a whole word there. The best match first, then ascending by id.',
  parameters,
  schema: schemaNames.search,
  headers: headersOfReading('Link'),
});

const rankingReading = ({ ranking, parameters }: RankingRoute): Reading => ({
  ...ofTheSnapshot,
  kind: 'query',
  tag: 'Rankings',
  name: schemaNames.ranking(ranking),
  summary: ranking === 'top-movies' ? 'Rank films' : 'Rank people',
  description:
    ranking === 'top-movies'
      ? 'Films by the categories they were nominated in, each category once; then by the other total, then by id.'
      : 'People by their nominations; then by the other total, then by id. Companies and countries are not ranked.',
  parameters,
  schema: schemaNames.ranking(ranking),
  headers: headersOfReading(),
});

const documentReading: Reading = {
  ...ofTheSnapshot,
  kind: 'document',
  tag: 'Description',
  name: 'Description',
  summary: 'Read this description',
  description: 'The description of the service for programs. The query string is ignored.',
  parameters: [],
  headers: headersOfReading(),
};

const ofTheService = { conditional: false, secured: true, tag: 'Receipts', headers: headersOfNothingKept() };

/** Address → what it reads, for the addresses that only a service that takes writes has. */
export const receiptReadings: readonly (readonly [address: string, reading: Reading])[] = [
  [
    receiptsPath,
    {
      ...ofTheService,
      kind: 'receipts',
      name: 'Receipts',
      summary: 'List receipts',
      description: 'What was written, newest first. Only where writes are taken.',
      parameters: [otherParameters.before],
      schema: schemaNames.receipts,
    },
  ],
  [
    receiptPath(1).replace('1', '{id}'),
    {
      ...ofTheService,
      kind: 'receipt',
      name: 'Receipt',
      summary: 'Read a receipt',
      description:
        'What one write changed, and every file of the snapshot that came of it. Only where writes are taken.',
      parameters: [],
      schema: schemaNames.receipt,
    },
  ],
];
