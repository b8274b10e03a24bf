/**
 * One deploy, from a list of digests to live: begin it, tell what it consists of, send what the host lacks, wait until it is
 * ready. The host shows all of it or nothing of it. Ended half-way, by whatever, the next run goes on with the same deploy if
 * it still consists of the same files, and else begins another one; what was uploaded counts either way.
 */
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { UserError } from '../../data/user-error.ts';
import type { Clock } from './clock.ts';
import { RetryLaterError, SnapshotChanged } from './failure.ts';
import { type Deploy, type Netlify, Refused } from './netlify.ts';
import type { PublishState } from './publish-state.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { sha1 } from './rules.ts';

export interface Proposal {
  site: string;
  title: string;
  /** Path → SHA-1 of every file. */
  files: ReadonlyMap<string, string>;
  /** @throws SnapshotChanged if the bytes are not those of the proposal any more */
  read(path: string, digest: string): Promise<Uint8Array>;
  /** Called right before the deploy may go live. @throws UserError if it must not */
  mayGoLive(): Promise<void>;
}

export interface Delivery {
  deploy: string;
  /** It was begun by an earlier run. */
  resumed: boolean;
  uploaded: number;
  /** Bytes uploaded. */
  bytes: number;
}

/** Uploads at a time, as many as netlify-cli has. */
const uploaders = 5;
/** The host compares more files than this in the background, as netlify-cli has it do. */
const maxForegroundFiles = 100;

const isProposed = new Set(['prepared', 'uploading', 'uploaded', 'processing', 'ready']);

export class DigestDeploy {
  readonly #netlify: Netlify;
  readonly #persistence: RetryPolicy;
  readonly #memory: PublishState;
  readonly #clock: Clock;
  /** Milliseconds between the beginnings of two deploys, at least. */
  readonly #interval: number;
  #mayBeLive = false;

  constructor(
    netlify: Netlify,
    persistence: RetryPolicy,
    memory: PublishState,
    clock: Clock,
    interval: number,
  ) {
    this.#netlify = netlify;
    this.#persistence = persistence;
    this.#memory = memory;
    this.#clock = clock;
    this.#interval = interval;
  }

  /** Whether the deploy may go live, or has done so, even though deliver() failed. */
  get mayBeLive(): boolean {
    return this.#mayBeLive;
  }

  /** @throws SnapshotChanged, RetryLaterError, UserError, Refused; the deploy is not live then, but may be gone on with */
  async deliver(proposal: Proposal, onProgress?: (done: number, total: number) => void): Promise<Delivery> {
    const unfinished = await this.#unfinished(proposal);
    const id = unfinished?.id ?? (await this.#begin(proposal));
    try {
      const deploy =
        unfinished && isProposed.has(unfinished.state) ? unfinished : await this.#propose(id, proposal);
      const sent = await this.#upload(deploy, proposal, onProgress);
      await this.#untilState(id, new Set(['ready']), 'waiting for the deploy to go live');
      this.#memory.note({ ...this.#memory.notes(), unfinished: undefined });
      return { deploy: id, resumed: unfinished !== undefined, ...sent };
    } catch (error) {
      // What is worth another try is gone on with; everything else would fail again.
      const hopeless =
        error instanceof SnapshotChanged ||
        (error instanceof UserError && !(error instanceof RetryLaterError));
      if (hopeless && !(error instanceof Refused && error.status === 401)) await this.#giveUp(id);
      throw error;
    }
  }

  /** The deploy that an earlier run began and did not end, if it is still of use. */
  async #unfinished(proposal: Proposal): Promise<Deploy | undefined> {
    const { unfinished } = this.#memory.notes();
    if (unfinished === undefined || unfinished.site !== proposal.site) return undefined;
    const deploy = await this.#ask(unfinished.deploy).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    });
    if (deploy === undefined || deploy.state === 'error' || deploy.state === 'ready') return undefined;
    if (unfinished.proposal === hashOf(proposal)) return deploy;
    await this.#giveUp(deploy.id);
    return undefined;
  }

