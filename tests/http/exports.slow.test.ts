/** Exports of lists and searches are files with a name, a length and the ETag of their bytes. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { build } from '../support/build.ts';
import { exchange, expectProblem } from './raw-connection.ts';
import { useService, startService } from './running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const running = useService({}, (connection) => generateRecord(connection, { scale: 0.5, seed: 3 }), []);

async function totalOf(address: string): Promise<number> {
  const { body } = await running.service.ask(address.slice(0, -1));
  return (JSON.parse(body.toString()) as { pagination: { total: number } }).pagination.total;
}

it('have a name, a charset, a length, and the hash of their bytes as ETag', async () => {
  const { status, headers, body } = await running.service.ask(
    '/api/nominations?category=Best%20Act&winner=true&format=csv',
  );
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-length': String(body.length),
    etag: `"${contentHash(body)}"`,
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="nominations-category-best-act-winner-true.csv"',
  });
  const search = await running.service.ask('/api/search?q=%22The%20%C3%89%22&format=ndjson');
  expect(search.headers['content-disposition']).toBe('attachment; filename="search-the-e.ndjson"');
  expect(search.headers['access-control-expose-headers']).toContain('Content-Disposition');
});

it('HEAD has the headers of GET, and an unchanged export is not sent again', async () => {
  const target = '/api/movies?format=csv';
  const { headers, body } = await running.service.ask(target);
  const head = await running.service.ask(target, { method: 'HEAD' });
  expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
  const unchanged = await running.service.ask(target, { headers: { 'If-None-Match': headers.etag! } });
  expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  const other = await running.service.ask('/api/movies?format=ndjson');
  expect(other.headers.etag).not.toBe(headers.etag);
  running.built.connection.exec('UPDATE movies SET tagline = \'New, and "quoted"\' WHERE id = 1');
  await build(running.built.connection, running.built.out, { layers: [] });
  // Longer than the service waits between two looks at the manifest.
  await new Promise((resolve) => setTimeout(resolve, 120));
  const changed = await running.service.ask(target, { headers: { 'If-None-Match': headers.etag! } });
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).not.toBe(headers.etag);
  expect(changed.body.equals(body)).toBe(false);
});

it('a client of HTTP/1.0 gets the export without chunks', async () => {
  const reply = (
    await exchange(running.service.port, 'GET /api/songs?format=ndjson HTTP/1.0\r\n\r\n')
  ).toString();
  expect(reply).not.toMatch(/transfer-encoding/i);
  const lines = reply.slice(reply.indexOf('\r\n\r\n') + 4).split('\n');
  expect(lines.length - 1).toBe(await totalOf('/api/songs?'));
});

it('are compressed for clients that accept it, with an ETag of their own', async () => {
  const target = '/api/movies?format=csv';
  const plain = await running.service.ask(target);
  const { headers, body } = await running.service.ask(target, { headers: { 'Accept-Encoding': 'br' } });
  expect(headers['content-encoding']).toBe('br');
  expect(headers.etag).not.toBe(plain.headers.etag);
  expect(brotliDecompressSync(body).equals(plain.body)).toBe(true);
});

it('a missing file is answered with 503: no part passes for the whole', async () => {
  const out = join(temporaryFolder(), 'dist');
  cpSync(running.built.out, out, { recursive: true });
  const folder = join(out, 'shards/records/movies');
  // A file without records is the head of the family.
  const firstId = (name: string) =>
    Number(/"id":(\d+)/.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? 0);
  const [last] = readdirSync(folder)
    .map((name) => ({ name, id: firstId(name) }))
    .sort((one, other) => other.id - one.id);
  rmSync(join(folder, last!.name));
  const damaged = await startService(out);
  for (const target of ['/api/movies?format=csv', `/api/movies?format=csv&ids=${last!.id}`]) {
    const { status, body } = await damaged.ask(target);
    expect(status).toBe(503);
    expectProblem(body, 503);
  }
  // Each failure is reported once: the log and the count of errors follow the reports.
  expect(damaged.failures).toHaveLength(2);
  await damaged.stop();
});
