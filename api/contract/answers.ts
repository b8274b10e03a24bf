/** Schemas of all answer documents except plain records, and the types derived from them. */
import Type, { type Static, type TSchema } from 'typebox';
import { type Address, type Addresses, type AddressOf, type RankingName, rankingNames } from './addresses.ts';
import {
  summaryPattern,
  summaryTemplates,
  unofficialTemplates,
  unofficialWinTemplates,
} from './award-summary.ts';
import { BatchSchema } from './bodies.ts';
import { type DownloadFormat, downloadFormats, type ListKind, listKinds } from './layers.ts';
import { resourceNames } from './names.ts';
import { countKeys } from './parameters.ts';
import { type ProblemCode, problems, problemTypePrefix } from './problems.ts';
import {
  CountsSchema,
  DetailsSchema,
  OfficialCountsSchema,
  requestedSchemas,
  resourceSchemas,
  SourceSchema,
} from './resources.ts';
import { type ListedAddresses, type ListedName, listedAddresses } from './routes.ts';
import { maxSuggestions } from './search-index.ts';

const text = (description: string) => Type.String({ description });
const idRange = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const id = (description: string) => Type.Integer({ ...idRange, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const PaginationSchema = Type.Object({
  total: count('Number of matching records on all pages.'),
  page: Type.Integer({ minimum: 1, description: 'Number of this page.' }),
  limit: Type.Integer({ minimum: 1, description: 'Number of records on a full page.' }),
  totalPages: count('Number of pages.'),
  hasNextPage: Type.Boolean({ description: 'Whether a page follows this one.' }),
  hasPrevPage: Type.Boolean({
    description: 'Whether a page precedes this one. Also true for a page past the end.',
  }),
});

const pageOf = <T extends TSchema>(record: T) =>
  Type.Object({
    data: Type.Array(record, { description: 'The records of this page.' }),
    pagination: PaginationSchema,
  });
const allOf = <T extends TSchema>(record: T) =>
  Type.Object({
    data: Type.Array(record, { description: 'All matching records.' }),
    count: count('Number of records in data.'),
  });

const details = {
  details: Type.Optional(
    Type.Object(DetailsSchema.properties, {
      description: 'With include=details, and in the answer to a write whose body has details.',
    }),
  ),
};
/** A nomination in a list, embedded, or in the answer to a write. */
const ListedNominationSchema = Type.Object({ ...resourceSchemas.nominations.properties, ...details });
/** With include=counts. */
const counts = { counts: Type.Optional(CountsSchema) };
/** The film year of a film: that of its first ceremony. */
const ofFilm = {
  film_year: orNull(
    Type.Integer(),
    'With include=film_year: the year of the films of its first ceremony, the last of two; null without a nomination or competitive honor.',
  ),
  film_years: orNull(
    Type.String(),
    'With include=film_year: the same as the source writes it: 2020, 1927/28.',
  ),
};
const filmYear = Type.Partial(Type.Object(ofFilm)).properties;
/** A ceremony in a list, embedded, or in the answer to a write. */
const ListedCeremonySchema = Type.Object({
  ...resourceSchemas.ceremonies.properties,
  ...Type.Partial(Type.Object(requestedSchemas.ceremonies)).properties,
});
/** A film in the answer to a write, or embedded. */
const ListedMovieSchema = Type.Object({
  ...resourceSchemas.movies.properties,
  ...Type.Partial(Type.Object(requestedSchemas.movies)).properties,
});
/** A nominee in the answer to a write, or embedded. */
const ListedNomineeSchema = Type.Object({
  ...resourceSchemas.nominees.properties,
  ...Type.Partial(Type.Object(requestedSchemas.nominees)).properties,
});
/** Resource → a record in the answer to a write, which can have more than its fields. */
export const listedSchemas = {
  ...resourceSchemas,
  nominations: ListedNominationSchema,
  ceremonies: ListedCeremonySchema,
  movies: ListedMovieSchema,
  nominees: ListedNomineeSchema,
} as const;
const nominations = Type.Array(ListedNominationSchema, {
  description: 'All nominations of the record, by ascending id.',
});
/** With include=nominations. */
const embedded = { nominations: Type.Optional(nominations) };
/** With include=honors. */
const honors = {
  honors: Type.Optional(
    Type.Array(resourceSchemas.honors, {
      description:
        'With include=honors: the honors of the film, of the ceremony, or that name the person, by ascending id.',
    }),
  ),
};

/** Resource → schema of its list. */
export const listSchemas = {
  nominations: pageOf(ListedNominationSchema),
  ceremonies: allOf(Type.Object({ ...ListedCeremonySchema.properties, ...counts, ...honors })),
  movies: pageOf(
    Type.Object({ ...ListedMovieSchema.properties, ...embedded, ...counts, ...filmYear, ...honors }),
  ),
  nominees: pageOf(Type.Object({ ...ListedNomineeSchema.properties, ...embedded, ...counts, ...honors })),
  categories: allOf(resourceSchemas.categories),
  songs: pageOf(Type.Object({ ...resourceSchemas.songs.properties, ...embedded })),
  honors: pageOf(resourceSchemas.honors),
} as const;

/** Resource → schema of the page of one record. */
export const recordSchemas = {
  nominations: Type.Object({
    ...resourceSchemas.nominations.properties,
    category: resourceSchemas.categories,
    movie: ListedMovieSchema,
    nominee: ListedNomineeSchema,
    ceremony: ListedCeremonySchema,
    song: Type.Optional(resourceSchemas.songs),
    ...details,
  }),
  ceremonies: Type.Object({ ...ListedCeremonySchema.properties, ...counts, ...honors }),
  movies: Type.Object({
    ...ListedMovieSchema.properties,
    nominations,
    ...counts,
    ...filmYear,
    ...honors,
  }),
  nominees: Type.Object({ ...ListedNomineeSchema.properties, nominations, ...counts, ...honors }),
  categories: Type.Object({ ...resourceSchemas.categories.properties, nominations }),
  songs: Type.Object({ ...resourceSchemas.songs.properties, nominations }),
  honors: resourceSchemas.honors,
} as const;

const ranked = <T extends Record<string, TSchema>>(subject: T, nominated: string, won: string) =>
  Type.Object({
    data: Type.Array(
      Type.Object({ ...subject, total_nominations: count(nominated), total_wins: count(won) }),
      { description: 'Highest total first.' },
    ),
    count: count('Number of rows in data.'),
  });

/** An object with any members, such as a record of any resource without derived fields. */
const anyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

/** The fields of a receipt in the list of receipts. */
const receiptFields = {
  id: id('Number of the receipt. Later receipts have higher numbers.'),
  at: Type.String({ format: 'date-time', description: 'Time of the write, in UTC.' }),
  key: text(
    'Name of the API key of the write: "environment" for that of AWARDS_API_KEY. Commands that write have "import", "enrich:wikidata" or "enrich:tmdb".',
  ),
  action: Type.Enum(['create', 'update', 'delete'], {
    description: 'Whether the write added, changed or deleted a record.',
  }),
  resource: Type.Enum([...resourceNames], { description: 'The collection that contains the record.' }),
  record_id: id('Id of the record.'),
  group: Type.Optional(
    id(
      'Number of the batch that the write was part of: the lowest id of its receipts. Missing for a single write.',
    ),
  ),
  before: Type.Union([anyObject, Type.Null()], {
    description:
      'The changed fields before the write, with the names of references as they were; null for a new record. To undo the write, send them in a PATCH, or in a POST if the record was deleted; DELETE a new record. Leave out the name of a reference that has another name now.',
  }),
  after: Type.Union([anyObject, Type.Null()], {
    description: 'The stored fields after the write; null for a deleted record.',
  }),
  note: Type.Optional(text('The note of the write in its batch. Missing without one.')),
  snapshot: Type.Union([Type.String(), Type.Null()], {
    description: 'The first snapshot that contains the write; null until it exists.',
  }),
};

const RebuiltFileSchema = Type.Object({
  path: text('Path of the file, relative to the root of the snapshot.'),
  action: Type.Enum(['written', 'removed'], { description: 'Whether the file was written or removed.' }),
  cause: text('Why, in words.'),
});

/** An object with a value for each name. */
const addressesOf = <K extends string, T extends TSchema>(names: readonly K[], value: T) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, value])) as Record<K, T>);

