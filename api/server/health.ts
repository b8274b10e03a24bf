/** The state of the service for monitors: `/healthz` and `/readyz`. docs/operations.md describes them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type LayerName, layerIndexPath, layerOf, parseLayerIndex } from '../contract/layers.ts';
import { problems, publicReason } from '../contract/problems.ts';
import { manifestPath, parseManifest } from '../contract/snapshot.ts';
import type { Answer } from '../read/answer.ts';
import type { AnswerCacheState } from '../read/answer-cache.ts';
import { nodeDigest, readIfPresent } from '../read/node-source.ts';
import type { BuildReport } from '../write/writing.ts';
import { sendAnswer } from './sending.ts';

/** Answers as long as the process answers anything. */
const healthPath = '/healthz';
const readinessPath = '/readyz';

/** Whether a path is for monitors. No file of a build has such a name. */
export const isProbe = (path: string): boolean => path === healthPath || path === readinessPath;

/** What the service tells about itself. */
interface ServiceState {
  /** The id of the snapshot that answers come from, after a look at the manifest. @throws SnapshotUnavailable */
  snapshot(): Promise<string>;
  /** Changes in the database that the snapshot does not hold; undefined for a service that only reads. */
  pendingChanges(): number | undefined;
  /** Whether another program locks the database, so that writes are refused; undefined for a service that only reads. */
  isLocked(): Promise<boolean> | undefined;
  answerCache(): AnswerCacheState;
  connections(): number;
  /** Number of requests that are not answered yet. */
  openRequests(): number;
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

export class Health {
  /** A service that is starting or stopping is not ready. */
  phase: 'starting' | 'running' | 'stopping' = 'running';
  readonly folder: FolderStatus;
  /** Of the service, as soon as it is made. */
  state: ServiceState | undefined;
  /** The last failure; failed() sets it. */
  #lastError: Readiness['last_error'] = null;
  /** The first of the builds that failed since the last success. */
  #failing: { since: Date; problem: string } | undefined;

  constructor(folder: FolderStatus) {
    this.folder = folder;
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

  async readiness(): Promise<Readiness> {
    const now = Date.now();
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
    const pending = await attempt('the database', () => this.state?.pendingChanges());
    if (pending !== undefined && (await attempt('the database', () => this.state?.isLocked())))
      broken.push('another program has locked the database: writes are refused');
    const id = await attempt('the snapshot', async () => this.state?.snapshot());
    const look = await attempt('the folder', () => this.folder.look());
    const { snapshot, layers = [] } = look ?? {};
    if (id !== undefined && snapshot === undefined)
      broken.push('the manifest is missing or damaged; "awards build" makes it');
    if (this.#failing) {
      const { since, problem } = this.#failing;
      broken.push(
        `builds of the snapshot have failed since ${since.toISOString()}, and writes are refused: ${publicReason(problem)}`,
      );
    }
    for (const [layer, since] of layers)
      if (since && secondsBetween(since, now) > maxBehindSeconds)
        broken.push(`${layer}: behind the snapshot since ${since.toISOString()}`);
    const times = (since: Date | undefined) => ({
      since: since?.toISOString() ?? null,
      seconds: since ? secondsBetween(since, now) : 0,
    });
    const own = id === undefined ? undefined : snapshot && { id, ...times(snapshot.since) };
    return {
      status: this.#statusWith(id, broken),
      problems: broken,
      snapshot: own ? { id: own.id, since: own.since!, age_seconds: own.seconds } : null,
      layers: Object.fromEntries(
        [...layers].map(([layer, behindSince]) => {
          const { since, seconds } = times(behindSince);
          return [layer, { behind: since !== null, since, behind_seconds: seconds }];
        }),
      ),
      writes_pending: pending ?? null,
      last_error: this.#lastError,
    };
  }

  #statusWith(snapshot: string | undefined, broken: readonly string[]): Readiness['status'] {
    if (this.phase !== 'running') return this.phase;
    if (snapshot === undefined) return 'unavailable';
    return broken.length > 0 ? 'degraded' : 'ready';
  }
}

/** Adds the routes of monitors. They have no rate limit. */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  const add = (url: string, answer: () => Answer | Promise<Answer>) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { kind: 'probe' },
      handler: async (_request, reply) => {
        sendAnswer(reply, await answer());
        return reply;
      },
    });
  add(healthPath, () => uncached(200, { status: 'ok' }));
  add(readinessPath, async () => {
    const readiness = await health.readiness();
    return uncached(isReady(readiness.status) ? 200 : problems['snapshot-unavailable'].status, readiness);
  });
}

