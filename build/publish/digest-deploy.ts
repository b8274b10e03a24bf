/**
 * One deploy: create it, set its files, upload what Netlify lacks, and wait until it is ready. Netlify shows all of a deploy or
 * nothing. After an interruption the next publish resumes the deploy if the files are still the same.
 */
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { UserError } from '../../data/user-error.ts';
import { type Deploy, type Netlify, NetlifyError } from './netlify.ts';
import { inParallel, type PublishState, sha1 } from './publish-state.ts';
import { RetryLaterError, type RetryPolicy } from './retry-policy.ts';
import { SnapshotChanged } from './snapshot-folder.ts';

export interface Proposal {
  site: string;
  title: string;
  /** Path → SHA-1 of every file. */
  files: ReadonlyMap<string, string>;
  /** @throws SnapshotChanged if the file no longer has this SHA-1 */
  read(path: string, digest: string): Promise<Uint8Array>;
  /** Called before each request that may make the deploy live. @throws UserError to stop it */
  beforeLive(): Promise<void>;
}

export interface Delivery {
  deploy: string;
  /** An earlier publish began this deploy. */
  resumed: boolean;
  uploaded: number;
  /** Bytes uploaded. */
  bytes: number;
}

/** The same limits as in netlify-cli. */
const concurrentUploads = 5;
const maxForegroundFiles = 100;

const acceptedStates = new Set(['prepared', 'uploading', 'uploaded', 'processing', 'ready']);

export class DigestDeploy {
  readonly #netlify: Netlify;
  readonly #retry: RetryPolicy;
  readonly #state: PublishState;
  /** Milliseconds between the starts of two deploys, at least. */
  readonly #interval: number;
  #mayBeLive = false;

  constructor(netlify: Netlify, retry: RetryPolicy, state: PublishState, interval: number) {
    this.#netlify = netlify;
    this.#retry = retry;
    this.#state = state;
    this.#interval = interval;
  }

  /** After an error of deliver(): whether the deploy may be live, or become live, all the same. */
  get mayBeLive(): boolean {
    return this.#mayBeLive;
  }