const message = text('What is wrong.');

/** A fault of a query string or of a body. */
const FaultSchema = Type.Union([
  Type.Object({ parameter: text('Name of the parameter.'), message }),
  Type.Object({
    pointer: text('JSON pointer (RFC 6901) to the faulty value; empty for the whole body.'),
    message,
  }),
]);

/** An entry of downloads/index.json. */
const DownloadSchema = Type.Object({
  name: Type.String({
    pattern: '^[a-z]+\\.[a-z]+$',
    description: 'Address relative to the index. Always the newest file.',
  }),
  immutable_name: Type.String({
    pattern: '^[a-z]+-[0-9a-f]{20}\\.[a-z]+$',
    description:
      'Address relative to the index, for exactly these bytes. Available until shortly after the record changes.',
  }),
  format: Type.Enum(Object.keys(downloadFormats) as DownloadFormat[], { description: 'Format of the file.' }),
  resource: Type.Union([Type.String({ pattern: `^(${resourceNames.join('|')})$` }), Type.Null()], {
    description: 'The resource of the records; null for all resources.',
  }),
  rows: Type.Integer({ ...idRange, minimum: 0, description: 'Number of records.' }),
  bytes: Type.Integer({ ...idRange, minimum: 0, description: 'Size.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal.' }),
  media_type: text('Media type.'),
  description: text('Content and format, in a few sentences.'),
});

