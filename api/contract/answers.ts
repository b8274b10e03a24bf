/** What the service answers with, besides the records themselves: one schema for each document, and the types that derive from them. */
import Type, { type Static, type TSchema } from 'typebox';
import { resourceNames } from './names.ts';
import { type ProblemCode, problems, problemTypePrefix } from './problems.ts';
import {
  CategorySchema,
  CeremonySchema,
  MovieSchema,
  NominationSchema,
  NomineeSchema,
  SongSchema,
} from './resources.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PaginationSchema = Type.Object({
  total: count('Records that match, on all pages.'),
  page: Type.Integer({ minimum: 1, description: 'This page.' }),
  limit: Type.Integer({ minimum: 1, description: 'Records on a full page.' }),
  totalPages: count('Pages there are.'),
  hasNextPage: Type.Boolean({ description: 'Whether there is a page after this one.' }),
  hasPrevPage: Type.Boolean({
    description: 'Whether there is a page before this one; true past the end, too.',
  }),
});

const pageOf = <T extends TSchema>(record: T) =>
  Type.Object({
    data: Type.Array(record, { description: 'The records of this page.' }),
    pagination: PaginationSchema,
  });
const allOf = <T extends TSchema>(record: T) =>
  Type.Object({
    data: Type.Array(record, { description: 'All that match.' }),
    count: count('How many they are.'),
  });

/** Collection name → what its list answers. */
export const listSchemas = {
  nominations: pageOf(NominationSchema),
  ceremonies: allOf(CeremonySchema),
  movies: pageOf(MovieSchema),
  nominees: pageOf(NomineeSchema),
  categories: allOf(CategorySchema),
  songs: pageOf(SongSchema),
} as const;

const nominations = Type.Array(NominationSchema, { description: 'All its nominations, ascending by id.' });

/** Collection name → what the page of one record answers. */
export const recordSchemas = {
  nominations: Type.Object({
    ...NominationSchema.properties,
    category: CategorySchema,
    movie: MovieSchema,
    nominee: NomineeSchema,
    ceremony: CeremonySchema,
    song: Type.Optional(SongSchema),
  }),
  ceremonies: CeremonySchema,
  movies: Type.Object({ ...MovieSchema.properties, nominations }),
  nominees: Type.Object({ ...NomineeSchema.properties, nominations }),
  categories: Type.Object({ ...CategorySchema.properties, nominations }),
  songs: Type.Object({ ...SongSchema.properties, nominations }),
} as const;

export const SearchResultSchema = Type.Object({
  query: Type.String({ description: 'The words that were searched for, as sent.' }),
  data: Type.Array(NominationSchema, { description: 'The nominations of this page, the best match first.' }),
  pagination: PaginationSchema,
});

const ranked = <T extends Record<string, TSchema>>(who: T, totals: [string, string]) =>
  Type.Object({
    data: Type.Array(
      Type.Object({ ...who, total_nominations: count(totals[0]), total_wins: count(totals[1]) }),
      { description: 'The highest total first.' },
    ),
    count: count('How many rows these are.'),
  });
const id = (description: string) => Type.Integer({ minimum: 1, description });

/** Ranking → what it answers. */
export const rankingSchemas = {
  'top-movies': ranked({ movie_id: id('The film.'), movie: Type.String({ description: 'Its title.' }) }, [
    'Categories in which it was nominated, each once.',
    'Categories in which it won, each once.',
  ]),
  'top-nominees': ranked(
    { nominee_id: id('The person.'), nominee: Type.String({ description: 'Their name.' }) },
    ['Nominations.', 'Nominations that won.'],
  ),
} as const;

/** A record of any collection, without the fields that are derived. */
const storedRecord = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', ...(description && { description }) });

/** The fields of a receipt save the list of files, which only its own page has. */
const receiptFields = {
  id: id('Number of the receipt; later writes have higher ones.'),
  at: Type.String({ format: 'date-time', description: 'When it was written, in UTC.' }),
  key: Type.String({ description: 'Name of the key it was written with.' }),
  action: Type.Enum(['create', 'update'], { description: 'What the write did.' }),
  resource: Type.Enum([...resourceNames], { description: 'The collection that was written to.' }),
  record_id: id('The record that was written.'),
  before: Type.Union([storedRecord(), Type.Null()], {
    description:
      'The stored fields before the write; null for a new record. Sent as a PATCH, they take it back.',
  }),
  after: storedRecord('The stored fields after the write.'),
  snapshot: Type.Union([Type.String(), Type.Null()], {
    description: 'The snapshot that was the first to hold the write; null until there is one.',
  }),
};

export const RebuiltFileSchema = Type.Object({
  path: Type.String({ description: 'The file, below the root of the snapshot.' }),
  action: Type.Enum(['written', 'removed'], { description: 'What became of it.' }),
  cause: Type.String({ description: 'Why, in words.' }),
});
export const ReceiptSchema = Type.Object({
  ...receiptFields,
  files: Type.Union([Type.Array(RebuiltFileSchema), Type.Null()], {
    description:
      'The files that the build of that snapshot touched, for this write or others; null until then.',
  }),
});
export const ReceiptListSchema = Type.Object({
  data: Type.Array(Type.Object(receiptFields), {
    description: 'Receipts without their files, newest first.',
  }),
});

/** A fault of a query string or of a body. */
export const FaultSchema = Type.Union([
  Type.Object({
    parameter: Type.String({ description: 'The parameter it is about.' }),
    message: Type.String({ description: 'What is wrong with it.' }),
  }),
  Type.Object({
    pointer: Type.String({
      description: 'The value it is about as a JSON pointer (RFC 6901); empty for the whole body.',
    }),
    message: Type.String({ description: 'What is wrong with it.' }),
  }),
]);

/** The document of one problem of the table, or of any. */
export function problemSchema(code?: ProblemCode) {
  const { status, title } = code ? problems[code] : { status: undefined, title: undefined };
  return Type.Object({
    type: Type.String({
      ...(code && { const: problemTypePrefix + code }),
      description: 'Which problem it is, for programs.',
    }),
    title: Type.String({
      ...(title && { const: title }),
      description: 'The problem in words, always the same.',
    }),
    status: Type.Integer({
      ...(status ? { const: status } : { minimum: 400, maximum: 599 }),
      description: 'The status of the answer.',
    }),
    detail: Type.String({
      minLength: 1,
      description: 'What was the matter with this very request, for people.',
    }),
    errors: Type.Optional(
      Type.Array(FaultSchema, {
        description: 'Every fault of the query string or of the body, in their order.',
      }),
    ),
  });
}

export type Pagination = Static<typeof PaginationSchema>;
export type ListOf = { [R in keyof typeof listSchemas]: Static<(typeof listSchemas)[R]> };
export type PageOf = { [R in keyof typeof recordSchemas]: Static<(typeof recordSchemas)[R]> };
export type RankingOf = { [R in keyof typeof rankingSchemas]: Static<(typeof rankingSchemas)[R]> };
export type SearchResult = Static<typeof SearchResultSchema>;
export type ReceiptDocument = Static<typeof ReceiptSchema>;
export type ReceiptList = Static<typeof ReceiptListSchema>;
