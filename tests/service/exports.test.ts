/** Exports of lists and searches: streamed with bounded memory, and whole. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { createService } from '../../api/server/app.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { build } from '../support/build.ts';
import { listen } from '../support/loopback.ts';
import { exchange, expectProblem, openSocket } from './raw-connection.ts';
import { useService, startService } from './running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const running = useService({}, (connection) => generateRecord(connection, { scale: 0.5, seed: 3 }), []);

/** Every record with its nominations: more than the buffers of a connection hold. */
const large = '/api/nominees?format=ndjson&include=nominations,details,counts';

async function totalOf(address: string): Promise<number> {
  const { body } = await running.service.ask(address.slice(0, -1));
  return (JSON.parse(body.toString()) as { pagination: { total: number } }).pagination.total;
}

it('arrive in chunks, with a name and a charset', async () => {
  const { status, headers } = await running.service.ask(
    '/api/nominations?category=Best%20Act&winner=true&format=csv',
  );
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'transfer-encoding': 'chunked',
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

it('a web stream reads the files of a piece only when the piece is asked for', async () => {
  const source = fileSource(running.built.out);
  let files = 0;
  const shard = (path: string) => {
    files += 1;
    return source.shard(path);
  };
  const resolver = new Resolver({ ...source, shard });
  const response = await resolver.fetch(new Request('http://a.test/api/movies?format=ndjson'));
  const reader = response.body!.getReader();
  await reader.read();
  const atFirst = files;
  while (!(await reader.read()).done);
  expect(files).toBeGreaterThan(atFirst * 2);
});

it('the service keeps no more than a few pieces for a client that does not read', async () => {
  const { app } = createService({ out: running.built.out, readLimit: 0, proxies: [], onError: () => {} });
  await app.ready();
  const { server } = app;
  const { port, stop } = await listen(server);
  const waiting = new Promise<() => [length: number, sent: number]>((resolve) =>
    server.once('connection', (socket) => resolve(() => [socket.writableLength, socket.bytesWritten])),
  );
  const client = await openSocket(port);
  client.pause();
  client.write(`GET ${large} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const state = await waiting;
  let before = -1;
  // Until the service makes no further piece.
  while (state()[1] !== before || before <= 0) {
    [, before] = state();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const whole = await running.service.ask(large);
  expect(state()[1]).toBeLessThan(whole.body.length);
  expect(state()[0]).toBeLessThan(1024 * 1024);
  client.destroy();
  await stop();
});

it('a client that goes away ends its export, and no failure is reported', async () => {
  const client = await openSocket(running.service.port);
  client.write(`GET ${large} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await new Promise((resolve) => client.once('data', resolve));
  client.destroy();
  expect((await running.service.ask('/api/movies?limit=1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});

it('a missing file is answered with 503, or breaks off the export: no part passes for the whole', async () => {
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
  await expect(damaged.ask('/api/movies?format=csv')).rejects.toThrow();
  // Each failure is reported once: the log and the count of errors follow the reports.
  expect(damaged.failures).toHaveLength(1);
  for (const target of ['/api/movies?format=csv&sort=-id', `/api/movies?format=csv&ids=${last!.id}`]) {
    const { status, body } = await damaged.ask(target);
    expect(status).toBe(503);
    expectProblem(body, 503);
  }
  await damaged.stop();
});
