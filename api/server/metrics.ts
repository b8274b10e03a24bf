/** Metrics of the service in the text format of Prometheus. docs/operations.md lists them. */
import fastify, { type FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { problems } from '../contract/problems.ts';
import { methodsOf, routes } from '../contract/routes.ts';
import type { BuildReport } from '../write/writing.ts';
import type { Exchange } from './exchange.ts';
import { type Health, isReady, type Readiness } from './health.ts';

export const metricsPath = '/metrics';

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const buildSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that have a label of their own. */
const methods: ReadonlySet<string> = new Set([...routes.values()].flatMap((route) => methodsOf(route)));

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(health: Health) {
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
  const behind = new Gauge({
    ...named('layer_behind_seconds', 'Time since a layer lacks the snapshot, 0 if it is up to date.'),
    labelNames: ['layer'],
  });
  /** Gauges that text() sets from the state of the service. */
  const gauges: [Gauge, (readiness: Readiness) => number | null | undefined][] = [];
  const gauge = (name: string, help: string, read: (typeof gauges)[number][1]) =>
    gauges.push([new Gauge(named(name, help)), read]);
  gauge('ready', '1 if /readyz answers 200, else 0.', ({ status }) => Number(isReady(status)));
  gauge('problems', 'Things that are broken, as /readyz lists them.', ({ problems: all }) => all.length);
  gauge(
    'snapshot_age_seconds',
    'Time since the snapshot was put in place.',
    (it) => it.snapshot?.age_seconds,
  );
  gauge('writes_pending', 'Changes that the snapshot does not hold.', (it) => it.writes_pending);
  const state = () => health.state;
  gauge('http_requests_in_flight', 'Requests without a complete response.', () => state()?.openRequests());
  gauge('http_connections', 'Open connections.', () => state()?.connections());
  gauge('answer_cache_bytes', 'Bytes of answers in memory.', () => state()?.answerCache().bytes);
  gauge('answer_cache_answers', 'Answers in memory.', () => state()?.answerCache().answers);

  return {
    answered({ method, status, kind, seconds }: Exchange): void {
      const label = methods.has(method) ? method : 'other';
      requests.inc({ method: label, route: kind, status: status ?? 'none' });
      durations.observe({ route: kind }, seconds);
      if (status === problems['too-many-requests'].status) limited.inc();
    },
    built({ seconds, problem }: BuildReport): void {
      builds.observe(seconds);
      if (problem !== undefined) failedBuilds.inc();
    },
    failed: () => errors.inc(),
    contentType: registry.contentType,
    async text(): Promise<string> {
      const readiness = await health.readiness();
      for (const [own, read] of gauges) own.set(read(readiness) ?? Number.NaN);
      for (const [layer, own] of Object.entries(readiness.layers)) behind.set({ layer }, own.behind_seconds);
      hits.reset();
      hits.inc(state()?.answerCache().hits ?? 0);
      return registry.metrics();
    },
  };
}

/** A server that answers GET /metrics and nothing else. It does not listen yet. */
export function metricsServer(metrics: Metrics): FastifyInstance {
  const app = fastify({ requestTimeout: 5000, exposeHeadRoutes: false });
  app.get(metricsPath, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  return app;
}
