/** The log has a JSON line for each request, errors with their causes, and no secret. The metrics count, and no client chooses a label. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createService, type ServiceOptions } from '../../api/server/app.ts';
import { listen } from '../../api/server/connections.ts';
import { Metrics } from '../../api/server/metrics.ts';
import { createLog, exchangeLogger, type LogLevel, logError } from '../../api/server/reporting.ts';
import { openWriting } from '../../api/write/writing.ts';
import { createKey } from '../../data/record/keys.ts';
import { send } from '../support/http.ts';
import { project } from '../support/project.ts';
import { seeded } from '../records/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Asking, type BuiltFolder, builtFolder, startService } from '../support/running-service.ts';

let built: BuiltFolder;
let key: string;
beforeAll(async () => {
  built = await builtFolder();
  key = createKey(built.connection, 'editor', new Date());
});
const environmentSecret = 'secret "of" the\\environment';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of cleanup.splice(0)) await end();
});
const nowhere = () => join(temporaryFolder(), 'none');

/** A service with a log in memory. */
async function logged(level: LogLevel, options: Partial<ServiceOptions> = {}, out = built.out) {
  const text: string[] = [];
  const log = createLog(level, [environmentSecret, undefined, ''], { write: (line) => void text.push(line) });
  const onError = (error: unknown) => logError(log, error);
  const service = await startService(out, { listeners: [exchangeLogger(log)!], onError, ...options });
  cleanup.push(() => service.stop());
  const lines = () => text.map((line) => JSON.parse(line) as Record<string, unknown>);
  /** The lines as soon as there are this many: a response may arrive before its line is written. */
  const untilLogged = async (count: number) => {
    while (text.length < count) await pause(1);
    return lines();
  };
  return { ...service, log, text, lines, untilLogged };
}

describe('the log', () => {
  it('has a line for each request, with its id, its answer and its client', async () => {
    const { ask, untilLogged } = await logged('info');
    // Requests of monitors are for debugging.
    for (const probe of ['/healthz', '/readyz']) await ask(probe);
    const asked: [string, Asking, number][] = [
      ['/api/movies?title=a&limit=2', {}, 200],
      ['/api/movies/27', { method: 'HEAD' }, 200],
      ['/api/movies/27', { headers: { 'If-None-Match': '*', 'X-Request-Id': 'mine' } }, 304],
      ['/a%20b/%zz/caf%C3%A9/%2566a_short', {}, 404],
      ['/manifest.json', { headers: { Range: 'bytes=5-14' } }, 206],
    ];
    for (const [i, [target, asking, status]] of asked.entries()) {
      const reply = await ask(target, asking);
      const line = (await untilLogged(i + 1))[i]!;
      expect(line, target).toEqual({
        level: 'info',
        time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
        id: expect.stringMatching(/^([0-9a-f-]{36}|mine)$/),
        method: asking.method ?? 'GET',
        path: target.split('?')[0],
        status,
        bytes: reply.body.length,
        ms: expect.any(Number),
        client: '127.0.0.1',
        msg: 'request',
      });
      expect(reply.headers['x-request-id']).toBe(line.id === 'mine' ? 'mine' : undefined);
    }
  });

  it('has the time from the headers of a request to the end of its answer, in milliseconds', async () => {
    const { ask, untilLogged, health } = await logged('debug');
    const read = health.readiness.bind(health);
    const clock = performance.now.bind(performance);
    let ahead = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead);
    vi.spyOn(health, 'readiness').mockImplementation(() => {
      ahead += 5000;
      return read();
    });
    await ask('/readyz');
    expect((await untilLogged(1))[0]!.ms).toBeGreaterThanOrEqual(5000);
  });

  it('that has no line of any request asks for none, so that none is measured', () => {
    const at = (level: LogLevel) => exchangeLogger(createLog(level, [], { write: () => {} }));
    expect([at('silent'), at('fatal')]).toEqual([undefined, undefined]);
    expect(at('error')).toBeTypeOf('function');
  });

  it('tells that a client went away before its answer was complete', async () => {
    const { port, untilLogged, lines } = await logged('info');
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET /api/nominations?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
    await untilLogged(1);
    socket.destroy();
    while (!lines().some(({ aborted }) => aborted === true)) await pause(1);
    expect(lines()[0]).not.toHaveProperty('aborted');
  });

  it('at the level "warn" has failures only: with the id that the client gets, and with all causes', async () => {
    const { ask, untilLogged, lines, log } = await logged('warn', {}, nowhere());
    await ask('/api/movies?page=x');
    const { headers } = await ask('/api/movies');
    const stack = expect.stringContaining('at ');
    expect(await untilLogged(2)).toMatchObject([
      { level: 'error', msg: expect.stringContaining('manifest.json'), err: { stack } },
      { level: 'error', msg: 'request', status: 503, path: '/api/movies', id: headers['x-request-id'] },
    ]);
    logError(log, new Error('outer', { cause: new Error('no space left') }));
    const causes = { stack: expect.stringMatching(/outer(.|\n)*no space left/) };
    // Of another thread.
    logError(log, 'Error: it broke\n    at file.ts:1\n  [cause]: more');
    expect(lines().slice(2)).toMatchObject([
      { err: causes },
      { msg: 'Error: it broke', err: expect.stringContaining('[cause]: more') },
    ]);
  });

  it('has every error of a server that listens, such as too many open files, and the service goes on', async () => {
    const { log, lines } = await logged('warn');
    const { app } = createService({ out: built.out, readLimit: 0, proxies: [], onError: () => {} });
    cleanup.push(() => app.close());
    await app.ready();
    const origin = await listen(app.server, 0, '127.0.0.1', (error) => logError(log, error));
    for (let times = 0; times < 2; times += 1) app.server.emit('error', new Error('accept EMFILE'));
    const error = expect.objectContaining({ level: 'error', msg: 'accept EMFILE' });
    expect(lines()).toEqual([error, error]);
    expect((await fetch(`${origin}/api/movies/27`)).status).toBe(200);
  });
});

