/** The state of the service for monitors: `/healthz` and `/readyz`. docs/operations.md describes them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isOfHistory } from '../contract/history.ts';
import {
  isCurrent,
  type LayerName,
  type LayerState,
  layerIndexPath,
  layerOf,
  parseLayerState,
} from '../contract/layers.ts';
import { problems, publicReason } from '../contract/problems.ts';
import { manifestPath, parseManifest } from '../contract/snapshot.ts';
import { nodeDigest, readIfPresent, stateOf } from '../read/node-source.ts';
import { uncachedAnswer } from '../read/answer.ts';
import type { BuildReport, Writing } from '../write/writing.ts';
import { sendAnswer } from './sending.ts';

/** Answers as long as the process answers anything. */
const healthPath = '/healthz';
const readinessPath = '/readyz';

/** Whether a path is for monitors. No file of a build has such a name. */
export const isProbe = (path: string): boolean => path === healthPath || path === readinessPath;

type DatabaseState = Pick<Writing, 'pendingChanges' | 'problems' | 'failedWrites' | 'freeBytes'>;

/** What the service tells about itself. */
interface ServiceState {
  /** The id of the snapshot that answers come from, after a look at the manifest. @throws SnapshotUnavailable */
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

/** What a file of the folder says. */
interface Watched<T> {
  /** undefined if there is no such file, or not a valid one. */
  content: T | undefined;
  modified: Date;
}

/** The health of the service and of its folder. A look into the folder costs a few microseconds while nothing changes. */
export class Health {
  /** A service that is starting or stopping is not ready. */
  phase: 'starting' | 'running' | 'stopping' = 'running';
  /** Of the service, as soon as it is made. */
  state: ServiceState | undefined;
  /** The id of the snapshot. */
  readonly #manifest: () => Watched<string>;
  readonly #indexes: ReadonlyMap<LayerName, () => Watched<LayerState>>;
  /** Layers that the last look found behind: the snapshot that they have, and since when. */
  readonly #behind = new Map<LayerName, { has: string | undefined; since: Date }>();
  /** The last failure; failed() sets it. */
  #lastError: Readiness['last_error'] = null;
  /** The first of the builds that failed since the last success. */
  #failing: { since: Date; problem: string } | undefined;

  /**
   * @param root folder of the snapshot
   * @param layers the layers that are kept up to date in this folder
   */
  constructor(root: string, layers: readonly LayerName[]) {
    this.#manifest = watched(join(root, manifestPath), (bytes) => parseManifest(bytes, nodeDigest)?.snapshot);
    const index = (layer: LayerName) =>
      watched(join(root, layerIndexPath(layer)), (bytes) => parseLayerState(layer, bytes));
    this.#indexes = new Map(layers.map((layer) => [layer, index(layer)]));
  }

  failed(error: unknown): void {
    this.#lastError = { time: new Date().toISOString(), message: publicReason(error) };
  }

  /** Notes a build. The first one ends the start. */
  built({ problem }: BuildReport): void {
    if (this.phase === 'starting') this.phase = 'running';
    this.#failing =
      problem === undefined ? undefined : { since: this.#failing?.since ?? new Date(), problem };
  }

  /** The snapshot that a file was made from; undefined for the site, which is the same for all, and for other files. */
  snapshotOf(path: string): string | undefined {
    const layer = path === manifestPath || path.startsWith('shards/') ? 'site' : layerOf(path);
    if (isOfHistory(path)) return undefined;
    return layer === 'site' ? undefined : this.#indexes.get(layer)?.().content?.manifest.snapshot;
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
    const { database } = this.state ?? {};
    const pending = await attempt('the database', () => database?.pendingChanges());
    const ofWriting = pending !== undefined && (await attempt('the database', () => database?.problems()));
    broken.push(...(ofWriting || []));
    const id = await attempt('the snapshot', async () => this.state?.snapshot());
    const { manifest, layers = {} } = (await attempt('the folder', () => this.#look())) ?? {};
    if (id !== undefined && manifest?.content === undefined)
      broken.push('the manifest is missing or damaged; "awards build" makes it');
    if (this.#failing) {
      const { since, problem } = this.#failing;
      broken.push(
        `builds of the snapshot have failed since ${since.toISOString()}, and writes are refused: ${publicReason(problem)}`,
      );
    }
    for (const [layer, { since, behind_seconds }] of Object.entries(layers))
      if (behind_seconds > maxBehindSeconds) broken.push(`${layer}: behind the snapshot since ${since}`);
    const placed = manifest?.content === undefined ? undefined : manifest.modified;
    return {
      status: this.#statusWith(id, broken),
      problems: broken,
      snapshot:
        id !== undefined && placed
          ? { id, since: placed.toISOString(), age_seconds: secondsSince(placed) }
          : null,
      layers,
      writes_pending: pending ?? null,
      last_error: this.#lastError,
    };
  }

  #statusWith(snapshot: string | undefined, broken: readonly string[]): Readiness['status'] {
    if (this.phase !== 'running') return this.phase;
    if (snapshot === undefined) return 'unavailable';
    return broken.length > 0 ? 'degraded' : 'ready';
  }

  #look(): { manifest: Watched<string> } & Pick<Readiness, 'layers'> {
    const manifest = this.#manifest();
    const layers: Readiness['layers'] = {};
    for (const [layer, read] of this.#indexes) {
      const since = this.#behindSince(layer, read(), manifest);
      layers[layer] = {
        behind: since !== undefined,
        since: since?.toISOString() ?? null,
        behind_seconds: since ? secondsSince(since) : 0,
      };
    }
    return { manifest, layers };
  }

  /** When the first snapshot that a layer lacks was put in place, as far as earlier looks saw; undefined if it lacks none. */
  #behindSince(
    layer: LayerName,
    { content: state, modified }: Watched<LayerState>,
    manifest: Watched<string>,
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

/** A function that reads a file, and parses it again only when it was replaced. */
function watched<T>(file: string, parse: (bytes: Uint8Array) => T | undefined): () => Watched<T> {
  let state: string | undefined;
  let seen: Watched<T> = { content: undefined, modified: new Date(0) };
  return () => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    const current = stats ? stateOf(stats) : '';
    if (current !== state) {
      const bytes = readIfPresent(file);
      seen = { content: bytes && parse(bytes), modified: stats?.mtime ?? new Date() };
      state = current;
    }
    return seen;
  };
}

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
