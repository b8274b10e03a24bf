/** Values that may not be kept any longer leave the record and every file of a folder with the next build. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { buildFolder } from '../../build/build.ts';
import { openDatabase } from '../../data/database/open.ts';
import { readRecord } from '../../data/record/edits.ts';
import { markGiven } from '../support/given.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The files below a folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return statSync(file).isFile() && readFileSync(file).toString('latin1').includes(text);
  });

it('a build after six months removes them from pages, shards and replaced shards', async () => {
  const out = join(temporaryFolder(), 'dist');
  const connection = openDatabase(':memory:');
  connection.exec(
    "INSERT INTO movies (id, title, overview, tagline) VALUES (1, 'A', 'A borrowed text', 'Of an editor')",
  );
  markGiven(connection, 'movies', 1, ['overview'], 'tmdb');
  const buildAfter = (days: number) =>
    buildFolder(connection, out, {
      ...{ layers: layerNames, includeRestricted: true },
      now: new Date(Date.now() + days * 24 * 60 * 60_000),
    });
  await buildAfter(179);
  expect(filesWith(out, 'A borrowed text').length).toBeGreaterThan(2);
  await buildAfter(181);
  expect(filesWith(out, 'A borrowed text')).toEqual([]);
  expect(readRecord(connection, 'movies', 1)).toMatchObject({ overview: null, tagline: 'Of an editor' });
  connection.close();
}, 60_000);