const percentEncoded = (text: string) =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

it('no key and no secret is logged: from a header, an address, a body, or an error', async () => {
  const { connection, out } = built;
  const environmentKey = environmentSecret;
  const options = { db: connection.name, out, writeLimit: 0, environmentKey, onError: () => {} };
  const writing = await openWriting(options);
  cleanup.push(() => writing.close());
  const { ask, untilLogged, text, log } = await logged('debug', { writing });
  const json = { 'Content-Type': 'application/json' };
  // Of digits that random keys seldom have together.
  const keyOfZeros = `fa_${'0'.repeat(18)}${'9zZaA0'.repeat(3)}`;
  const places = [key, keyOfZeros, environmentSecret].flatMap((secret): [string, Asking][] => [
    ['/api/movies/1', { method: 'PATCH', headers: { ...json, 'x-api-key': secret }, body: '{}' }],
    ['/api/movies/1', { headers: { Authorization: `Bearer ${secret}`, Cookie: secret } }],
    [`/receipts?key=${secret.replace(/[ "\\]/g, '')}`, { headers: { 'x-api-key': secret } }],
    ['/api/movies/1', { method: 'PATCH', headers: json, body: JSON.stringify({ key: secret }) }],
    [`/api/${encodeURIComponent(secret)}`, {}],
    // Any characters may be percent-encoded, also repeatedly.
    [`/%zz%e9${percentEncoded(secret)}/more`, {}],
    [`/${percentEncoded(secret).toUpperCase().replaceAll('%', '%25')}/more`, {}],
  ]);
  places.push([`/${'x'.repeat(480)}/${key}`, {}], ['/api/movies/1', { headers: { 'X-Request-Id': key } }]);
  for (const [target, asking] of places) await ask(target, asking);
  await untilLogged(places.length);
  logError(log, new Error(`cannot use ${key}`, { cause: new Error(`${environmentSecret} is wrong`) }));
  const everything = text.join('');
  for (const spelled of [
    (it: string) => it,
    encodeURIComponent,
    (it: string) => JSON.stringify(it).slice(1, -1),
  ])
    expect(everything).not.toContain(spelled(environmentSecret));
  for (const each of [key, keyOfZeros]) expect(everything).not.toContain(each.slice(0, 10));
  const paths = text.map((line) => (JSON.parse(line) as { path?: string }).path);
  for (const path of ['/%zz\ufffd[redacted]/more', '/[redacted]/more'])
    expect(paths.filter((own) => own === path)).toHaveLength(3);
});

