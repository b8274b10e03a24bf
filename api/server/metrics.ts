/** Metrics of the service in the text format of Prometheus. docs/operations.md lists them. */
import fastify, { type FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { problems } from '../contract/problems.ts';
import { methodsOf, routes } from '../contract/routes.ts';
import type { BuildReport } from '../write/writer-thread.ts';
import { listen } from './connections.ts';
import { type Health, isReady } from './health.ts';
import type { Exchange } from './exchange.ts';

const metricsPath = '/metrics';

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const buildSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that have a label of their own. */
const methods: ReadonlySet<string> = new Set([...routes.values()].flatMap((route) => methodsOf(route)));

/** The metrics of one service: counted from the start, and served when the service is finished. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    ...this.#named('http_requests_total', 'Requests that are over.'),
    labelNames: ['method', 'route', 'status'],
  });
  readonly #durations = new Histogram({
    ...this.#named(
      'http_request_duration_seconds',
      'Time from the headers of a request to the end of its response.',
    ),
    buckets: requestSeconds,
    labelNames: ['route'],
  });
  readonly #limited = new Counter(
    this.#named('http_rate_limited_total', 'Requests that were refused with 429.'),
  );
  readonly #builds = new Histogram({
    ...this.#named(
      'snapshot_build_duration_seconds',
      'Time of a build of the snapshot, also of a failed one.',
    ),
    buckets: buildSeconds,
  });
  readonly #failedBuilds = new Counter(this.#named('snapshot_build_failures_total', 'Builds that failed.'));
  readonly #errors = new Counter(
    this.#named('errors_total', 'Failures of the service itself; each is in the log.'),
  );
  readonly #hits = new Counter(
    this.#named('answer_cache_hits_total', 'Requests that were answered from memory.'),
  );
  readonly #ready = new Gauge(this.#named('ready', '1 if /readyz answers 200, else 0.'));
  readonly #broken = new Gauge(this.#named('problems', 'Things that are broken, as /readyz lists them.'));
  readonly #behind = new Gauge({
    ...this.#named('layer_behind_seconds', 'Time since a layer lacks the snapshot, 0 if it is up to date.'),
    labelNames: ['layer'],
  });
  readonly #repairs = new Counter(
    this.#named('repairs_total', 'Builds and updates that made damaged files again.'),
  );
  readonly #failedWrites = new Counter({
    ...this.#named(
      'write_failures_total',
      'Writes that the service could not store, by the code of their problem.',
    ),
    labelNames: ['reason'],
  });
  readonly #free = new Gauge({
    ...this.#named('disk_free_bytes', 'Free bytes of the file system of the database and of the snapshot.'),
    labelNames: ['of'],
  });
  /** Set by serve(). */
  #app: FastifyInstance | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Counts a request that is over. */
  readonly countExchange = ({ kind: route, request: { method }, status, ms }: Exchange): void => {
    this.#requests.inc({ method: methods.has(method) ? method : 'other', route, status: status ?? 'none' });
    this.#durations.observe({ route }, ms / 1000);
    if (status === problems['too-many-requests'].status) this.#limited.inc();
  };

  countBuild({ seconds, problem }: BuildReport): void {
    this.#builds.observe(seconds);
    if (problem !== undefined) this.#failedBuilds.inc();
  }

  /** Counts a failure of the service itself. */
  countFailure(): void {
    this.#errors.inc();
  }

  countRepair(): void {
    this.#repairs.inc();
  }

  /**
   * Starts a server that answers GET /metrics and nothing else.
   * @param onError receives the errors of that server
   * @returns its address @throws UserError if the port cannot be opened
   */
  async serve(
    health: Health,
    { host, port }: { host: string; port: number },
    onError: (error: unknown) => void,
  ): Promise<string> {
    const app = fastify({ requestTimeout: 5000, exposeHeadRoutes: false });
    this.#app = app;
    app.get(metricsPath, async (_request, reply) => {
      await this.#measure(health, onError);
      return reply.type(this.#registry.contentType).send(await this.#registry.metrics());
    });
    await app.ready();
    return `${await listen(app.server, port, host, onError, '--metrics')}${metricsPath}`;
  }

  close(): void {
    this.#app?.server.closeAllConnections();
    void this.#app?.close();
  }

  /** Takes over what the service knows itself. */
  async #measure(health: Health, onError: (error: unknown) => void): Promise<void> {
    const readiness = await health.readiness();
    const { database, cacheHits } = health.service;
    this.#ready.set(Number(isReady(readiness.status)));
    this.#broken.set(readiness.problems.length);
    for (const [layer, { behind_seconds }] of Object.entries(readiness.layers))
      this.#behind.set({ layer }, behind_seconds);
    this.#hits.reset();
    this.#hits.inc(cacheHits());
    this.#failedWrites.reset();
    for (const [reason, count] of database?.failedWrites ?? []) this.#failedWrites.inc({ reason }, count);
    try {
      for (const [of, bytes] of Object.entries(database?.freeBytes() ?? {})) this.#free.set({ of }, bytes);
    } catch (error) {
      // All other metrics are still true.
      this.#free.reset();
      onError(error);
    }
  }

  #named(name: string, help: string) {
    return { name: `awards_${name}`, help, registers: [this.#registry] };
  }
}
