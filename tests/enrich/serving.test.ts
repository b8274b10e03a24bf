/** The promise: enrichment runs beside a service. No editor is refused or overwritten, and the next build shows both. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../data/keys.ts';
import { openDatabase } from '../../data/open.ts';
import { ServiceProcess } from '../durability/service-process.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import { addUnknown, resultsOf } from './wikidata-text.ts';

const at = useMemoryFolder();
const films = Array.from({ length: 4000 }, (_, i) => `tt${i + 1}`);
let service: ServiceProcess;
let address: string;
let key: string;
const db = at('awards.db');
beforeAll(async () => {
  const connection = openDatabase(db);
  addUnknown(connection, films);
  key = createKey(connection, 'editor', new Date());
  connection.close();
  const rows = films.map((imdb, i) => ({ imdb, item: `Q${i + 1}`, duration: '90', tmdb: String(i + 1) }));
  writeFileSync(at('films.json'), resultsOf(rows, 0));
  await awards(['build', '--db', db, '--out', at('dist'), '--no-downloads']);
  service = new ServiceProcess({ db, out: at('dist') });
  address = await service.address;
});
afterAll(() => service.kill());

const patch = (id: number, body: object) =>
  fetch(`${address}/api/movies/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const runtimeOf = async (id: number) =>
  ((await (await fetch(`${address}/api/movies/${id}`)).json()) as { runtime: number }).runtime;

test('editors write while the record is enriched', async () => {
  let isRunning = true;
  const enriching = awards(['enrich', 'wikidata', at('films.json'), '--db', db]).finally(() => {
    isRunning = false;
  });
  const edited: number[] = [];
  for (let id = films.length; isRunning; id -= 7) {
    const response = await patch(id, { runtime: 7 });
    expect(response.status, await response.text()).toBe(200);
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
  expect(await awards(['verify', '--db', db, '--out', at('dist')])).toMatchObject({ code: 0 });
}, 120_000);