  /**
   * @throws RetryLaterError: the next call resumes the deploy. SnapshotChanged, UserError: the deploy is cancelled, except after
   *   an error 401, which prevents it.
   */
  async deliver(proposal: Proposal, onProgress?: (done: number, total: number) => void): Promise<Delivery> {
    const unfinished = await this.#unfinished(proposal);
    const id = unfinished?.id ?? (await this.#create(proposal));
    try {
      const accepted =
        unfinished && acceptedStates.has(unfinished.state) ? unfinished : await this.#setFiles(id, proposal);
      const sent = await this.#upload(accepted, proposal, onProgress);
      await this.#waitForState(id, new Set(['ready']), 'waiting for the deploy to go live');
      this.#state.writeNotes({ ...this.#state.readNotes(), unfinished: undefined });
      return { deploy: id, resumed: unfinished !== undefined, ...sent };
    } catch (error) {
      const isFinal =
        error instanceof SnapshotChanged ||
        (error instanceof UserError && !(error instanceof RetryLaterError));
      if (isFinal && !(error instanceof NetlifyError && error.status === 401)) await this.#cancel(id);
      throw error;
    }
  }

  /** The deploy to resume. */
  async #unfinished(proposal: Proposal): Promise<Deploy | undefined> {
    const { unfinished } = this.#state.readNotes();
    if (unfinished?.site !== proposal.site) return undefined;
    const deploy = await this.#ask(unfinished.deploy).catch((error: unknown) => {
      if (error instanceof NetlifyError && error.status === 404) return undefined;
      throw error;
    });
    if (deploy === undefined || deploy.state === 'error' || deploy.state === 'ready') return undefined;
    if (unfinished.proposal === hashOf(proposal)) return deploy;
    await this.#cancel(deploy.id);
    return undefined;
  }

  async #create(proposal: Proposal): Promise<string> {
    const what = 'beginning a deploy';
    const { clock } = this.#retry;
    const { lastDeploy = 0 } = this.#state.readNotes();
    // After the clock was set back, wait no longer than the interval.
    await this.#retry.sleep(Math.min(this.#interval, lastDeploy + this.#interval - clock.now()), what);
    this.#state.writeNotes({ lastDeploy: clock.now() });
    // If the answer is lost, an empty deploy remains; it never goes live.
    const deploy = await this.#retry.run(what, (signal) =>
      this.#netlify.createDeploy(proposal.title, signal),
    );
    const unfinished = { site: proposal.site, deploy, proposal: hashOf(proposal) };
    this.#state.writeNotes({ lastDeploy: clock.now(), unfinished });
    return deploy;
  }

  /** @returns the deploy with the digests to upload */
  async #setFiles(id: string, { files, beforeLive }: Proposal): Promise<Deploy> {
    // If no upload is needed, this request makes the deploy live.
    await beforeLive();
    this.#mayBeLive = true;
    let isRetry = false;
    await this.#retry.run('sending the list of files', async (signal) => {
      // The first attempt may have succeeded without an answer; Netlify takes no second list then.
      if (isRetry && (await this.#netlify.deploy(id, signal)).state !== 'new') return;
      isRetry = true;
      await this.#netlify.setFiles(id, files, files.size > maxForegroundFiles, signal);
    });
    // The answer itself may be empty.
    return this.#waitForState(id, acceptedStates, 'waiting for the list of files to upload');
  }

  async #upload(
    { id, required }: Deploy,
    { files, read, beforeLive }: Proposal,
    onProgress: ((done: number, total: number) => void) | undefined,
  ): Promise<{ uploaded: number; bytes: number }> {
    const paths = new Map<string, string>();
    for (const [path, digest] of files) if (!paths.has(digest)) paths.set(digest, path);
    const digests = [...new Set(required)];
    const total = digests.length;
    this.#mayBeLive = total === 0;
    const last = digests.pop();
    let [uploaded, bytes] = [0, 0];
    const send = async (digest: string) => {
      const path = paths.get(digest);
      if (path === undefined)
        throw new UserError(`Netlify asks for a file that is not part of the deploy (${digest})`);
      const content = await read(path, digest);
      if (sha1(content) !== digest) throw new SnapshotChanged(`${path} changed while it was being published`);
      await this.#retry.run(`uploading ${path}`, (signal) => this.#netlify.upload(id, path, content, signal));
      uploaded += 1;
      bytes += content.length;
      onProgress?.(uploaded, total);
    };
    await inParallel(concurrentUploads, digests, send);
    if (last !== undefined) {
      // The last upload makes the deploy live, possibly hours after the first.
      await beforeLive();
      this.#mayBeLive = true;
      await send(last);
    }
    return { uploaded, bytes };
  }

  async #waitForState(id: string, states: ReadonlySet<string>, what: string): Promise<Deploy> {
    const deploy = await this.#retry.poll(what, async () => {
      const now = await this.#ask(id);
      if (now.state === 'error') {
        this.#mayBeLive = false;
        throw new RetryLaterError(
          `Netlify could not complete the deploy ${id}: ${now.message || 'it gives no reason'}`,
        );
      }
      return states.has(now.state) ? now : undefined;
    });
    return deploy!;
  }

  #ask(id: string): Promise<Deploy> {
    return this.#retry.run('asking about the deploy', (signal) => this.#netlify.deploy(id, signal));
  }

  async #cancel(id: string): Promise<void> {
    const { unfinished: _unfinished, ...notes } = this.#state.readNotes();
    this.#state.writeNotes(notes);
    try {
      await this.#retry.run('cancelling a deploy', (signal) => this.#netlify.cancel(id, signal));
    } catch {
      // The deploy still lacks files, so it cannot go live.
    }
  }
}

/** Identifies a proposal. */
function hashOf({ title, files }: Proposal): string {
  return contentHash(Buffer.from(JSON.stringify([title, [...files]])), nodeDigest);
}