const secondsBetween = (since: Date, now: number): number =>
  Math.max(0, Math.round(now - since.getTime()) / 1000);

function uncached(status: number, document: object): Answer {
  const body = new TextEncoder().encode(`${JSON.stringify(document)}\n`);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
  };
  return { status, headers, body };
}

interface FolderLook {
  /** The id of the snapshot and when it was put in place; undefined if there is no valid manifest. */
  snapshot: { id: string; since: Date } | undefined;
  /** When the first snapshot that a layer lacks was put in place, as far as earlier looks saw; undefined if it lacks none. */
  layers: ReadonlyMap<LayerName, Date | undefined>;
}

/** Looks into a folder. A look costs a few microseconds while nothing changes. */
export class FolderStatus {
  readonly #manifest: () => Parsed<{ snapshot: string }>;
  readonly #indexes: ReadonlyMap<LayerName, () => Parsed<{ snapshot: string; isPending: boolean }>>;
  /** Layers that the last look found behind: the snapshot that they have, and since when. */
  readonly #behind = new Map<LayerName, { has: string | undefined; since: Date }>();

  /** @param layers the layers that are kept up to date in this folder */
  constructor(root: string, layers: readonly LayerName[]) {
    this.#manifest = parsedFile(join(root, manifestPath), (bytes) => parseManifest(bytes, nodeDigest));
    this.#indexes = new Map(
      layers.map((layer) => [layer, parsedFile(join(root, layerIndexPath(layer)), indexParser(layer))]),
    );
  }

  look(): FolderLook {
    const { value, modified } = this.#manifest();
    const snapshot = value && { id: value.snapshot, since: modified };
    const layers = new Map(
      [...this.#indexes].map(([layer, read]) => {
        const { value: index, modified: updated } = read();
        const isCurrent = index !== undefined && index.snapshot === snapshot?.id;
        if (isCurrent && !index.isPending) this.#behind.delete(layer);
        else this.#noteBehind(layer, index?.snapshot, isCurrent ? updated : modified);
        return [layer, this.#behind.get(layer)?.since] as const;
      }),
    );
    return { snapshot, layers };
  }

  /** The snapshot that a file was made from; undefined for the site, which is the same for all, and for other files. */
  snapshotOf(path: string): string | undefined {
    const layer = path === manifestPath || path.startsWith('shards/') ? 'site' : layerOf(path);
    return layer === 'site' ? undefined : this.#indexes.get(layer)?.().value?.snapshot;
  }

  #noteBehind(layer: LayerName, has: string | undefined, since: Date): void {
    const before = this.#behind.get(layer);
    // A layer with another snapshot than before has been up to date in between.
    if (before === undefined || before.has !== has) this.#behind.set(layer, { has, since });
  }
}

const indexParser =
  (layer: LayerName) =>
  (bytes: Uint8Array): { snapshot: string; isPending: boolean } | undefined => {
    const index = parseLayerIndex(layer, bytes, nodeDigest);
    return index && { snapshot: index.manifest.snapshot, isPending: index.pending !== undefined };
  };

interface Parsed<T> {
  /** undefined if there is no such file, or not a valid one. */
  value: T | undefined;
  modified: Date;
}

/** A function that reads a file, and parses it again only when it was replaced. */
function parsedFile<T>(file: string, parse: (bytes: Uint8Array) => T | undefined): () => Parsed<T> {
  let state = '';
  let parsed: Parsed<T> = { value: undefined, modified: new Date(0) };
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const current = stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : '';
    if (current !== state) {
      const bytes = readIfPresent(file);
      parsed = { value: bytes && parse(bytes), modified: stats?.mtime ?? new Date() };
      state = current;
    }
    return parsed;
  };
}
