/** Kinds of damage to a file of a snapshot, and requests that together need every kind of file. */
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

export const questions = [
  '/api/nominations?limit=100',
  '/api/nominations?nominee=a&year=1930',
  '/api/nominations/1',
  '/api/movies',
  '/api/movies?genre=war&moviedb_id=0',
  '/api/movies/1',
  '/api/nominees',
  '/api/nominees?known_for_department=a',
  '/api/nominees/1',
  '/api/categories',
  '/api/categories/1',
  '/api/songs',
  '/api/songs/1',
  '/api/ceremonies',
  '/api/ceremonies/1',
  '/api/search?q=wo',
  '/api/search?q=the&page=2&limit=2',
  '/api/stats/top-movies?genre=war',
  '/api/stats/top-nominees?known_for_department=a',
];

/** The state of the file after the damage, and the damage. */
export const damages: [string, (file: string, bytes: Buffer) => void][] = [
  ['missing', (file) => rmSync(file)],
  ['empty', (file) => truncateSync(file, 0)],
  ['cut short', (file, bytes) => truncateSync(file, bytes.length >> 1)],
  ['one byte longer', (file, bytes) => writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))],
  [
    'wrong in one bit',
    (file, bytes) =>
      writeFileSync(
        file,
        bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
      ),
  ],
  ['another JSON', (file) => writeFileSync(file, '{"format":1,"id":[]}\n')],
  ['a folder', (file) => [rmSync(file), mkdirSync(file)]],
];