  async #begin(proposal: Proposal): Promise<string> {
    const what = 'beginning a deploy';
    const { lastDeploy = 0 } = this.#memory.notes();
    // A clock that was set back must not make anybody wait for longer than the interval.
    const wait = Math.min(this.#interval, lastDeploy + this.#interval - this.#clock.now());
    await this.#persistence.pause(wait, what);
    this.#memory.note({ lastDeploy: this.#clock.now() });
    // An answer that is lost leaves an empty deploy behind, which never goes live.
    const deploy = await this.#persistence.until(what, (signal) =>
      this.#netlify.create(proposal.title, signal),
    );
    this.#memory.note({
      lastDeploy: this.#clock.now(),
      unfinished: { site: proposal.site, deploy, proposal: hashOf(proposal) },
    });
    return deploy;
  }

  /** @returns the deploy with what it lacks; the answer to the proposal itself may come empty or too early */
  async #propose(id: string, { files, mayGoLive }: Proposal): Promise<Deploy> {
    // With nothing to upload this is what makes it go live.
    await mayGoLive();
    this.#mayBeLive = true;
    let told = false;
    await this.#persistence.until('telling which files there are', async (signal) => {
      // It may have got through though its answer did not, and the deploy may be ready by now: then it takes no other.
      if (told && (await this.#netlify.deploy(id, signal)).state !== 'new') return;
      told = true;
      const inBackground = files.size > maxForegroundFiles;
      await this.#netlify.propose(id, Object.fromEntries(files), inBackground, signal);
    });
    return this.#untilState(id, isProposed, 'waiting for what is to be uploaded');
  }

  async #upload(
    { id, required }: Deploy,
    { files, read, mayGoLive }: Proposal,
    onProgress: ((done: number, total: number) => void) | undefined,
  ): Promise<{ uploaded: number; bytes: number }> {
    const pathOf = new Map<string, string>();
    for (const [path, digest] of files) if (!pathOf.has(digest)) pathOf.set(digest, path);
    const wanted = [...new Set(required)];
    this.#mayBeLive = wanted.length === 0;
    const last = wanted.pop();
    let [uploaded, bytes] = [0, 0];
    const send = async (digest: string) => {
      const path = pathOf.get(digest);
      if (path === undefined)
        throw new UserError(`Netlify asks for a file that is not part of the deploy (${digest})`);
      const content = await read(path, digest);
      if (sha1(content) !== digest) throw new SnapshotChanged(`${path} is not what was proposed any more`);
      await this.#persistence.until(`uploading ${path}`, (signal) =>
        this.#netlify.upload(id, path, content, signal),
      );
      uploaded += 1;
      bytes += content.length;
      onProgress?.(uploaded, wanted.length + 1);
    };
    await inParallel(uploaders, wanted, send);
    if (last !== undefined) {
      // The last one makes it go live; hours may have gone by since the first.
      await mayGoLive();
      this.#mayBeLive = true;
      await send(last);
    }
    return { uploaded, bytes };
  }

  #untilState(id: string, states: ReadonlySet<string>, what: string): Promise<Deploy> {
    return this.#persistence.poll(what, async () => {
      const deploy = await this.#ask(id);
      if (deploy.state === 'error') {
        this.#mayBeLive = false;
        throw new RetryLaterError(
          `Netlify could not make the deploy ${id}: ${deploy.message || 'it does not say why'}`,
        );
      }
      return states.has(deploy.state) ? deploy : undefined;
    });
  }

  #ask(id: string): Promise<Deploy> {
    return this.#persistence.until('asking about the deploy', (signal) => this.#netlify.deploy(id, signal));
  }

  /** Takes back a deploy that must not go live. */
  async #giveUp(id: string): Promise<void> {
    const { unfinished: _unfinished, ...notes } = this.#memory.notes();
    this.#memory.note(notes);
    try {
      await this.#persistence.until('cancelling a deploy', (signal) => this.#netlify.cancel(id, signal));
    } catch {
      // It lacks files that nobody will send any more: it cannot go live either way.
    }
  }
}

/** What tells one proposal from another. */
function hashOf({ title, files }: Proposal): string {
  return contentHash(Buffer.from(JSON.stringify([title, [...files]])), nodeDigest);
}

/** Works through a list, some at a time. @throws what the first failing piece of work throws, when all under way have ended */
async function inParallel<T>(
  workers: number,
  list: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const items = list.values();
  let failed = false;
  const worker = async () => {
    for (const item of items) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: workers }, worker));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