describe('the metrics', () => {
  async function measured() {
    const metrics = new Metrics();
    const listeners = [metrics.countExchange];
    const service = await startService(built.out, { layers: ['pages', 'site'], readLimit: 20, listeners });
    const { health } = service;
    const fail = (error: unknown) => expect.fail(String(error));
    const address = await metrics.serve(health, { host: '127.0.0.1', port: 0 }, fail);
    cleanup.push(service.stop, () => metrics.close());
    /** Every sample: its name with its labels → its value. */
    const samples = async () => {
      const response = await fetch(address);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const found = (await response.text()).matchAll(/^([a-z_]\w*(?:\{.*\})?) (\S+)$/gm);
      return new Map([...found].map(([, name, value]) => [name!, Number(value)]));
    };
    return { ...service, address, metrics, samples };
  }

  it('count requests by method, route and status, failures and builds, and tell the state of the service', async () => {
    const { ask, metrics, samples } = await measured();
    const counts: [method: string, target: string, route: string, status: number][] = [
      ['HEAD', '/api/movies', 'list', 200],
      ['GET', '/api/movies/27', 'record', 200],
      ['GET', '/api/movies/999999', 'record', 404],
      ['GET', '/manifest.json', 'file', 200],
      ['GET', '/no/such/file.txt', 'unknown', 404],
      ['GET', '/healthz', 'probe', 200],
      ['GET', '/mcp', 'mcp', 405],
      ['other', '/api/movies', 'list', 405],
    ];
    for (const [method, target] of counts) await ask(target, { method: method === 'other' ? 'PUT' : method });
    for (let i = 0; i < 18; i += 1) await ask('/api/movies');
    metrics.countBuild({ seconds: 0.02 });
    metrics.countBuild({ seconds: 0.3, problem: 'broken' });
    metrics.countFailure();
    metrics.countRepair();
    const found = await samples();
    const counted = (method: string, route: string, status: number) =>
      found.get(`awards_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
    for (const [method, target, route, status] of counts)
      expect(counted(method, route, status), target).toBe(1);
    expect([counted('GET', 'list', 200), counted('GET', 'list', 429)]).toEqual([17, 1]);
    expect(Object.fromEntries(found)).toMatchObject({
      'awards_http_request_duration_seconds_count{route="list"}': 20,
      'awards_http_request_duration_seconds_bucket{le="+Inf",route="record"}': 2,
      awards_http_rate_limited_total: 1,
      awards_answer_cache_hits_total: 17,
      awards_snapshot_build_duration_seconds_count: 2,
      awards_snapshot_build_failures_total: 1,
      awards_errors_total: 1,
      awards_repairs_total: 1,
      awards_problems: 0,
      awards_ready: 1,
      'awards_layer_behind_seconds{layer="pages"}': 0,
      // There is no site.
      'awards_layer_behind_seconds{layer="site"}': expect.toSatisfy((seconds: number) => seconds > 0),
      process_resident_memory_bytes: expect.any(Number),
    });
  });

  it('tell free space, and the writes that could not be stored by their reason', async () => {
    const { samples, health } = await measured();
    const database = { pendingChanges: () => 0, problems: async () => ['no room'] };
    const failedWrites = new Map([['storage-full', 3]] as const);
    const freeBytes = () => ({ database: 4096, snapshot: 8192 });
    health.service.database = { ...database, failedWrites, freeBytes };
    // A scrape counts nothing twice.
    await samples();
    expect(Object.fromEntries(await samples())).toMatchObject({
      'awards_write_failures_total{reason="storage-full"}': 3,
      'awards_disk_free_bytes{of="database"}': 4096,
      'awards_disk_free_bytes{of="snapshot"}': 8192,
      awards_problems: 1,
    });
  });

  it('are those that the alert rules of deploy/alerts.yml name, with their labels', async () => {
    const { address } = await measured();
    const text = await (await fetch(address)).text();
    const rules = readFileSync(join(project, 'deploy/alerts.yml'), 'utf8');
    const names = new Set([...rules.matchAll(/\bawards_\w+/g)].map(([name]) => name));
    expect(names.size).toBeGreaterThan(6);
    for (const name of names)
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'));
    expect([...rules.matchAll(/by \((\w+)\)/g)].map(([, label]) => label).sort()).toEqual([
      'layer',
      'le',
      'of',
    ]);
  });

  it('have no label that a client chooses, and are at one address only', async () => {
    const { port, ask, address, samples } = await measured();
    const choices = seeded('metric labels');
    const text = () => choices.picks([...'aZ09-._~%"\\{}/'], 12).join('');
    for (let i = 0; i < 30; i += 1) {
      const method = choices.pick(['GET', 'POST', 'PROPFIND', 'M-SEARCH', 'LOCK']);
      const path = `/${choices.pick(['', 'api/', 'api/movies/', 'receipts/'])}${encodeURI(text())}?${encodeURIComponent(text())}`;
      await send({ port, path, method, headers: { 'X-Request-Id': text() } });
    }
    for (const name of (await samples()).keys())
      if (name.startsWith('awards_http_request'))
        expect(name).toMatch(
          /^awards_http_request(s_total\{method="(GET|POST|other)",route="(record|unknown|receipt)",status="\d{3}"\}|_duration_seconds_\w+\{.*route="(record|unknown|receipt)"\})$/,
        );
    expect((await fetch(new URL('/api/movies', address))).status).toBe(404);
    expect((await ask('/metrics')).body.toString()).not.toContain('awards_');
  });
});
