/** The log has one JSON line for each request, errors with their causes, and no key or secret. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../api/server/connections.ts';
import { createLog, type LogLevel, logError, logExchange } from '../../api/server/reporting.ts';
import { createService, type ServiceOptions } from '../../api/server/app.ts';
import { openWriting, type Writing } from '../../api/write/writing.ts';
import { createKey } from '../../data/record/keys.ts';
import {
  type Asking,
  type BuiltFolder,
  builtFolder,
  type RunningService,
  startService,
} from './running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let built: BuiltFolder;
let key: string;
beforeAll(async () => {
  built = await builtFolder();
  key = createKey(built.connection, 'editor', new Date());
});
const environmentSecret = 'secret "of" the\\environment';

let service: RunningService | undefined;
let writing: Writing | undefined;
afterEach(async () => {
  await service?.stop();
  await writing?.close();
  service = writing = undefined;
});

type Line = Record<string, unknown>;

/** A service with a log in memory. */
async function logged(level: LogLevel, options: Partial<ServiceOptions> = {}, out = built.out) {
  const text: string[] = [];
  const log = createLog(level, [environmentSecret, undefined, ''], { write: (line) => void text.push(line) });
  const onError = (error: unknown) => logError(log, error);
  service = await startService(out, { onAnswered: (it) => logExchange(log, it), onError, ...options });
  const lines = () => text.map((line) => JSON.parse(line) as Line);
  /** The lines as soon as there are this many: a response may arrive before its line is written. */
  const untilLogged = async (count: number): Promise<Line[]> => {
    while (text.length < count) await pause(1);
    return lines();
  };
  return { log, text, lines, untilLogged, ask: service.ask, port: service.port };
}

it('has a line for each request, with its id, its answer and its client', async () => {
  const { ask, untilLogged } = await logged('info');
  const asked: [string, Asking, number][] = [
    ['/api/movies?title=a&limit=2', {}, 200],
    ['/api/movies/27', { method: 'HEAD' }, 200],
    ['/api/movies?page=x', {}, 400],
    ['/api/films', {}, 404],
    ['/api/movies', { method: 'DELETE' }, 405],
    ['/api/movies', { method: 'OPTIONS' }, 204],
    ['/manifest.json', { headers: { 'Accept-Encoding': 'br' } }, 200],
    ['/manifest.json', { headers: { Range: 'bytes=5-14' } }, 206],
  ];
  for (const [i, [target, asking, status]] of asked.entries()) {
    const reply = await ask(target, asking);
    const line = (await untilLogged(i + 1))[i]!;
    expect(line, target).toEqual({
      level: 'info',
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: asking.method ?? 'GET',
      path: target.split('?')[0],
      status,
      bytes: reply.body.length,
      ms: expect.any(Number),
      client: '127.0.0.1',
      msg: 'request',
    });
    expect(reply.status).toBe(status);
    // Answers to reads are the same on every runtime.
    expect(reply.headers).not.toHaveProperty('x-request-id');
  }
});

it('leaves out the requests of monitors, unless it is for debugging', async () => {
  for (const [level, count] of [
    ['info', 1],
    ['debug', 3],
  ] as const) {
    const { ask, untilLogged, lines } = await logged(level);
    for (const target of ['/healthz', '/readyz', '/api/movies/1']) await ask(target);
    await untilLogged(count);
    expect(lines()).toHaveLength(count);
    await service!.stop();
  }
});

it('tells that a client went away before its answer was complete', async () => {
  const { port, untilLogged, lines } = await logged('info');
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/nominations?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
  socket.pause();
  await untilLogged(1);
  socket.destroy();
  while (!lines().some(({ aborted }) => aborted === true)) await pause(1);
  expect(lines()[0]).not.toHaveProperty('aborted');
});

describe('the id of a request', () => {
  it.each(['7b0f3c9e', 'Root=1-67891233-abcdef012345678912345678', randomUUID()])(
    'is the X-Request-Id that came with it: %s',
    async (id) => {
      const { ask, untilLogged } = await logged('info');
      const { headers } = await ask('/api/movies/1', { headers: { 'X-Request-Id': id } });
      expect(headers['x-request-id']).toBe(id);
      expect((await untilLogged(1))[0]).toMatchObject({ id });
    },
  );

  it.each(['', 'two words', '"quoted"', 'ümlaut', 'x'.repeat(129)])(
    'is a new one instead of "%s"',
    async (id) => {
      const { ask, untilLogged } = await logged('info');
      const sent = Buffer.from(id).toString('latin1');
      const { headers } = await ask('/api/movies/1', { headers: { 'X-Request-Id': sent } });
      expect(headers).not.toHaveProperty('x-request-id');
      expect((await untilLogged(1))[0]!.id).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is sent back with a failure', async () => {
    const { ask, untilLogged } = await logged('info', {}, join(temporaryFolder(), 'none'));
    const { status, headers } = await ask('/api/movies/1');
    expect(status).toBe(503);
    expect((await untilLogged(2)).at(-1)).toMatchObject({ level: 'error', id: headers['x-request-id'] });
  });
});

