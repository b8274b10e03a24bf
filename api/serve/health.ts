/** The state of the service for monitors: `/healthz` and `/readyz`. docs/operations.md describes them. */
import type { LayerName } from '../contract/layers.ts';
import { problems, publicReason } from '../contract/problems.ts';
import { type Answer, methodNotAllowed } from '../read/answer.ts';
import type { AnswerCacheState } from '../read/answer-cache.ts';
import type { FolderStatus } from './folder-status.ts';

/** Answers as long as the process answers anything. */
const healthPath = '/healthz';
const readinessPath = '/readyz';

/** Whether a path is for monitors. No file of a build has such a name. */
export const isProbe = (path: string): boolean => path === healthPath || path === readinessPath;

/** A finished or failed build of the snapshot. */
export interface BuildReport {
  seconds: number;
  /** Why the build failed. */
  problem?: string;
}

/** What the service tells about itself. */
export interface ServiceState {
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
  readonly #folder: FolderStatus;
  /** Of the service, as soon as it is made. */
  state: ServiceState | undefined;
  #lastError: { time: Date; message: string } | undefined;
  /** The first of the builds that failed since the last success. */
  #failing: { since: Date; problem: string } | undefined;

  constructor(folder: FolderStatus) {
    this.#folder = folder;
  }

  failed(error: unknown): void {
    this.#lastError = { time: new Date(), message: publicReason(error) };
  }

  /** Notes a build. The first one ends the start. */
  built({ problem }: BuildReport): void {
    if (this.phase === 'starting') this.phase = 'running';
    this.#failing =
      problem === undefined ? undefined : { since: this.#failing?.since ?? new Date(), problem };
  }

  /** The answer to a request for one of the two addresses. */
  async answer(method: string | undefined, path: string): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(method, ['GET', 'HEAD']);
    if (path === healthPath) return uncached(200, { status: 'ok' });
    const readiness = await this.readiness();
    return uncached(isReady(readiness.status) ? 200 : problems['snapshot-unavailable'].status, readiness);
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
    const look = await attempt('the folder', () => this.#folder.look());
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
    return {
      status: this.#statusWith(id, broken),
      problems: broken,
      snapshot:
        id === undefined || snapshot === undefined
          ? null
          : { id, since: snapshot.since.toISOString(), age_seconds: secondsBetween(snapshot.since, now) },
      layers: Object.fromEntries(
        [...layers].map(([layer, since]) => [
          layer,
          {
            behind: since !== undefined,
            since: since?.toISOString() ?? null,
            behind_seconds: since ? secondsBetween(since, now) : 0,
          },
        ]),
      ),
      writes_pending: pending ?? null,
      last_error: this.#lastError
        ? { time: this.#lastError.time.toISOString(), message: this.#lastError.message }
        : null,
    };
  }

  #statusWith(snapshot: string | undefined, broken: readonly string[]): Readiness['status'] {
    if (this.phase !== 'running') return this.phase;
    if (snapshot === undefined) return 'unavailable';
    return broken.length > 0 ? 'degraded' : 'ready';
  }
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
