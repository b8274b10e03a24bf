/** The state of the service for monitors: `/healthz` and `/readyz`. docs/operations.md describes them. */
import type { FastifyInstance } from 'fastify';
import { isCurrent, type LayerName, type LayerState } from '../contract/layers.ts';
import { problems, publicReason } from '../contract/problems.ts';
import { uncachedAnswer } from '../read/answer.ts';
import type { FileVersion } from '../read/node-source.ts';
import type { BuildReport } from '../write/writer-thread.ts';
import type { Writing } from '../write/writing.ts';
import type { FolderWatch } from './folder-watch.ts';
import { sendAnswer } from './sending.ts';

/** Answers as long as the process answers anything. */
const healthPath = '/healthz';
const readinessPath = '/readyz';

/** Whether a path is for monitors. No file of a build has such a name. */
export const isMonitorPath = (path: string): boolean => path === healthPath || path === readinessPath;

type DatabaseState = Pick<Writing, 'pendingChanges' | 'problems' | 'failedWrites' | 'freeBytes'>;

/** A finished service, as monitors and metrics see it. */
export interface ObservedService {
  /** The folder of the snapshot, with the layers that are kept up to date. */
  folder: FolderWatch;
  /** What has gone wrong so far. */
  incidents: Incidents;
  /**
   * The id of the snapshot that answers come from, after a look at the manifest.
   * @throws SnapshotUnavailable
   */
  snapshot(): Promise<string>;
  /** Number of requests that were answered from memory. */
  cacheHits(): number;
  /** undefined for a service that only reads. */
  database: DatabaseState | undefined;
}

/** The document of `/readyz`. Times are ISO 8601. */
export interface Readiness {
  /** ready, or degraded (it answers, but something is broken): 200. The others: 503. */
  status: 'ready' | 'degraded' | 'starting' | 'stopping' | 'unavailable';
  /** What is broken, in words. */
  problems: string[];
  snapshot: { id: string; since: string; age_seconds: number } | null;
  layers: Partial<Record<LayerName, { behind: boolean; since: string | null; behind_seconds: number }>>;
  /** null for a service that only reads. */
  writes_pending: number | null;
  last_error: { time: string; message: string } | null;
}

/** Whether a service of this status answers reads. */
export const isReady = (status: Readiness['status']): boolean => status === 'ready' || status === 'degraded';

/** Seconds after which a layer that is behind counts as broken. An update takes seconds. */
const maxBehindSeconds = 300;

/** What happens to a service from its start to its end, as far as its health depends on it. */
export class Incidents {
  /** A service that is starting or stopping is not ready. Who starts and stops it sets the phase. */
  phase: 'starting' | 'running' | 'stopping' = 'running';
  /** The last failure; noteFailure() sets it. */
  lastError: Readiness['last_error'] = null;
  /**
   * The first of the builds that failed since the last success, with the problem of the last one; noteBuild()
   * sets it.
   */
  failingBuilds: { since: Date; problem: string } | undefined;

  noteFailure(error: unknown): void {
    this.lastError = { time: new Date().toISOString(), message: publicReason(error) };
  }

  /** Notes a build. The first one ends the start. */
  noteBuild({ problem }: BuildReport): void {
    if (this.phase === 'starting') this.phase = 'running';
    const since = this.failingBuilds?.since ?? new Date();
    this.failingBuilds = problem === undefined ? undefined : { since, problem };
  }
}

/**
 * The health of a service and of its folder. A look into the folder costs a few microseconds while nothing
 * changes.
 */
export class Health {
  /** What it is the health of. */
  readonly service: ObservedService;
  /** Layers that the last look found behind: the snapshot that they have, and since when. */
  readonly #behind = new Map<LayerName, { has: string | undefined; since: Date }>();

  constructor(service: ObservedService) {
    this.service = service;
  }

