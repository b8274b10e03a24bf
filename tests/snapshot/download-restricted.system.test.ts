/** Values that may not be passed on stay out of every download, unless the operator includes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadIndex } from '../../api/contract/answers.ts';
import { type EnrichedResource, enrichmentSources } from '../../api/contract/enrichment.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { layersOf } from '../../build/derived/all.ts';
import { verify } from '../../build/verify.ts';
import { updateRecord } from '../../data/record/edits.ts';
import { markGiven } from '../support/given.ts';
import type { Connection } from '../../data/database/open.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { answerAt, build } from '../support/build.ts';

const at = useWorkspace();
const out = () => at('dist');
let connection: Connection;
beforeEach(() => {
  connection = memoryDatabase(fillWithTinyRecord);
});
afterEach(() => connection.close());

const secret = 'https://secret.example/value';
/** A value of a field that no other record has. */
const sampleOf = (field: string): string | number | string[] => {
  if (field === 'genres' || field === 'origin_country') return [secret];
  if (/(date|day)$/.test(field)) return '1987-06-05';
  return /(runtime|_id)$/.test(field) ? 987_654 : secret;
};
const secrets = /secret\.example|1987-06-05|987654/g;

/** Sets a field as a source does. */
function enrich(
  resource: EnrichedResource,
  id: number,
  field: string,
  source: keyof typeof enrichmentSources,
) {
  updateRecord(connection, resource, id, { [field]: sampleOf(field) });
  markGiven(connection, resource, id, [field], source);
}

async function buildDownloads(includeRestricted = false): Promise<void> {
  await build(connection, out(), { layers: ['downloads'], includeRestricted });
}
const read = (name: string) => readFileSync(join(out(), 'downloads', name));
const index = () => JSON.parse(read('index.json').toString()) as DownloadIndex;
/** The secrets in each file, in any format. */
const leaks = () => index().files.flatMap(({ name }) => read(name).toString('latin1').match(secrets) ?? []);

const everyField = Object.entries(enrichedFields).flatMap(([resource, fields]) =>
  fields.map((field) => [resource as EnrichedResource, field] as const),
);

it('an export has the values that the API shows, restricted ones too', async () => {
  enrich('movies', 2, 'overview', 'tmdb');
  const folder = at('exports');
  await build(connection, folder);
  const answer = await answerAt(new Resolver(fileSource(folder)), '/api/movies?format=csv');
  expect(Buffer.from(answer.body!).toString()).toContain(secret);
});

describe.each(everyField)('%s.%s', (resource, field) => {
  it('of a restricted source is unknown in every format, and the rest of the record is there', async () => {
    enrich(resource, 2, field, 'tmdb');
    await buildDownloads();
    expect(leaks()).toEqual([]);
    expect(index().notices).toEqual([]);
    const empty = field === 'genres' || field === 'origin_country' ? [] : null;
    const [line] = read(`${resource}.ndjson`).toString().split('\n').slice(1);
    expect(JSON.parse(line!)).toMatchObject({ id: 2, [field]: empty });
    const copy = new Database(read('awards.sqlite'));
    const stored = copy.prepare(`SELECT ${field} FROM ${resource} WHERE id = 2`).pluck().get();
    copy.close();
    expect(stored).toBe(empty === null ? null : '[]');
  });
});

it('a value of a free source, and one that an editor changed, are in the downloads', async () => {
  enrich('movies', 2, 'overview', 'wikidata');
  enrich('movies', 3, 'tagline', 'tmdb');
  updateRecord(connection, 'movies', 3, { tagline: `${secret} by hand` });
  await buildDownloads();
  // Two records in NDJSON, CSV and SQLite.
  expect(leaks()).toHaveLength(6);
});

it('the operator can include them, with the notice of the source, and change the choice', async () => {
  enrich('movies', 2, 'overview', 'tmdb');
  const verification = (includeRestricted: boolean) =>
    verify(connection, out(), layersOf(['downloads'], { includeRestricted }));
  await buildDownloads(true);
  expect(leaks()).toHaveLength(3);
  expect(index().notices).toEqual([enrichmentSources.tmdb.notice]);
  expect((await verification(true)).layers).toEqual({ downloads: 'current' });
  expect((await verification(true)).differences).toEqual([]);
  expect((await verification(false)).layers).toEqual({ downloads: 'behind' });
  await buildDownloads();
  expect(leaks()).toEqual([]);
  expect((await verification(false)).differences).toEqual([]);
});

it('a value becomes free when its provenance is deleted', async () => {
  enrich('movies', 2, 'overview', 'tmdb');
  await buildDownloads();
  connection.exec('DELETE FROM given');
  await buildDownloads();
  expect(leaks()).toHaveLength(3);
});
