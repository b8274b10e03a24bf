/**
 * Publishes the snapshot in a folder to a Netlify site, from a frozen copy. One publisher per folder; Netlify gets only the
 * files it lacks, and shows all of a deploy or nothing; an older snapshot never replaces a newer one. After an interruption the
 * next publish resumes the deploy if the files are still the same.
 *
 * Where many pages are missing, the first deploy leaves the pages out, and the second one has everything: the host computes
 * the answers while the pages are uploaded.
 */
import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { layerOf } from '../../api/contract/layers.ts';
import { RetryLaterError, type RequestOptions, Requests } from '../system/requests.ts';
import { UserError } from '../system/messages.ts';
import { type ContentOptions, type Contents, openContents, withoutPages } from './contents.ts';
import { formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import { type LiveSite, type Plan, planOf, readLiveSite, waitUntilLive } from './live-site.ts';
import { type Account, type Deploy, Netlify, NetlifyError, readConfiguration, type Site } from './netlify.ts';
import { type PublishState, withPublishState } from './state.ts';

export interface SourceOptions extends Omit<ContentOptions, 'configuration' | 'freeze'> {
  /** Folder of netlify.toml and .netlify. Default the working directory. */
  project?: string | undefined;
  /** Where more pages are missing, a first deploy leaves the pages out. Default 2,000, the uploads of four minutes. */
  maxMissingPages?: number | undefined;
}

export interface PublishOptions extends Account, SourceOptions {
  /** Replace the live deploy even if it is newer or not comparable. */
  force?: boolean | undefined;
  /** Called when a first deploy without pages is live. */
  onFirstDeploy?: ((report: PublishReport) => void) | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  /** Attempts, time limits, and the signal that stops it; the next publish resumes the deploy. */
  retry?: RequestOptions | undefined;
  /** Milliseconds between the starts of two deploys, at least, in all processes. Default 20,000. */
  interval?: number | undefined;
  /** Milliseconds to wait for another publisher of the folder. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds until the site shows a ready deploy. Default 60,000. */
  liveTimeoutMs?: number | undefined;
}

interface Delivery {
  deploy: string;
  /** An earlier publish began this deploy. */
  resumed: boolean;
  /** Files sent, in all deploys, and their bytes. */
  uploaded: number;
  bytes: number;
}

export interface PublishReport extends Delivery {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** "nothing": the site showed it already. */
  scope: 'nothing' | 'deploy';
  /** Files of the last deploy. */
  files: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** Netlify takes three deploys a minute. */
export const deployIntervalMs = 20_000;
/** netlify-cli has the same limit. */
const concurrentUploads = 5;
const concurrentReads = 16;

const acceptedStates = ['prepared', 'uploading', 'uploaded', 'processing', 'ready'];

/** Netlify identifies a file by this digest, in hexadecimal. */
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/**
 * Publishes, and waits until the site shows the snapshot.
 * @throws RetryLaterError if a later publish may succeed; UserError if not. The site still shows what it showed before, unless
 *   the message says otherwise.
 */
export function publish(options: PublishOptions): Promise<PublishReport> {
  const requests = new Requests(options.retry);
  return withPublishState(options.out, requests, options.timeoutMs, async (state, folder) => {
    const publication = new Publication(options, requests, state);
    const freeze = { folder, without: publication.sent };
    return publication.run(await openContents({ ...sourceOf(options), freeze }, requests));
  });
}

/** What publish() would do. It changes nothing. @throws like publish() */
export async function planPublish(options: PublishOptions): Promise<Plan> {
  const requests = new Requests(options.retry);
  const contents = await openContents(sourceOf(options), requests);
  const site = await new Netlify(options, requests).site();
  requireReplaceable(site, contents, options);
  // A site does not show its configuration.
  const same = { snapshot: contents.title.snapshot, files: hashesOf(contents) };
  const live = isShown(site, contents) ? same : await readLiveSite(site.address);
  return planOf(stepsOf(contents, live, options), site.address, live);
}

/** What the first publish to an empty site would do. It needs neither an account nor the network. @throws like publish() */
export async function planFirstPublish(options: SourceOptions): Promise<Plan> {
  const contents = await openContents(sourceOf(options), new Requests());
  return planOf(stepsOf(contents, emptySite, options), undefined, emptySite);
}

const emptySite: LiveSite = { snapshot: undefined, files: new Map() };

const hashesOf = ({ files }: Contents) => new Map([...files].map(([path, { hash }]) => [path, hash]));

const sourceOf = ({ project = process.cwd(), ...options }: SourceOptions): ContentOptions => ({
  ...options,
  configuration: readConfiguration(project),
});

/** The contents of each deploy: without the pages first, if many of them are missing. */
function stepsOf(contents: Contents, live: LiveSite, { maxMissingPages = 2000 }: SourceOptions): Contents[] {
  const missing = [...contents.files].filter(
    ([path, { hash }]) => layerOf(path) === 'pages' && live.files.get(path) !== hash,
  );
  return missing.length > maxMissingPages ? [withoutPages(contents), contents] : [contents];
}

const isShown = ({ live }: Site, { title }: Contents): boolean => live?.title === formatTitle(title);

/** @throws UserError if the snapshot must not replace the live deploy */
function requireReplaceable({ name, live }: Site, { title }: Contents, { force }: PublishOptions): void {
  if (live?.locked)
    throw new UserError(
      `${name} is locked to the deploy it shows; start auto publishing again under its Deploys, then publish`,
    );
  if (force || live === undefined) return;
  const shown = parseTitle(live.title);
  if (shown === undefined)
    throw new UserError(`${name} shows files that "awards publish" did not upload; --force replaces them`);
  refuseOlder(shown, title, name);
}

class Publication {
  /** contentHash → SHA-1 of the contents that the site has. */
  readonly sent: ReadonlyMap<string, string>;
  readonly #options: PublishOptions;
  readonly #requests: Requests;
  readonly #state: PublishState;
  readonly #netlify: Netlify;
  /** Whether the deploy may be live, or become live, although it failed. */
  #mayBeLive = false;

  constructor(options: PublishOptions, requests: Requests, state: PublishState) {
    this.#options = options;
    this.#requests = requests;
    this.#state = state;
    this.#netlify = new Netlify(options, requests);
    const { site, digests } = state.sent;
    this.sent = new Map(Object.entries(site === options.site ? digests : {}));
  }

  async run(contents: Contents): Promise<PublishReport> {
    const { onFirstDeploy } = this.#options;
    const site = await this.#netlify.site();
    requireReplaceable(site, contents, this.#options);
    // Without a live page every page is missing: only then does it matter what the site shows.
    const needsLook = !isShown(site, contents) && stepsOf(contents, emptySite, this.#options).length > 1;
    const live = needsLook ? await readLiveSite(site.address) : undefined;
    const [first, last] = live ? stepsOf(contents, live, this.#options) : [contents];
    const report = await this.#publish(first!, site);
    if (last === undefined) return report;
    if (report.scope === 'deploy') onFirstDeploy?.(report);
    const { uploaded, bytes, ...second } = await this.#publish(last, await this.#netlify.site());
    return { ...second, uploaded: report.uploaded + uploaded, bytes: report.bytes + bytes };
  }

  async #publish(contents: Contents, site: Site): Promise<PublishReport> {
    const { title, behind, files } = contents;
    const scope = isShown(site, contents) ? 'nothing' : 'deploy';
    const delivery =
      scope === 'nothing'
        ? { deploy: site.live!.id, uploaded: 0, bytes: 0, resumed: false }
        : await this.#deliver(contents).catch((error: unknown) => {
            throw this.#explained(error, site);
          });
    const { snapshot } = title;
    await waitUntilLive(site.address, snapshot, this.#options.liveTimeoutMs ?? 60_000, this.#requests);
    return { snapshot, site: site.address, scope, files: files.size, behind, ...delivery };
  }

  /** The error of a deploy with what the site shows now. */
  #explained(error: unknown, { name, live }: Site): unknown {
    if (!(error instanceof RetryLaterError) && !(error instanceof NetlifyError)) return error;
    const title = parseTitle(live?.title ?? '');
    const shown = title ? `snapshot ${title.snapshot}` : live ? `deploy ${live.id}` : 'nothing';
    const outcome = this.#mayBeLive
      ? 'the deploy may still go live by itself'
      : `${name} still shows ${shown}`;
    const ErrorType = error instanceof RetryLaterError ? RetryLaterError : UserError;
    return new ErrorType(`${error.message}; ${outcome}`, { cause: error });
  }

  /**
   * Creates a deploy, sets its files, uploads what Netlify lacks, and waits until it is ready.
   * @throws RetryLaterError: the next publish of the same files resumes the deploy. UserError: the deploy is cancelled, except
   *   after an answer 401, which prevents it.
   */
  async #deliver(contents: Contents): Promise<Delivery> {
    const digests = await this.#digestsOf(contents);
    const files = new Map([...contents.files].map(([path, { hash }]) => [path, digests.get(hash)!]));
    const unfinished = await this.#unfinished(contents);
    const deploy = unfinished?.id ?? (await this.#create(contents));
    try {
      const isAccepted = unfinished && acceptedStates.includes(unfinished.state);
      const required = isAccepted ? unfinished.required : await this.#setFiles(deploy, files, contents);
      const sent = await this.#upload(deploy, required, files, contents);
      await this.#waitForState(deploy, ['ready']);
      this.#state.notes = { ...this.#state.notes, unfinished: undefined };
      this.#state.sent = { site: this.#options.site, digests: Object.fromEntries(digests) };
      return { deploy, resumed: unfinished !== undefined, ...sent };
    } catch (error) {
      const isFinal = error instanceof UserError && !(error instanceof RetryLaterError);
      if (isFinal && !(error instanceof NetlifyError && error.status === 401)) await this.#cancel(deploy);
      throw error;
    }
  }

  /** contentHash → SHA-1 of every content. Only those that the site lacks are read. */
  async #digestsOf({ files, read }: Contents): Promise<Map<string, string>> {
    const paths = new Map([...files].map(([path, { hash }]) => [hash, path]));
    const digests = new Map([...paths.keys()].map((hash) => [hash, this.sent.get(hash) ?? '']));
    const missing = [...paths].filter(([hash]) => digests.get(hash) === '');
    let done = 0;
    await inParallel(concurrentReads, missing, async ([hash, path]) => {
      digests.set(hash, sha1(await read(path)));
      done += 1;
      if (done % 512 === 0) this.#options.onProgress?.('hashing', done, missing.length);
    });
    return digests;
  }

  /** The deploy to resume. */
  async #unfinished({ title }: Contents): Promise<Deploy | undefined> {
    const { unfinished } = this.#state.notes;
    if (unfinished?.site !== this.#options.site) return undefined;
    const deploy = await this.#netlify.deploy(unfinished.deploy).catch((error: unknown) => {
      if (error instanceof NetlifyError && error.status === 404) return undefined;
      throw error;
    });
    if (deploy === undefined || deploy.state === 'error' || deploy.state === 'ready') return undefined;
    if (unfinished.title === formatTitle(title)) return deploy;
    await this.#cancel(deploy.id);
    return undefined;
  }

  async #create({ title }: Contents): Promise<string> {
    const { site, interval = deployIntervalMs } = this.#options;
    // After the clock was set back, wait no longer than the interval.
    const last = Math.min(this.#state.notes.lastDeploy ?? 0, Date.now());
    await this.#requests.waitUntil(last + interval, 'waiting for the interval between deploys');
    this.#state.notes = { lastDeploy: Date.now() };
    const deploy = await this.#netlify.createDeploy(formatTitle(title));
    this.#state.notes = { lastDeploy: Date.now(), unfinished: { site, deploy, title: formatTitle(title) } };
    return deploy;
  }

  /** Call it before each request that may make the deploy live. @throws UserError to stop it */
  async #becomesLive(contents: Contents): Promise<void> {
    requireReplaceable(await this.#netlify.site(), contents, this.#options);
    this.#mayBeLive = true;
  }

  /** @returns the SHA-1 of each file to upload */
  async #setFiles(deploy: string, files: ReadonlyMap<string, string>, contents: Contents) {
    // If no upload is needed, this request makes the deploy live.
    await this.#becomesLive(contents);
    await this.#netlify.setFiles(deploy, files);
    return (await this.#waitForState(deploy, acceptedStates)).required;
  }

  async #upload(
    deploy: string,
    required: readonly string[],
    files: ReadonlyMap<string, string>,
    contents: Contents,
  ): Promise<Pick<Delivery, 'uploaded' | 'bytes'>> {
    const paths = new Map([...files].reverse().map(([path, digest]) => [digest, path]));
    const digests = [...new Set(required)];
    const total = digests.length;
    this.#mayBeLive = total === 0;
    const last = digests.pop();
    const done = { uploaded: 0, bytes: 0 };
    const send = async (digest: string) => {
      const path = paths.get(digest);
      if (path === undefined || this.sent.has(contents.files.get(path)!.hash)) {
        // It is not in the frozen copy. The next publish knows no content that the site has.
        this.#state.sent = { digests: {} };
        throw new RetryLaterError(`Netlify asks for ${path ?? digest}, which it had; publish again`);
      }
      const bytes = await contents.read(path);
      await this.#netlify.upload(deploy, path, bytes);
      done.uploaded += 1;
      done.bytes += bytes.length;
      this.#options.onProgress?.('uploading', done.uploaded, total);
    };
    await inParallel(concurrentUploads, digests, send);
    if (last === undefined) return done;
    // The last upload makes the deploy live, possibly hours after the first.
    await this.#becomesLive(contents);
    await send(last);
    return done;
  }

  async #waitForState(id: string, states: readonly string[]): Promise<Deploy> {
    const deploy = await this.#requests.poll('waiting for Netlify', async () => {
      const now = await this.#netlify.deploy(id);
      if (now.state !== 'error') return states.includes(now.state) ? now : undefined;
      this.#mayBeLive = false;
      const reason = now.message || 'it gives no reason';
      throw new RetryLaterError(`Netlify could not complete the deploy ${id}: ${reason}; publish again`);
    });
    return deploy!;
  }

  async #cancel(deploy: string): Promise<void> {
    this.#state.notes = { ...this.#state.notes, unfinished: undefined };
    // If this fails: the deploy still lacks files, so it cannot go live.
    await this.#netlify.cancel(deploy).catch(() => {});
  }
}

/** Calls `work` with every item, `workers` at a time. @throws the first error, when all running calls have ended */
async function inParallel<T>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: workers });
  const clear = (error: unknown) => {
    queue.clear();
    throw error;
  };
  await queue.addAll(items.map((item) => () => work(item).catch(clear))).finally(() => queue.onIdle());
}
