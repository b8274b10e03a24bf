/** The downloads as the document describes them: files beside the API, listed by an index. */
import { downloadFormats, downloadIndexName, downloadIndexPath, downloadsFolder } from '../download-names.ts';
import { type JsonObject, referenceTo } from './model.ts';
import { schemaNames } from './schemas.ts';

const tags = ['Downloads'];
const notThere = { '404': referenceTo('responses', 'UnknownAddress') };

const content: JsonObject = Object.fromEntries(
  Object.values(downloadFormats).map((type) => [type.split(';')[0]!, {}]),
);

/** Address → its operation. Methods other than GET are as at any plain file. */
export const downloadPaths: JsonObject = {
  [`/${downloadIndexPath}`]: {
    get: {
      operationId: 'getDownloads',
      summary: 'List the downloads',
      tags,
      description:
        'The whole record as files, each with format, records, size and SHA-256. They follow the record at a distance: the snapshot that they are of stands there too.',
      responses: {
        '200': {
          description: 'The index.',
          content: { 'application/json': { schema: referenceTo('schemas', schemaNames.downloads) } },
        },
        ...notThere,
      },
    },
  },
  [`/${downloadsFolder}/{name}`]: {
    get: {
      operationId: 'getDownload',
      summary: 'Download a file',
      tags,
      description: `A file that ${downloadIndexName} lists, by either of its names. Ranges and conditions are taken.`,
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The name, or the immutable name.',
          schema: { type: 'string' },
        },
      ],
      responses: { '200': { description: 'The file.', content }, ...notThere },
    },
  },
};