const address = <T extends string = string>(description: string) =>
  Type.Unsafe<T>(Type.String({ pattern: '^/lists/[a-z0-9-]+/[a-z]+\\.[a-z]+$', description }));

/** A film as Radarr takes it from a custom list. */
const ListedFilmSchema = Type.Object({
  title: text('Title.'),
  imdb_id: text('IMDb id, tt…: filmindex_id of the film.'),
  poster_url: Type.Optional(
    Type.String({ description: 'URL of a poster. Missing if none is known, or if it may not be passed on.' }),
  ),
  year: Type.Integer({
    description: 'Year of the first release; if it is not known, or may not be passed on, the film year.',
  }),
});

const snapshotId = (description: string) => Type.String({ pattern: '^[0-9a-f]{20}$', description });
const published = {
  published_at: Type.String({
    format: 'date-time',
    description: 'Time of the publish, in UTC: that of its start. It was live up to 27 hours later.',
  }),
  snapshot: snapshotId('The snapshot that was published.'),
  previous: snapshotId('The snapshot before it.'),
};

const changedRecords = Type.Array(
  Type.Object({
    resource: Type.Enum([...resourceNames], { description: 'The collection of the record.' }),
    id: id('Id of the record.'),
    before: orNull(
      anyObject,
      'The stored fields that changed, before; all for a removed record; null for a new one. The details of a nomination stand within: those that changed, as PATCH takes them. Values that may not be passed on stand as unknown.',
    ),
    after: orNull(anyObject, 'The same fields, after; all for a new record; null for a removed one.'),
  }),
  { description: 'By resource, then ascending by id.' },
);
/** What one publish changed. */
const ChangeSchema = Type.Object({ ...published, records: changedRecords });
const PublishedChangeSchema = Type.Object({
  ...published,
  records: orNull(
    changedRecords,
    'By resource, then ascending by id. null where it is not known what changed: a copy of an earlier snapshot starts again from a download.',
  ),
});
const newestFirst = { description: 'The publishes, newest first.' };

const sources = Type.Array(SourceSchema, {
  description: 'Where the record comes from, and under which licences. Name them where you use it.',
});

const released = {
  snapshot: snapshotId('The snapshot of the files.'),
  licence: text('The sources of the record with their licences, in one line.'),
  records: addressesOf(resourceNames, count('Number of records.')),
};

const quotedForms = (templates: Readonly<Record<string, string>>): string =>
  Object.values(templates)
    .map((template) => `"${template}"`)
    .join(', ');

