/** The schemas of the document: records, lists, pages, rankings, receipts, problems, and the bodies of writes. */
import Type, { type TSchema } from 'typebox';
import {
  FaultSchema,
  listSchemas,
  PaginationSchema,
  problemSchema,
  RebuiltFileSchema,
  ReceiptListSchema,
  ReceiptSchema,
  rankingSchemas,
  recordSchemas,
  SearchResultSchema,
} from '../answers.ts';
import { defaultOf, derivedFrom, fieldSchemas, isNullable, requiredFields } from '../bodies.ts';
import { DownloadIndexSchema, DownloadSchema } from '../download-index.ts';
import { type ResourceName, resourceNames, type WritableResource, writableResources } from '../names.ts';
import { type ProblemCode, problems } from '../problems.ts';
import { resourceSchemas } from '../resources.ts';
import type { RankingName } from '../routes.ts';
import type { JsonObject } from './model.ts';
import { type NamedSchemas, schemaDocument } from './schema.ts';

/** Collection → name of the schema of its records, as the contract calls it. */
const recordNames: Record<ResourceName, string> = {
  nominations: 'Nomination',
  ceremonies: 'Ceremony',
  movies: 'Movie',
  nominees: 'Nominee',
  categories: 'Category',
  songs: 'Song',
};
const rankingNames: Record<RankingName, string> = {
  'top-movies': 'TopMovies',
  'top-nominees': 'TopNominees',
};

/** The name of each schema, by what it describes. */
export const schemaNames = {
  record: (resource: ResourceName) => recordNames[resource],
  list: (resource: ResourceName) => `${recordNames[resource]}List`,
  /** A ceremony's page is the bare record. */
  page: (resource: ResourceName) =>
    resource === 'ceremonies' ? recordNames[resource] : `${recordNames[resource]}Page`,
  creation: (resource: WritableResource) => `New${recordNames[resource]}`,
  change: (resource: WritableResource) => `${recordNames[resource]}Change`,
  ranking: (ranking: RankingName) => rankingNames[ranking],
  problem: (code: ProblemCode) => `${pascalCase(code)}Problem`,
  search: 'SearchResult',
  receipt: 'Receipt',
  downloads: 'DownloadIndex',
  receipts: 'ReceiptList',
};

/** `no-such-record` becomes `NoSuchRecord`. */
export const pascalCase = (code: string): string =>
  code.replace(/(^|-)([a-z])/g, (_all, _dash: string, letter: string) => letter.toUpperCase());

const named: NamedSchemas = new Map<TSchema, string>([
  ...resourceNames.flatMap((resource): [TSchema, string][] => [
    [resourceSchemas[resource], schemaNames.record(resource)],
    [listSchemas[resource], schemaNames.list(resource)],
  ]),
  ...resourceNames
    .filter((resource) => resource !== 'ceremonies')
    .map((resource): [TSchema, string] => [recordSchemas[resource], schemaNames.page(resource)]),
  [SearchResultSchema, schemaNames.search],
  [rankingSchemas['top-movies'], schemaNames.ranking('top-movies')],
  [rankingSchemas['top-nominees'], schemaNames.ranking('top-nominees')],
  [PaginationSchema, 'Pagination'],
  [ReceiptSchema, schemaNames.receipt],
  [ReceiptListSchema, schemaNames.receipts],
  [RebuiltFileSchema, 'RebuiltFile'],
  [FaultSchema, 'Fault'],
  [DownloadIndexSchema, schemaNames.downloads],
  [DownloadSchema, 'Download'],
]);

/** A new record: what is derived may be there, and everything that has a default may be missing. */
function creation(resource: WritableResource): JsonObject {
  const { properties, required: _all, ...schema } = schemaDocument(resourceSchemas[resource], named);
  return {
    ...schema,
    description: `A new record of ${resource}. Fields that are not sent are null; lists are empty, winner is false.`,
    required: requiredFields[resource],
    properties: properties!,
  };
}

/** A JSON merge patch: any of the fields, and null for those that have a default. */
function change(resource: WritableResource): JsonObject {
  const fields = fieldSchemas(resource);
  const removable = (field: string) =>
    isNullable(fields[field]!) || (defaultOf(field) !== null && !Object.hasOwn(derivedFrom, field));
  const { required: _all, ...schema } = schemaDocument(
    Type.Object(
      Object.fromEntries(
        Object.entries(fields).map(([field, own]) => [
          field,
          isNullable(own) || !removable(field) ? own : Type.Union([own, Type.Null()]),
        ]),
      ),
    ),
    named,
  );
  return {
    ...schema,
    description: `A JSON merge patch (RFC 7396) of a record of ${resource}: the fields to change. null takes a value away; the id and derived fields may be repeated, not changed.`,
  };
}

/** Name → schema, all of them. */
export function schemaComponents(): JsonObject {
  const own = [...named].map(([schema, name]) => [name, schemaDocument(schema, named)]);
  const bodies = writableResources.flatMap((resource) => [
    [schemaNames.creation(resource), creation(resource)],
    [schemaNames.change(resource), change(resource)],
  ]);
  const problemSchemas = (Object.keys(problems) as ProblemCode[]).map((code) => [
    schemaNames.problem(code),
    schemaDocument(problemSchema(code), named),
  ]);
  return Object.fromEntries([...own, ...bodies, ...problemSchemas]);
}
