/** The schema of downloads/index.json. */
import Type, { type Static } from 'typebox';
import { type DownloadFormat, downloadFormats } from './download-names.ts';
import { resourceNames } from './names.ts';

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const DownloadSchema = Type.Object({
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
  rows: count('Number of records.'),
  bytes: count('Size.'),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal.' }),
  media_type: Type.String({ description: 'Media type.' }),
  description: Type.String({ description: 'Content and format, in a few sentences.' }),
});

export const DownloadIndexSchema = Type.Object({
  snapshot: Type.String({
    pattern: '^[0-9a-f]{20}$',
    description: 'Id of the snapshot that the files were made from, as in manifest.json.',
  }),
  maker: Type.String({
    pattern: '^[0-9a-f]{20}$',
    description:
      'Fingerprint of the program that made the files. Another program may make other bytes from the same snapshot.',
  }),
  notices: Type.Array(Type.String(), {
    description:
      'Notices to show where the files are used: they include values of these sources that may not be passed on. Usually ' +
      'empty: such values are left out, and stand as unknown.',
  }),
  files: Type.Array(DownloadSchema, { description: 'The files.' }),
});

export type Download = Static<typeof DownloadSchema>;
export type DownloadIndex = Static<typeof DownloadIndexSchema>;