/** The members that files by IMDb id have for films and for nominees. */
const byImdb = {
  nominations,
  counts: CountsSchema,
  honors: Type.Array(resourceSchemas.honors, {
    description: 'All honors of the record, by ascending id. They are in no count and not in the summary.',
  }),
  official_counts: OfficialCountsSchema,
  summary: Type.String({
    pattern: summaryPattern,
    description: `What official_counts says, in one of these forms: ${quotedForms(summaryTemplates)}; with entries that are not official, followed by ${quotedForms(unofficialTemplates)}; where no entry is official and some won, ${quotedForms(unofficialWinTemplates)}. Translate the form, and fill in the numbers of official_counts.`,
  }),
};
const MovieByImdbSchema = Type.Object({
  ...resourceSchemas.movies.properties,
  ...byImdb,
  ...ofFilm,
});
const NomineeByImdbSchema = Type.Object({ ...resourceSchemas.nominees.properties, ...byImdb });

/** What `/api` says of the addresses that belong to no group. */
const listedTexts: Readonly<Record<ListedName, string>> = {
  search: 'Address of the search.',
  counts: 'Address of counts in groups.',
  changes: 'Address of what publishes changed.',
};
const listedGroups: Record<string, TSchema> = {
  resources: addressesOf(resourceNames, text('Address of the list.')),
  rankings: addressesOf(rankingNames, text('Address of the ranking.')),
};
/** The members of `/api` that listedAddresses() makes. */
const listedProperties = Object.fromEntries(
  Object.keys(listedAddresses()).map((name) => [
    name,
    listedGroups[name] ?? text(listedTexts[name as ListedName]),
  ]),
) as {
  [N in keyof ListedAddresses]: ListedAddresses[N] extends string
    ? Type.TString
    : Type.TUnsafe<ListedAddresses[N]>;
};

