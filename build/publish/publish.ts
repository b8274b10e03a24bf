/**
 * Publishes the snapshot in a folder to a Netlify site. One publisher per folder; Netlify gets only the files it lacks; an older
 * snapshot never replaces a newer one. If a build replaces the snapshot meanwhile, publishing starts again with the new one.
 *
 * Where many pages are missing, the first deploy leaves the pages out, and the second one has everything: the host computes
 * the answers while the pages are uploaded.
 */
import { UserError } from '../system/user-error.ts';
import { formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import { type Delivery, DigestDeploy } from './digest-deploy.ts';
import { type Plan, planOf, readLiveSite, waitUntilLive } from './live-site.ts';
import { type Account, Netlify, NetlifyError, readConfiguration, type Site } from './netlify.ts';
import { digestsOf, PublishState } from './publish-state.ts';
import { RetryLaterError, type RetryOptions, RetryPolicy } from '../system/retry-policy.ts';
import {
  type Listing,
  type OpenOptions,
  requireFolder,
  restartOnChange,
  SnapshotFolder,
} from './snapshot-folder.ts';

export interface ContentOptions extends Omit<OpenOptions, 'configuration'> {
  /** Folder of the snapshot. */
  out: string;
  /** Folder of netlify.toml and .netlify. Default the working directory. */
  project?: string | undefined;
  /** Where more pages are missing, a first deploy leaves the pages out. Default 2,000, the uploads of four minutes. */
  maxMissingPages?: number | undefined;
}

export interface PublishOptions extends Account, ContentOptions {
  /** Replace the live deploy even if it is newer or not comparable. */
  force?: boolean | undefined;
  /** Called when a first deploy without pages is live. */
  onFirstDeploy?: ((report: PublishReport) => void) | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  /** Attempts, time limits, clock, and the signal that stops it; the next publish resumes the deploy. */
  retry?: Partial<RetryOptions> | undefined;
  /** Milliseconds between the starts of two deploys, at least, in all processes. Default 20,000. */
  interval?: number | undefined;
  /** Milliseconds to wait for another publisher of the folder. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds until the site shows a ready deploy. Default 60,000. */
  liveTimeoutMs?: number | undefined;
}

export interface PublishReport {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** "nothing": the site showed it already. */
  scope: 'nothing' | 'deploy';
  /** The last one. */
  deploy: string;
  resumed: boolean;
  /** Files of the last deploy. */
  files: number;
  /** Files sent, in all deploys, and their bytes. */
  uploaded: number;
  bytes: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** Netlify takes three deploys a minute. */
export const deployIntervalMs = 20_000;

/**
 * Publishes, and waits until the site shows the snapshot.
 * @throws RetryLaterError if a later publish may succeed; UserError if not. The site still shows what it showed before, unless
 *   the message says otherwise.
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const publication = new Publication(options);
  requireFolder(options.out);
  const unlock = await publication.state.lock(options.timeoutMs ?? 60_000, publication.retry);
  try {
    return await restartOnChange(options.out, () => publication.run());
  } finally {
    unlock();
  }
}

/** What publish() would do. It changes nothing. @throws like publish() */
export async function planPublish(options: PublishOptions): Promise<Plan> {
  return await restartOnChange(options.out, () => new Publication(options).plan());
}

/** What the first publish to an empty site would do. It needs neither an account nor the network. @throws like publish() */
export async function planFirstPublish(options: ContentOptions): Promise<Plan> {
  return await restartOnChange(options.out, async () => {
    const folder = await openFolder(options, new RetryPolicy());
    const plan = planOf(stepsOf(folder, new Map(), options), new Map(), false);
    const { snapshot } = folder.manifest;
    return { snapshot, site: undefined, live: undefined, ...plan, behind: folder.behind };
  });
}

const openFolder = (
  { out, project = process.cwd(), ...options }: ContentOptions,
  retry: RetryPolicy,
): Promise<SnapshotFolder> =>
  SnapshotFolder.open(out, retry, { ...options, configuration: readConfiguration(project) });

const usualMaxMissingPages = 2000;

/** The files of each deploy: without the pages first, if many of them are missing. */
function stepsOf(
  folder: SnapshotFolder,
  live: Listing,
  { maxMissingPages = usualMaxMissingPages }: ContentOptions,
): SnapshotFolder[] {
  const missing = [...folder.filesOf('pages')].filter(([path, hash]) => live.get(path) !== hash);
  return missing.length > maxMissingPages ? [folder.without('pages'), folder] : [folder];
}

class Publication {
  readonly state: PublishState;
  readonly retry: RetryPolicy;
  readonly #options: PublishOptions;
  readonly #netlify: Netlify;

  constructor(options: PublishOptions) {
    this.#options = options;
    this.state = new PublishState(options.out);
    this.retry = new RetryPolicy(options.retry);
    this.#netlify = new Netlify(options, this.retry);
  }

  async plan(): Promise<Plan> {
    const { folder, site } = await this.#start();
    const live = await readLiveSite(site.address, folder);
    const hasConfiguration = parseTitle(site.live?.title ?? '')?.configuration === folder.title.configuration;
    const plan = planOf(stepsOf(folder, live.files, this.#options), live.files, hasConfiguration);
    const { snapshot } = folder.manifest;
    return { snapshot, site: site.address, live: live.snapshot, ...plan, behind: folder.behind };
  }

  async run(): Promise<PublishReport> {
    const { folder, site } = await this.#start();
    const isLive = site.live?.title === formatTitle(folder.title);
    // Without a live page every page is missing: only then does it matter what the site shows.
    const needsLook = !isLive && stepsOf(folder, new Map(), this.#options).length > 1;
    const steps = needsLook
      ? stepsOf(folder, (await readLiveSite(site.address, folder)).files, this.#options)
      : [folder];
    if (steps.length === 1) return this.#publish(folder, site);
    const first = await this.#publish(steps[0]!, site);
    if (first.scope === 'deploy') this.#options.onFirstDeploy?.(first);
    const last = await this.#publish(folder, await this.#netlify.site());
    return { ...last, uploaded: first.uploaded + last.uploaded, bytes: first.bytes + last.bytes };
  }

  async #start(): Promise<{ folder: SnapshotFolder; site: Site }> {
    const folder = await openFolder(this.#options, this.retry);
    const site = await this.#netlify.site();
    this.#requireReplaceable(site, folder);
    return { folder, site };
  }

  async #publish(folder: SnapshotFolder, site: Site): Promise<PublishReport> {
    const { liveTimeoutMs = 60_000 } = this.#options;
    const { snapshot } = folder.manifest;
    const isLive = site.live?.title === formatTitle(folder.title);
    const delivery = isLive
      ? { deploy: site.live!.id, uploaded: 0, bytes: 0, resumed: false }
      : await this.#deliver(folder, site);
    await waitUntilLive(site.address, snapshot, liveTimeoutMs, this.retry);
    const { size: files } = folder.files;
    const scope = isLive ? 'nothing' : 'deploy';
    return { snapshot, site: site.address, scope, files, behind: folder.behind, ...delivery };
  }

  async #deliver(folder: SnapshotFolder, site: Site): Promise<Delivery> {
    const { onProgress, interval = deployIntervalMs } = this.#options;
    const { digests, held } = await digestsOf(folder, this.state, (...done) =>
      onProgress?.('hashing', ...done),
    );
    const context = { netlify: this.#netlify, retry: this.retry, state: this.state, interval };
    const deploy = new DigestDeploy(context, {
      site: this.#options.site,
      title: formatTitle(folder.title),
      files: digests,
      read: async (path, digest) => held.get(digest) ?? folder.read(path),
      beforeLive: async () => this.#requireReplaceable(await this.#netlify.site(), folder),
    });
    try {
      return await deploy.deliver((...done) => onProgress?.('uploading', ...done));
    } catch (error) {
      if (!(error instanceof RetryLaterError) && !(error instanceof NetlifyError)) throw error;
      const shown = deploy.mayBeLive ? 'the deploy may still go live by itself' : shownBy(site);
      const ErrorType = error instanceof RetryLaterError ? RetryLaterError : UserError;
      throw new ErrorType(`${error.message}; ${shown}`, { cause: error });
    }
  }

  /** @throws UserError if the snapshot must not replace the live deploy */
  #requireReplaceable({ name, live }: Site, folder: SnapshotFolder): void {
    if (live?.locked)
      throw new UserError(
        `${name} is locked to the deploy it shows; start auto publishing again under its Deploys, then publish`,
      );
    if (this.#options.force || live === undefined) return;
    const title = parseTitle(live.title);
    if (title === undefined)
      throw new UserError(`${name} shows files that "awards publish" did not upload; --force replaces them`);
    refuseOlder(title, folder.title, name);
  }
}

function shownBy({ name, live }: Site): string {
  const title = live && parseTitle(live.title);
  const shown = title ? `snapshot ${title.snapshot}` : live ? `deploy ${live.id}` : 'nothing';
  return `${name} still shows ${shown}`;
}
