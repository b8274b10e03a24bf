/** The promise: enrichment runs beside a service. No editor is refused or overwritten, and the next build shows both. */
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { addKey, type Client } from '../durability/fixture.ts';
import { ServiceProcess } from '../durability/service-process.ts';
import { writeDatabase } from '../snapshot/databases.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

const at = useMemoryFolder();
const films = Array.from({ length: 4000 }, (_, i) => `tt${i + 1}`);
const [db, out] = [at('awards.db'), at('dist')];
let service: ServiceProcess;
let client: Client;
beforeAll(async () => {
  writeDatabase(db, (connection) => {
    addUnknown(connection, films);
    addKey(connection);
  });
  const rows = films.map((imdb, i) => ({ imdb, item: `Q${i + 1}`, duration: '90', tmdb: String(i + 1) }));
  writeFileSync(at('films.json'), resultsOf(rows, 0));
  await awards(['build', '--db', db, '--out', out, '--no-downloads']);
  service = new ServiceProcess({ db, out });
  client = await service.client;
});

const patch = (id: number, body: object) => client.write(`/api/movies/${id}`, body);
const runtimeOf = async (id: number) => (await client.read(`/api/movies/${id}`)).runtime;

test('editors write while the record is enriched', async () => {
  let isRunning = true;
  const enriching = awards(['enrich', 'wikidata', at('films.json'), '--db', db]).finally(() => {
    isRunning = false;
  });
  const edited: number[] = [];
  for (let id = films.length; isRunning; id -= 7) {
    const { status, body } = await patch(id, { runtime: 7 });
    expect(status, body.toString()).toBe(200);
    edited.push(id);
    expect(await runtimeOf(id)).toBe(7);
  }
  expect(await enriching).toMatchObject({ code: 0, stderr: '' });
  expect(edited.length).toBeGreaterThan(5);
  // A write makes a snapshot of everything.
  await patch(1, { tagline: 'T' });
  for (const id of edited.slice(0, 50)) expect(await runtimeOf(id)).toBe(7);
  expect(await runtimeOf(1)).toBe(90);
  expect(await service.stop()).toBe(0);
  expect(await awards(['verify', '--db', db, '--out', out])).toMatchObject({ code: 0 });
}, 120_000);