/** Name in the OpenAPI document → schema of a document, or of a part of documents. */
export const documentSchemas = {
  ApiRoot: Type.Object({
    name: text('Name of the service.'),
    documentation: text('Address of the reference.'),
    openapi: text('Address of the OpenAPI document.'),
    downloads: text('Address of the index of downloads.'),
    snapshot: text('Id of the snapshot that answers.'),
    record: Type.Object({
      ...addressesOf(resourceNames, count('Number of records.')).properties,
      first_year: orNull(Type.Integer(), 'Year of the first ceremony; null if there is none.'),
      last_year: orNull(Type.Integer(), 'Year of the last ceremony.'),
    }),
    sources,
    sample: Type.Optional(
      Type.Boolean({ const: true, description: 'Only where the record is the sample of the project.' }),
    ),
    notice: Type.Optional(
      Type.String({ description: 'What the sample holds, and how to get the whole record.' }),
    ),
    ...listedProperties,
    lists: text('Address of the index of lists for media tools.'),
    manifest: text('Address of the manifest of the snapshot.'),
  }),
  SearchResult: Type.Object({
    query: text('The search words, as sent.'),
    corrected: Type.Optional(
      Type.String({
        description:
          'Only with fuzzy=true, and where the words find nothing but similar ones do: the words that the answer is of.',
      }),
    ),
    data: Type.Array(ListedNominationSchema, {
      description: 'The nominations of this page, best match first.',
    }),
    pagination: PaginationSchema,
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: maxSuggestions,
        description:
          'Only where the words find nothing, without regard to the filters: similar queries that find something, nearest first.',
      }),
    ),
  }),
  CountsList: Type.Object({
    data: Type.Array(
      Type.Object({
        key: Type.Union([Type.Integer(), Type.String(), Type.Null()], {
          description:
            'The group: a year, the first year of a decade, or a text in lower case without accents; null for nominations without a value.',
        }),
        label: Type.Union([Type.String(), Type.Null()], { description: 'The key to show.' }),
        ...CountsSchema.properties,
        movies: count('Films with such a nomination.'),
        nominees: count('People and companies with such a nomination.'),
      }),
      { description: 'Groups with a nomination, ascending by key; null comes last.' },
    ),
    by: Type.Enum([...countKeys], { description: 'What the nominations are grouped by, as sent.' }),
    count: count('Number of groups in data.'),
  }),
  Pagination: PaginationSchema,
  Receipt: Type.Object({
    ...receiptFields,
    files: Type.Union([Type.Array(RebuiltFileSchema), Type.Null()], {
      description:
        'The files that the build of this snapshot changed. One build can contain several writes. Null until the snapshot exists, and for all but the latest 100 builds with writes.',
    }),
  }),
  ReceiptList: Type.Object({
    data: Type.Array(Type.Object(receiptFields), {
      description: 'Receipts without their files, newest first.',
    }),
    editor: text('Name of the key that this request has.'),
  }),
  RebuiltFile: RebuiltFileSchema,
  Batch: BatchSchema,
  BatchResult: Type.Object({
    group: orNull(Type.Integer(idRange), 'Number of the group of receipts; null if nothing changed.'),
    data: Type.Array(
      Type.Object({
        status: Type.Integer({ description: '201 for a new record, 200 for a changed or deleted one.' }),
        path: text('Address of the record.'),
        etag: orNull(
          Type.String(),
          'The current ETag of the record’s page. Null until a snapshot contains the write, and if this write deleted the record or a later one changed it.',
        ),
        receipt: orNull(Type.Integer(idRange), 'Id of the receipt; null if the write changed nothing.'),
        record: Type.Union(
          [
            ListedNominationSchema,
            ListedCeremonySchema,
            ListedMovieSchema,
            ListedNomineeSchema,
            resourceSchemas.songs,
            resourceSchemas.honors,
          ],
          {
            description: 'The record after this write, or the deleted one, in the form of the list.',
          },
        ),
      }),
      { description: 'The outcome of each write, in the order of the batch.' },
    ),
  }),
  Fault: FaultSchema,
  Problem: Type.Object({
    type: Type.Enum(
      (Object.keys(problems) as ProblemCode[]).map((code) => problemTypePrefix + code),
      { description: 'Identifies the problem, for programs.' },
    ),
    title: Type.String({ description: 'The problem in words. Constant for each type.' }),
    status: Type.Integer({ description: 'HTTP status of the answer.' }),
    detail: Type.String({ minLength: 1, description: 'What is wrong with this request, for people.' }),
    errors: Type.Optional(
      Type.Array(FaultSchema, {
        description: 'All faults of the query string or of the body, in their order.',
      }),
    ),
  }),
  DownloadIndex: Type.Object({
    snapshot: Type.String({
      pattern: '^[0-9a-f]{20}$',
      description: 'Id of the snapshot that the files were made from, as in manifest.json.',
    }),
    maker: Type.String({
      pattern: '^[0-9a-f]{20}$',
      description:
        'Fingerprint of the program that made the files. Another program may make other bytes from the same snapshot.',
    }),
    sources,
    notices: Type.Array(Type.String(), {
      description:
        'Notices to show where the files are used: they include values of these sources that may not be passed on. Usually ' +
        'empty: such values are left out, and stand as unknown.',
    }),
    files: Type.Array(DownloadSchema, { description: 'The files.' }),
  }),
  Download: DownloadSchema,
  Source: SourceSchema,
  Change: ChangeSchema,
  ChangesAnswer: Type.Object({
    snapshot: snapshotId(
      'The snapshot after these changes, the newest published one if there is no next: the next question is for the changes since it.',
    ),
    data: Type.Array(ChangeSchema, newestFirst),
    next: Type.Optional(
      text(
        'Address of the changes that follow, where one answer does not hold them all; missing in the last one.',
      ),
    ),
  }),
  ChangeList: Type.Object({ data: Type.Array(PublishedChangeSchema, newestFirst) }),
  ChangeIndex: Type.Object({
    snapshot: snapshotId('The newest published snapshot.'),
    oldest: Type.Object(
      { snapshot: published.snapshot, published_at: published.published_at },
      { description: 'Where the history begins: what changed before is not kept.' },
    ),
    data: Type.Array(
      Type.Object({
        ...published,
        path: text('Address of the file with the changes: of this publish, of a day, or of a year.'),
        earlier: Type.Optional(
          Type.Array(Type.String({ pattern: '^[0-9a-f]{8}$' }), {
            description:
              'Where the file is of a day: the first 8 digits of its earlier snapshots, newest first.',
          }),
        ),
        added: orNull(Type.Integer({ minimum: 0 }), 'Records that were added; null if not known.'),
        changed: orNull(Type.Integer({ minimum: 0 }), 'Records that changed; null if not known.'),
        removed: orNull(Type.Integer({ minimum: 0 }), 'Records that were removed; null if not known.'),
      }),
      { description: 'Newest first. A day or a year is as its last publish, with the sums of all.' },
    ),
  }),
  Release: Type.Object({
    ...released,
    sources: Type.Optional(sources),
    files: Type.Array(Type.Omit(DownloadSchema, ['immutable_name']), { description: 'The files.' }),
  }),
  ReleaseIndex: Type.Object({
    data: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'The day, in UTC.' }),
        ...released,
        path: text('Address of the index of the day.'),
        bytes: count('Size of all its files.'),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the index of the day.' }),
      }),
      { description: 'Newest first.' },
    ),
  }),
  FilmListIndex: Type.Object({
    data: Type.Array(
      Type.Object({
        title: text('What the list holds.'),
        kind: Type.Enum([...listKinds] as ListKind[], { description: 'Winners are among the nominees.' }),
        category_id: orNull(
          Type.Integer(idRange),
          'The category of the list; null for the list of a ceremony.',
        ),
        ceremony_id: orNull(
          Type.Integer(idRange),
          'The ceremony of the list; null for the list of a category.',
        ),
        films: count('Number of films.'),
        json: address<`/lists/${string}.json`>(
          'Address of the list as JSON, which Radarr takes as a custom list.',
        ),
        rss: address('Address of the list as RSS 2.0.'),
      }),
      { description: 'Categories by id, then ceremonies, newest first.' },
    ),
    count: count('Number of lists in data.'),
  }),
  FilmList: Type.Array(ListedFilmSchema, {
    description: 'Films with a known id, by their latest such nomination, newest first.',
  }),
  ListedFilm: ListedFilmSchema,
  ByImdbIndex: Type.Object({
    data: Type.Unsafe<Record<string, [id: number, entries: number, wins: number]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'integer' }, minItems: 3, maxItems: 3 },
      description:
        'IMDb id → the id of the film (tt…) or nominee (nm…, co…), its official entries, and how many of these won. Ascending by IMDb id.',
    }),
    count: count('Number of IMDb ids in data.'),
  }),
  MovieByImdb: MovieByImdbSchema,
  NomineeByImdb: NomineeByImdbSchema,
  RecordByImdb: Type.Union([MovieByImdbSchema, NomineeByImdbSchema]),
};

