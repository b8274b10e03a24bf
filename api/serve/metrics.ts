/** Metrics of the service in the text format of Prometheus. docs/operations.md lists them. */
import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { problems } from '../contract/problems.ts';
import { methodsOf, routes } from '../contract/routes.ts';
import type { Exchange } from './exchange.ts';
import { type BuildReport, type Health, isReady, type Readiness, type ServiceState } from './health.ts';

export const metricsPath = '/metrics';

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const buildSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that have a label of their own. */
const methods: ReadonlySet<string> = new Set([...routes.values()].flatMap((route) => methodsOf(route)));

/** Gauges of the state: name, help, and the value when they are asked for. */
const stateGauges: readonly [
  name: string,
  help: string,
  read: (readiness: Readiness, state: ServiceState | undefined) => number | undefined,
][] = [
  ['ready', '1 if /readyz answers 200, else 0.', ({ status }) => Number(isReady(status))],
  ['problems', 'Things that are broken, as /readyz lists them.', ({ problems: broken }) => broken.length],
  [
    'http_requests_in_flight',
    'Requests without a complete response.',
    (_readiness, state) => state?.openRequests(),
  ],
  ['http_connections', 'Open connections.', (_readiness, state) => state?.connections()],
  ['answer_cache_bytes', 'Bytes of answers in memory.', (_readiness, state) => state?.answerCache().bytes],
  ['answer_cache_answers', 'Answers in memory.', (_readiness, state) => state?.answerCache().answers],
  [
    'snapshot_age_seconds',
    'Time since the snapshot was put in place.',
    ({ snapshot }) => snapshot?.age_seconds,
  ],
  [
    'writes_pending',
    'Changes in the database that the snapshot does not hold.',
    ({ writes_pending: pending }) => pending ?? undefined,
  ],
];

export class Metrics {
  readonly #registry = new Registry();
  readonly #health: Health;
  readonly #requests = this.#counter('http_requests_total', 'Requests that are over.', [
    'method',
    'route',
    'status',
  ]);
  readonly #rateLimited = this.#counter('http_rate_limited_total', 'Requests that were refused with 429.');
  readonly #durations = this.#histogram(
    'http_request_duration_seconds',
    'Time from the headers of a request to the end of its response.',
    requestSeconds,
    ['route'],
  );
  readonly #builds = this.#histogram(
    'snapshot_build_duration_seconds',
    'Time of a build of the snapshot, also of a failed one.',
    buildSeconds,
  );
  readonly #buildFailures = this.#counter('snapshot_build_failures_total', 'Builds that failed.');
  readonly #errors = this.#counter('errors_total', 'Failures of the service itself; each is in the log.');
  readonly #cacheHits = this.#counter('answer_cache_hits_total', 'Requests that were answered from memory.');
  readonly #layers = this.#gauge(
    'layer_behind_seconds',
    'Time since a layer lacks the snapshot, 0 if it is up to date.',
    ['layer'],
  );
  readonly #gauges = stateGauges.map(([name, help, read]) => ({ gauge: this.#gauge(name, help), read }));

  constructor(health: Health) {
    this.#health = health;
    collectDefaultMetrics({ register: this.#registry });
  }

  answered({ request: { method = '' }, response, kind, seconds }: Exchange): void {
    const status = response.headersSent ? response.statusCode : 'none';
    this.#requests.inc({ method: methods.has(method) ? method : 'other', route: kind, status });
    this.#durations.observe({ route: kind }, seconds);
    if (status === problems['too-many-requests'].status) this.#rateLimited.inc();
  }

  built({ seconds, problem }: BuildReport): void {
    this.#builds.observe(seconds);
    if (problem !== undefined) this.#buildFailures.inc();
  }

  failed(): void {
    this.#errors.inc();
  }

  async text(): Promise<string> {
    const readiness = await this.#health.readiness();
    const { state } = this.#health;
    for (const { gauge, read } of this.#gauges) gauge.set(read(readiness, state) ?? Number.NaN);
    for (const [layer, { behind_seconds: seconds }] of Object.entries(readiness.layers))
      this.#layers.set({ layer }, seconds);
    this.#cacheHits.reset();
    this.#cacheHits.inc(state?.answerCache().hits ?? 0);
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #common(name: string, help: string) {
    return { name: `awards_${name}`, help, registers: [this.#registry] };
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ ...this.#common(name, help), labelNames });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ ...this.#common(name, help), labelNames });
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram {
    return new Histogram({ ...this.#common(name, help), buckets, labelNames });
  }
}

/** A server that answers GET /metrics and nothing else. It does not listen yet. */
export function metricsServer(metrics: Metrics): Server {
  const server = createServer({ requestTimeout: 5000 }, (request, response) => {
    request.resume();
    if (request.method !== 'GET' || request.url?.split('?')[0] !== metricsPath) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`metrics are at ${metricsPath}\n`);
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error: Error) => response.destroy(error),
    );
  });
  server.maxConnections = 16;
  return server;
}
