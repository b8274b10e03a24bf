/** The metrics count what the service does. Their labels are bounded, whatever clients send. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Health } from '../../api/server/health.ts';
import { type Metrics, startMetrics } from '../../api/server/metrics.ts';
import { send } from '../support/http.ts';
import { seeded } from '../support/seed.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';

let built: BuiltFolder;
let service: RunningService;
let metrics: Metrics;
beforeAll(async () => {
  built = await builtFolder();
  const health = new Health(built.out, ['pages', 'site']);
  metrics = await startMetrics(health, { host: '127.0.0.1', port: 0 }, (error) => {
    throw error;
  });
  service = await startService(built.out, {
    health,
    readLimit: 60,
    onAnswered: (exchange) => metrics.answered(exchange),
  });
});
afterAll(async () => {
  await service.stop();
  metrics.close();
  built.connection.close();
});

/** Every sample: its name with its labels → its value. */
async function samples(): Promise<Map<string, number>> {
  const response = await fetch(metrics.address);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = line, value = ''] = /^([a-z_]\w*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

it('count requests by method, route and status, with their time, and the state of the service', async () => {
  for (const [target, method = 'GET'] of [
    ['/api/movies'],
    ['/api/movies'],
    ['/api/movies', 'HEAD'],
    ['/api/movies/27'],
    ['/api/movies/999999'],
    ['/api/search?q=film'],
    ['/api/stats/top-movies'],
    ['/manifest.json'],
    ['/no/such/file.txt'],
    ['/api/films'],
    ['/api/movies', 'PUT'],
    ['/healthz'],
  ])
    await service.ask(target!, { method });
  const found = await samples();
  const counted = (method: string, route: string, status: number) =>
    found.get(`awards_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  expect(counted('GET', 'list', 200)).toBe(2);
  expect(counted('HEAD', 'list', 200)).toBe(1);
  expect(counted('GET', 'record', 200)).toBe(1);
  expect(counted('GET', 'record', 404)).toBe(1);
  expect(counted('GET', 'search', 200)).toBe(1);
  expect(counted('GET', 'ranking', 200)).toBe(1);
  expect(counted('GET', 'file', 200)).toBe(1);
  expect(counted('GET', 'unknown', 404)).toBe(2);
  expect(counted('other', 'list', 405)).toBe(1);
  expect(counted('GET', 'probe', 200)).toBe(1);
  expect(found.get('awards_http_request_duration_seconds_count{route="list"}')).toBe(4);
  expect(found.get('awards_http_request_duration_seconds_bucket{le="+Inf",route="record"}')).toBe(2);
  expect(found.get('awards_answer_cache_hits_total')).toBeGreaterThan(0);
  // There is no site.
  expect(found.get('awards_problems')).toBe(0);
  expect(found.get('awards_layer_behind_seconds{layer="pages"}')).toBe(0);
  expect(found.get('awards_layer_behind_seconds{layer="site"}')).toBeGreaterThan(0);
  expect(found.get('awards_ready')).toBe(1);
  expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});

it('count builds, failed builds, errors and limited requests', async () => {
  metrics.built({ seconds: 0.02 });
  metrics.built({ seconds: 0.3, problem: 'broken' });
  metrics.failed();
  for (let i = 0; i < 61; i += 1) await service.ask('/api/movies/1');
  const found = await samples();
  expect(found.get('awards_snapshot_build_duration_seconds_count')).toBe(2);
  expect(found.get('awards_snapshot_build_failures_total')).toBe(1);
  expect(found.get('awards_errors_total')).toBe(1);
  const limited = found.get('awards_http_rate_limited_total');
  expect(limited).toBeGreaterThan(0);
  expect(found.get('awards_http_requests_total{method="GET",route="record",status="429"}')).toBe(limited);
});

it('have no label that a client chooses', async () => {
  const choices = seeded('metric labels');
  await service.ask('/api/movies/1');
  const before = new Set((await samples()).keys());
  const text = () => choices.picks([...'aZ09-._~%"\\{}/'], 12).join('');
  for (let i = 0; i < 300; i += 1) {
    const method = choices.pick(['GET', 'POST', 'PROPFIND', 'M-SEARCH', 'LOCK']);
    const path = `/${choices.pick(['', 'api/', 'api/movies/', 'receipts/'])}${encodeURI(text())}?${encodeURIComponent(text())}`;
    await send({ port: service.port, path, method, headers: { 'X-Request-Id': text() } });
  }
  const added = [...(await samples()).keys()].filter(
    (name) => name.startsWith('awards_') && !before.has(name),
  );
  expect(added.length).toBeGreaterThan(0);
  for (const name of added)
    expect(name).toMatch(
      /^awards_http_request(s_total\{method="(GET|POST|other)",route="(record|unknown|receipt)",status="\d{3}"\}|_duration_seconds_\w+\{.*route="(record|unknown|receipt)"\})$/,
    );
});

it('are at one address only', async () => {
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics/', 'GET'],
    ['/metrics', 'POST'],
    ['/api/movies', 'GET'],
  ])
    expect((await fetch(new URL(path!, metrics.address), { method: method! })).status).toBe(404);
  expect((await service.ask('/metrics')).body.toString()).not.toContain('awards_');
});