  async readiness(): Promise<Readiness> {
    const broken: string[] = [];
    const attempt = async <T>(what: string, read: () => T | Promise<T>): Promise<T | undefined> => {
      try {
        return await read();
      } catch (error) {
        broken.push(`${what} cannot be read: ${publicReason(error)}`);
        return undefined;
      }
    };
    // The database first: where no write is pending, the folder and the next answers hold every write.
    const { database, incidents, snapshot } = this.service;
    const pending = await attempt('the database', () => database?.pendingChanges());
    const ofWriting = pending !== undefined && (await attempt('the database', () => database?.problems()));
    broken.push(...(ofWriting || []));
    const id = await attempt('the snapshot', snapshot);
    const { manifest, layers = {} } = (await attempt('the folder', () => this.#look())) ?? {};
    if (id !== undefined && manifest === undefined)
      broken.push('the manifest is missing or damaged; "awards build" makes it');
    if (incidents.failingBuilds) {
      const { since, problem } = incidents.failingBuilds;
      broken.push(
        `builds of the snapshot have failed since ${since.toISOString()}, and writes are refused: ${publicReason(problem)}`,
      );
    }
    for (const [layer, { since, behind_seconds }] of Object.entries(layers))
      if (behind_seconds > maxBehindSeconds) broken.push(`${layer}: behind the snapshot since ${since}`);
    return {
      status: this.#statusWith(id, broken),
      problems: broken,
      snapshot:
        id !== undefined && manifest
          ? { id, since: manifest.modified.toISOString(), age_seconds: secondsSince(manifest.modified) }
          : null,
      layers,
      writes_pending: pending ?? null,
      last_error: incidents.lastError,
    };
  }

  #statusWith(snapshot: string | undefined, broken: readonly string[]): Readiness['status'] {
    const { phase } = this.service.incidents;
    if (phase !== 'running') return phase;
    if (snapshot === undefined) return 'unavailable';
    return broken.length > 0 ? 'degraded' : 'ready';
  }

  /** @returns the manifest, if it is whole, and the state of the layers @throws the error of the system */
  #look(): { manifest: FileVersion<string> | undefined } & Pick<Readiness, 'layers'> {
    const { folder } = this.service;
    const manifest = folder.manifest();
    const layers: Readiness['layers'] = {};
    for (const [layer, read] of folder.indexes) {
      const since = this.#behindSince(layer, read(), manifest);
      layers[layer] = {
        behind: since !== undefined,
        since: since?.toISOString() ?? null,
        behind_seconds: since ? secondsSince(since) : 0,
      };
    }
    return { manifest: manifest.content === undefined ? undefined : manifest, layers };
  }

  /**
   * When the first snapshot that a layer lacks was put in place, as far as earlier looks saw; undefined if it
   * lacks none.
   */
  #behindSince(
    layer: LayerName,
    { content: state, modified }: FileVersion<LayerState>,
    manifest: FileVersion<string>,
  ): Date | undefined {
    const has = state?.manifest.snapshot;
    const before = this.#behind.get(layer);
    if (isCurrent(state, manifest.content)) this.#behind.delete(layer);
    // A layer with another snapshot than before has been up to date in between.
    else if (before === undefined || before.has !== has)
      this.#behind.set(layer, {
        has,
        since: has !== undefined && has === manifest.content ? modified : manifest.modified,
      });
    return this.#behind.get(layer)?.since;
  }
}

const secondsSince = (time: Date): number => Math.max(0, Date.now() - time.getTime()) / 1000;

/** Adds the routes of monitors. They have no rate limit. */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  const add = (url: string, answer: () => Promise<[status: number, document: object]>) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { kind: 'probe' },
      handler: async (_request, reply) => {
        const [status, document] = await answer();
        return sendAnswer(reply, uncachedAnswer(status, document));
      },
    });
  add(healthPath, async () => [200, { status: 'ok' }]);
  add(readinessPath, async () => {
    const readiness = await health.readiness();
    return [isReady(readiness.status) ? 200 : problems['snapshot-unavailable'].status, readiness];
  });
}
