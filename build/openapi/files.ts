/** The paths of the OpenAPI document for plain files beside the API. */
import {
  changeFeedPath,
  changeIndexPath,
  changesFolder,
  daysAlone,
  daysByDay,
  releaseIndexPath,
} from '../../api/contract/history.ts';
import {
  byImdbFolder,
  byImdbIndexPath,
  downloadFormats,
  downloadIndexName,
  downloadIndexPath,
  downloadsFolder,
  imdbIdPattern,
  listIndexPath,
  listKinds,
  listsFolder,
} from '../../api/contract/layers.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { type Operation, operation } from './operations.ts';
import { jsonContent, referencesTo } from './schemas.ts';

const file = (address: string, own: Omit<Operation, 'others' | 'kind'>): JsonObject => ({
  [`/${address}`]: {
    get: operation('GET', `/${address}`, {
      ...own,
      others: {
        // Generators make one type of all good answers: a part has the schema of the file.
        '206': {
          description: 'The bytes of the file that Range asks for: a part of what 200 answers.',
          headers: referencesTo('headers', ['Content-Range']),
          content: own.content ?? jsonContent(own.schema),
        },
        '304': { description: 'The file has an ETag of If-None-Match.' },
      },
      kind: 'file',
    }),
  },
});

const pathParameter = (name: string, description: string, schema: JsonObject = {}): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const text = { type: 'string' };
/** Of a file that is not a text. */
const bytes = { type: 'string', format: 'binary' };

const downloadContent: JsonObject = Object.fromEntries(
  Object.values(downloadFormats).map((type) => [type.split(';')[0]!, { schema: bytes }]),
);

const listText =
  'Lists of films for media tools, one of winners and one of nominees for every category and ceremony.';

/** Address → operations. */
export const filePaths: JsonObject = {
  ...file(downloadIndexPath, {
    id: 'getDownloads',
    summary: 'List the downloads',
    tag: 'Downloads',
    description:
      'The files with the whole record, each with format, number of records, size and SHA-256. The index names the snapshot of the files, which can be older than the current one.',
    success: ['200', 'The index.'],
    schema: 'DownloadIndex',
  }),
  ...file(`${downloadsFolder}/{name}`, {
    id: 'getDownload',
    summary: 'Download a file',
    tag: 'Downloads',
    description: `A file from ${downloadIndexName}, under either of its names. Supports range and conditional requests.`,
    parameters: [pathParameter('name', 'The name or the immutable name of the file.')],
    success: ['200', 'The file.'],
    content: downloadContent,
  }),
  ...file(releaseIndexPath, {
    id: 'getReleases',
    summary: 'List the releases',
    tag: 'Downloads',
    description:
      'The days with downloads of their own, each with size, SHA-256 and numbers of records. A publish adds its day, if the downloads differ from those of the day before. The files of a day never change; after some releases, only the first of each month stays.',
    success: ['200', 'The index.'],
    schema: 'ReleaseIndex',
  }),
  ...file(`${downloadsFolder}/{date}/{name}`, {
    id: 'getReleasedFile',
    summary: 'Download a file of a release',
    tag: 'Downloads',
    description: `${downloadIndexName} of the day, or a file that it names.`,
    parameters: [
      pathParameter('date', 'A day of the index.', { format: 'date' }),
      pathParameter('name', 'The name of the file.'),
    ],
    success: ['200', 'The file.'],
    content: { ...jsonContent('Release'), ...downloadContent },
  }),
  ...file(changeIndexPath, {
    id: 'getChangeIndex',
    summary: 'List the publishes',
    tag: 'Changes',
    description: `Where the files with the changes are. ${changeFeedPath} beside it is the same as a feed in Atom.`,
    success: ['200', 'The index.'],
    schema: 'ChangeIndex',
  }),
  ...file(`${changesFolder}/{file}`, {
    id: 'getChangeFile',
    summary: 'Read a file of changes',
    tag: 'Changes',
    description: `What a publish changed; after ${daysAlone} days those of a day, after ${daysByDay} days those of a year; or the feed.`,
    parameters: [pathParameter('file', 'The name of the file, as in the index.')],
    success: ['200', 'The file.'],
    content: { ...jsonContent('ChangeList'), 'application/atom+xml': { schema: text } },
  }),
  ...file(listIndexPath, {
    id: 'getFilmLists',
    summary: 'List the lists of films',
    tag: 'Lists',
    description: listText,
    success: ['200', 'The index.'],
    schema: 'FilmListIndex',
  }),
  ...file(`${listsFolder}/{name}/{file}`, {
    id: 'getFilmList',
    summary: 'Read a list of films',
    tag: 'Lists',
    description: `A list that the index names. ${listText}`,
    parameters: [
      { ...pathParameter('name', 'The category or ceremony, as in the index.'), example: 'best-picture' },
      pathParameter('file', 'The kind and the format.', {
        enum: listKinds.flatMap((kind) => [`${kind}.json`, `${kind}.rss`]),
      }),
    ],
    success: ['200', 'The list.'],
    content: { ...jsonContent('FilmList'), 'application/rss+xml': { schema: text } },
  }),
  ...file(byImdbIndexPath, {
    id: 'getByImdbIndex',
    summary: 'List the IMDb ids',
    tag: 'Lists',
    description:
      'Each IMDb id that has a file, with the id of its record, official entries and wins: the awards of a whole library in one request. Where the files by IMDb id are left out, this is too.',
    success: ['200', 'The index.'],
    schema: 'ByImdbIndex',
  }),
  ...file(`${byImdbFolder}/{imdb_id}.json`, {
    id: 'getRecordByImdb',
    summary: 'Read a film or nominee by its IMDb id',
    tag: 'Lists',
    description:
      'The record with this filmindex_id, with its nominations, counts, honors and a summary of the official nominations. Where several records have the id, the one with the lowest id. A plain file: hosts that limit the number of files do not have it.',
    parameters: [
      {
        ...pathParameter('imdb_id', 'The IMDb id.', { pattern: imdbIdPattern }),
        example: 'tt0120338',
      },
    ],
    success: ['200', 'The record.'],
    schema: 'RecordByImdb',
  }),
};