it('contains no key and no secret, wherever the client puts them', async () => {
  const onError = () => {};
  writing = await openWriting({
    db: built.connection.name,
    out: built.out,
    writeLimit: 0,
    environmentKey: environmentSecret,
    onError,
  });
  const { ask, untilLogged, text, log } = await logged('debug', { writing });
  const json = { 'Content-Type': 'application/json' };
  const places: [string, Asking][] = [];
  for (const secret of [key, environmentSecret]) {
    const inAddress = secret.replace(/[ "\\]/g, '');
    places.push(
      ['/api/movies/1', { method: 'PATCH', headers: { ...json, 'x-api-key': secret }, body: '{}' }],
      ['/api/movies/1', { headers: { Authorization: `Bearer ${secret}`, Cookie: secret } }],
      [`/api/movies?x-api-key=${inAddress}`, {}],
      [`/api/movies/1`, { method: 'PATCH', headers: json, body: JSON.stringify({ key: secret }) }],
      [`/receipts?key=${inAddress}`, { headers: { 'x-api-key': secret } }],
    );
  }
  places.push(
    [`/api/${key}`, {}],
    [`/${key}/x`, {}],
    [`/${'x'.repeat(480)}/${key}`, {}],
    [`/api/${encodeURIComponent(environmentSecret)}`, {}],
    ['/api/movies/1', { headers: { 'X-Request-Id': key } }],
  );
  for (const [target, asking] of places) await ask(target, asking);
  await untilLogged(places.length);
  logError(log, new Error(`cannot use ${key}`, { cause: new Error(`${environmentSecret} is wrong`) }));
  const everything = text.join('');
  expect(everything).not.toContain(key.slice(0, 10));
  expect(everything).not.toContain(JSON.stringify(environmentSecret).slice(1, -1));
  expect(everything).not.toContain(environmentSecret.replace(/[ "\\]/g, ''));
  expect(everything).not.toContain(encodeURIComponent(environmentSecret));
  expect(everything).toContain('[redacted]');
  for (const line of text) JSON.parse(line);
});

it('has every error of a server that listens, such as too many open files, and the service goes on', async () => {
  const { log, lines } = await logged('warn');
  const { app } = createService({ out: built.out, readLimit: 0, proxies: [], onError: () => {} });
  await app.ready();
  const { server } = app;
  const origin = await listen(server, 0, '127.0.0.1', (error) => logError(log, error));
  try {
    for (let times = 0; times < 2; times += 1) server.emit('error', new Error('accept EMFILE'));
    const error = expect.objectContaining({ level: 'error', msg: 'accept EMFILE' });
    expect(lines()).toEqual([error, error]);
    expect((await fetch(`${origin}/api/movies/27`)).status).toBe(200);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

it('contains no key whose characters are percent-encoded in a path, and other paths as they were sent', async () => {
  const { ask, untilLogged } = await logged('info');
  const encoded = (text: string, isEncoded: (at: number) => boolean) =>
    [...text]
      .map((one, at) => (isEncoded(at) ? `%${one.charCodeAt(0).toString(16).padStart(2, '0')}` : one))
      .join('');
  const paths = [key, environmentSecret].flatMap((secret) => {
    const all = encoded(secret, () => true);
    return [
      all,
      all.toUpperCase().replaceAll('%5F', '%5f'),
      encoded(secret, (at) => at === 0 || !/\w/.test(secret[at]!)),
      encoded(secret, (at) => at % 2 === 1 || !/\w/.test(secret[at]!)),
      all.replaceAll('%', '%25'),
      `%zz%e9${all}%`,
    ];
  });
  for (const path of paths) await ask(`/${path}/more`);
  for (const line of await untilLogged(paths.length))
    expect(line.path).toMatch(/^\/(%zz\ufffd)?\[redacted\]%?\/more$/);
  const harmless = ['/a%20b/%zz', '/caf%C3%A9/%2566a_short', `/${'%41'.repeat(100)}`];
  for (const path of harmless) await ask(path);
  const lines = await untilLogged(paths.length + harmless.length);
  expect(lines.slice(paths.length).map(({ path }) => path)).toEqual(harmless);
});

describe('at the level "warn"', () => {
  it('only failures are logged, each error with all its causes', async () => {
    const out = join(temporaryFolder(), 'none');
    const { ask, untilLogged, lines, log } = await logged('warn', {}, out);
    await ask('/api/movies?page=x');
    expect(lines()).toEqual([]);
    await ask('/api/movies');
    expect(await untilLogged(2)).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: expect.stringContaining('manifest.json'),
        err: expect.objectContaining({ stack: expect.stringContaining('at ') }),
      }),
      expect.objectContaining({ level: 'error', msg: 'request', status: 503, path: '/api/movies' }),
    ]);
    const root = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    logError(log, new Error('outer', { cause: new Error('middle', { cause: root }) }));
    const [, , line] = lines();
    for (const text of ['outer', 'middle', 'no space left'])
      expect((line!.err as { stack: string }).stack).toContain(text);
  });

  it('an error of another thread is a text', async () => {
    const { lines, log } = await logged('warn');
    logError(log, 'Error: it broke\n    at file.ts:1\n  [cause]: more');
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'Error: it broke', err: expect.stringContaining('[cause]: more') }),
    ]);
  });
});