interface AnswerText {
  summary: string;
  description: string;
  schema: TSchema;
}

/**
 * Address → what GET does there, and the schema of the answer. Those of records and their lists follow from
 * the resource.
 */
export const answers = {
  '/api': {
    summary: 'Read the addresses',
    description: 'What the record is, and the addresses of everything else. The query string is ignored.',
    schema: documentSchemas.ApiRoot,
  },
  '/api/search': {
    summary: 'Search nominations',
    description:
      'Each word of q must match the start of a word in the nominee, the film or the category. A word of one character must match a whole word. Best match first, then ascending by id, unless sort says otherwise. Where the words find nothing, suggestions has similar queries, and fuzzy=true answers with the first of them. Only these three fields are searched, so that an answer never depends on a table of names: original titles and nicknames (“la vita è bella”, “rdj”) find nothing here. The page /search and the tool search of /mcp find records by them.',
    schema: documentSchemas.SearchResult,
  },
  '/api/stats/top-movies': {
    summary: 'Rank films',
    description:
      'Films by number of categories with a nomination. Ties are ordered by the other total, then by id.',
    schema: ranked(
      { movie_id: id('Id of the film.'), movie: text('Title of the film.') },
      'Number of categories in which the film was nominated.',
      'Number of categories in which the film won.',
    ),
  },
  '/api/stats/top-nominees': {
    summary: 'Rank people',
    description:
      'People by number of nominations. Ties are ordered by the other total, then by id. Companies and countries are not ranked.',
    schema: ranked(
      { nominee_id: id('Id of the person.'), nominee: text('Name of the person.') },
      'Number of nominations.',
      'Number of nominations that won.',
    ),
  },
  '/api/stats/counts': {
    summary: 'Count nominations in groups',
    description:
      'Totals of the nominations that match all filters, for each year, decade, category and so on. Ascending by key.',
    schema: documentSchemas.CountsList,
  },
  '/api/changes': {
    summary: 'Read what publishes changed',
    description:
      'The publishes after a snapshot, or since a date or time; without since, all that are kept. Newest first. To follow the record, ask again with the snapshot of the answer. An answer has a limited number of publishes, the oldest of those that were asked for; where more follow, next and the header Link have their address. Values that may not be passed on stand as unknown. 410 means that a copy starts again from a download.',
    schema: documentSchemas.ChangesAnswer,
  },
  '/api/openapi.json': {
    summary: 'Read this description',
    description: 'The OpenAPI document of the service. The query string is ignored.',
    schema: anyObject,
  },
  '/receipts': {
    summary: 'List receipts',
    description:
      'All writes, newest first. A receipt must match all filters. A time without a clock means the whole day in UTC. The header Link leads to the next page. Only on a service with writes.',
    schema: documentSchemas.ReceiptList,
  },
  '/receipts/{id}': {
    summary: 'Read a receipt',
    description: 'The fields and the snapshot files that one write changed. Only on a service with writes.',
    schema: documentSchemas.Receipt,
  },
} as const satisfies Record<Exclude<Address, AddressOf<'list' | 'record' | 'batch'>>, AnswerText>;

