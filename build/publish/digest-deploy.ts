/**
 * One deploy: create it, set its files, upload what Netlify lacks, and wait until it is ready. Netlify shows all of a deploy or
 * nothing. After an interruption the next publish resumes the deploy if the files are still the same.
 */
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { UserError } from '../system/user-error.ts';
import { type Deploy, type Netlify, NetlifyError } from './netlify.ts';
import { inParallel, type PublishState, sha1 } from './publish-state.ts';
import { RetryLaterError, type RetryPolicy } from '../system/retry-policy.ts';
import { SnapshotChanged } from './snapshot-folder.ts';

interface Proposal {
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
  bytes: number;
}

/** netlify-cli has the same limit. */
const concurrentUploads = 5;

const acceptedStates = new Set(['prepared', 'uploading', 'uploaded', 'processing', 'ready']);

interface DeployContext {
  netlify: Netlify;
  retry: RetryPolicy;
  state: PublishState;
  /** Milliseconds between the starts of two deploys, at least. */
  interval: number;
}

export class DigestDeploy {
  readonly #context: DeployContext;
  readonly #proposal: Proposal;
  /** After an error: whether the deploy may be live, or become live, all the same. */
  mayBeLive = false;

  constructor(context: DeployContext, proposal: Proposal) {
    this.#context = context;
    this.#proposal = proposal;
  }

  /**
   * @throws RetryLaterError: the next deploy of the same files resumes this one. SnapshotChanged, UserError: the deploy is
   *   cancelled, except after an answer 401, which prevents it.
   */
  async deliver(onProgress?: (done: number, total: number) => void): Promise<Delivery> {
    const { state } = this.#context;
    const unfinished = await this.#unfinished();
    const id = unfinished?.id ?? (await this.#create());
    try {
      const isAccepted = unfinished && acceptedStates.has(unfinished.state);
      const sent = await this.#upload(isAccepted ? unfinished : await this.#setFiles(id), onProgress);
      await this.#waitForState(id, new Set(['ready']));
      state.writeNotes({ ...state.readNotes(), unfinished: undefined });
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
  async #unfinished(): Promise<Deploy | undefined> {
    const { netlify, state } = this.#context;
    const { unfinished } = state.readNotes();
    if (unfinished?.site !== this.#proposal.site) return undefined;
    const deploy = await netlify.deploy(unfinished.deploy).catch((error: unknown) => {
      if (error instanceof NetlifyError && error.status === 404) return undefined;
      throw error;
    });
    if (deploy === undefined || deploy.state === 'error' || deploy.state === 'ready') return undefined;
    if (unfinished.proposal === hashOf(this.#proposal)) return deploy;
    await this.#cancel(deploy.id);
    return undefined;
  }

  async #create(): Promise<string> {
    const { netlify, retry, state, interval } = this.#context;
    const { site, title } = this.#proposal;
    const { lastDeploy = 0 } = state.readNotes();
    // After the clock was set back, wait no longer than the interval.
    const pause = Math.min(interval, lastDeploy + interval - retry.clock.now());
    await retry.sleep(pause, 'waiting for the interval between deploys');
    state.writeNotes({ lastDeploy: retry.clock.now() });
    const deploy = await netlify.createDeploy(title);
    const unfinished = { site, deploy, proposal: hashOf(this.#proposal) };
    state.writeNotes({ lastDeploy: retry.clock.now(), unfinished });
    return deploy;
  }

  /** @returns the deploy with the digests to upload */
  async #setFiles(id: string): Promise<Deploy> {
    // If no upload is needed, this request makes the deploy live.
    await this.#proposal.beforeLive();
    this.mayBeLive = true;
    await this.#context.netlify.setFiles(id, this.#proposal.files);
    return this.#waitForState(id, acceptedStates);
  }

  async #upload(
    { id, required }: Deploy,
    onProgress: ((done: number, total: number) => void) | undefined,
  ): Promise<{ uploaded: number; bytes: number }> {
    const { files, read, beforeLive } = this.#proposal;
    const paths = new Map<string, string>();
    for (const [path, digest] of files) if (!paths.has(digest)) paths.set(digest, path);
    const digests = [...new Set(required)];
    const total = digests.length;
    this.mayBeLive = total === 0;
    const last = digests.pop();
    let [uploaded, bytes] = [0, 0];
    const send = async (digest: string) => {
      const path = paths.get(digest);
      if (path === undefined)
        throw new UserError(`Netlify asks for a file that is not part of the deploy (${digest})`);
      const content = await read(path, digest);
      if (sha1(content) !== digest) throw new SnapshotChanged(`${path} changed while it was being published`);
      await this.#context.netlify.upload(id, path, content);
      uploaded += 1;
      bytes += content.length;
      onProgress?.(uploaded, total);
    };
    await inParallel(concurrentUploads, digests, send);
    if (last !== undefined) {
      // The last upload makes the deploy live, possibly hours after the first.
      await beforeLive();
      this.mayBeLive = true;
      await send(last);
    }
    return { uploaded, bytes };
  }

  async #waitForState(id: string, states: ReadonlySet<string>): Promise<Deploy> {
    const { netlify, retry } = this.#context;
    const deploy = await retry.poll('waiting for Netlify', async () => {
      const now = await netlify.deploy(id);
      if (now.state === 'error') {
        this.mayBeLive = false;
        throw new RetryLaterError(
          `Netlify could not complete the deploy ${id}: ${now.message || 'it gives no reason'}; publish again`,
        );
      }
      return states.has(now.state) ? now : undefined;
    });
    return deploy!;
  }

  async #cancel(id: string): Promise<void> {
    const { netlify, state } = this.#context;
    state.writeNotes({ ...state.readNotes(), unfinished: undefined });
    try {
      await netlify.cancel(id);
    } catch {
      // The deploy still lacks files, so it cannot go live.
    }
  }
}

function hashOf({ title, files }: Proposal): string {
  return contentHash(Buffer.from(JSON.stringify([title, [...files]])), nodeDigest);
}
