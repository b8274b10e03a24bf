/** Metrics of the service in the text format of Prometheus. docs/operations.md lists them. */
import fastify from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { problems } from '../contract/problems.ts';
import { methodsOf, routes } from '../contract/routes.ts';
import type { BuildReport } from '../write/writing.ts';
import { listen } from './connections.ts';
import { type Health, isReady } from './health.ts';
import type { Exchange } from './reporting.ts';

const metricsPath = '/metrics';

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const buildSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that have a label of their own. */
const methods: ReadonlySet<string> = new Set([...routes.values()].flatMap((route) => methodsOf(route)));

export type Metrics = Awaited<ReturnType<typeof startMetrics>>;

/**
 * Starts a server that answers GET /metrics and nothing else.
 * @param onError receives the errors of that server
 * @throws UserError if the port cannot be opened
 */
export async function startMetrics(
  health: Health,
  { host, port }: { host: string; port: number },
  onError: (error: unknown) => void,
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const named = (name: string, help: string) => ({ name: `awards_${name}`, help, registers: [registry] });
  const requests = new Counter({
    ...named('http_requests_total', 'Requests that are over.'),
    labelNames: ['method', 'route', 'status'],
  });
  const durations = new Histogram({
    ...named(
      'http_request_duration_seconds',
      'Time from the headers of a request to the end of its response.',
    ),
    buckets: requestSeconds,
    labelNames: ['route'],
  });
  const limited = new Counter(named('http_rate_limited_total', 'Requests that were refused with 429.'));
  const builds = new Histogram({
    ...named('snapshot_build_duration_seconds', 'Time of a build of the snapshot, also of a failed one.'),
    buckets: buildSeconds,
  });
  const failedBuilds = new Counter(named('snapshot_build_failures_total', 'Builds that failed.'));
  const errors = new Counter(named('errors_total', 'Failures of the service itself; each is in the log.'));
  const hits = new Counter(named('answer_cache_hits_total', 'Requests that were answered from memory.'));
  const ready = new Gauge(named('ready', '1 if /readyz answers 200, else 0.'));
  const broken = new Gauge(named('problems', 'Things that are broken, as /readyz lists them.'));
  const behind = new Gauge({
    ...named('layer_behind_seconds', 'Time since a layer lacks the snapshot, 0 if it is up to date.'),
    labelNames: ['layer'],
  });

  const repairs = new Counter(named('repairs_total', 'Builds and updates that made damaged files again.'));
  const failedWrites = new Counter({
    ...named(
      'write_failures_total',
      'Writes that the service could not store, by the code of their problem.',
    ),
    labelNames: ['reason'],
  });
  const free = new Gauge({
    ...named('disk_free_bytes', 'Free bytes of the file system of the database and of the snapshot.'),
    labelNames: ['of'],
  });

  const app = fastify({ requestTimeout: 5000, exposeHeadRoutes: false });
  app.get(metricsPath, async (_request, reply) => {
    const readiness = await health.readiness();
    ready.set(Number(isReady(readiness.status)));
    broken.set(readiness.problems.length);
    for (const [layer, own] of Object.entries(readiness.layers)) behind.set({ layer }, own.behind_seconds);
    hits.reset();
    hits.inc(health.state?.cacheHits() ?? 0);
    const database = health.state?.database;
    failedWrites.reset();
    for (const [reason, count] of database?.failedWrites ?? []) failedWrites.inc({ reason }, count);
    try {
      for (const [of, bytes] of Object.entries(database?.freeBytes() ?? {})) free.set({ of }, bytes);
    } catch (error) {
      // All other metrics are still true.
      free.reset();
      onError(error);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  await app.ready();
  return {
    address: `${await listen(app.server, port, host, onError, '--metrics')}${metricsPath}`,
    close() {
      app.server.closeAllConnections();
      void app.close();
    },
    answered({ kind: route, line: { method, status, ms } }: Exchange) {
      requests.inc({ method: methods.has(method) ? method : 'other', route, status: status ?? 'none' });
      durations.observe({ route }, ms / 1000);
      if (status === problems['too-many-requests'].status) limited.inc();
    },
    built({ seconds, problem }: BuildReport) {
      builds.observe(seconds);
      if (problem !== undefined) failedBuilds.inc();
    },
    failed: () => errors.inc(),
    repaired: () => repairs.inc(),
  };
}