/** The document that an address answers with. */
export type AnswerAt<A extends Address> =
  A extends AddressOf<'list'>
    ? ListOf[Addresses[A]['resource']]
    : A extends AddressOf<'record'>
      ? PageOf[Addresses[A]['resource']]
      : A extends keyof typeof answers
        ? Static<(typeof answers)[A]['schema']>
        : never;
export type ApiRoot = Static<typeof documentSchemas.ApiRoot>;
export type Pagination = Static<typeof PaginationSchema>;
export type ListOf = { [R in keyof typeof listSchemas]: Static<(typeof listSchemas)[R]> };
export type PageOf = { [R in keyof typeof recordSchemas]: Static<(typeof recordSchemas)[R]> };
export type RankingOf = { [R in RankingName]: AnswerAt<`/api/stats/${R}`> };
export type CountsList = Static<typeof documentSchemas.CountsList>;
export type SearchResult = Static<typeof documentSchemas.SearchResult>;
/** A file that a build wrote or removed, and why. */
export type RebuiltFile = Static<typeof RebuiltFileSchema>;
export type ReceiptDocument = Static<typeof documentSchemas.Receipt>;
export type BatchResult = Static<typeof documentSchemas.BatchResult>;
export type ReceiptList = Static<typeof documentSchemas.ReceiptList>;
export type Download = Static<typeof DownloadSchema>;
/** What one publish changed, as the files below /changes have it. */
export type Change = Static<typeof PublishedChangeSchema>;
export type ChangesAnswer = Static<typeof documentSchemas.ChangesAnswer>;
export type ChangeList = Static<typeof documentSchemas.ChangeList>;
export type ChangeIndex = Static<typeof documentSchemas.ChangeIndex>;
export type Release = Static<typeof documentSchemas.Release>;
export type ReleaseIndex = Static<typeof documentSchemas.ReleaseIndex>;
export type DownloadIndex = Static<typeof documentSchemas.DownloadIndex>;
export type ListedFilm = Static<typeof ListedFilmSchema>;
export type ByImdbIndex = Static<typeof documentSchemas.ByImdbIndex>;
export type MovieByImdb = Static<typeof MovieByImdbSchema>;
export type NomineeByImdb = Static<typeof NomineeByImdbSchema>;
export type FilmListIndex = Static<typeof documentSchemas.FilmListIndex>;
