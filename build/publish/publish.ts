/**
 * Publishes the snapshot in a folder to a Netlify site: one publisher of a folder at a time, only what the host lacks, never an
 * older snapshot over a newer one, and never half of one. A build may go on meanwhile: if it replaces what is being published,
 * publishing begins again with what is there then.
 */
import { downloadIndexPath } from '../../api/contract/download-names.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { netlifyApi } from './account.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Delivery, DigestDeploy } from './digest-deploy.ts';
import { type Digests, digestsOf } from './digests.ts';
import { RetryLaterError, SnapshotChanged } from './failure.ts';
import { refuseMissing, SnapshotFolder } from './folder.ts';
import { untilLive } from './live.ts';
import { Netlify, Refused, type Site } from './netlify.ts';
import { type Label, labelText, parseLabel, refuseOlder } from './order.ts';
import { type Plan, planOf } from './plan.ts';
import { PublishState } from './publish-state.ts';
import { defaultPace, type Pace, RetryPolicy } from './retry-policy.ts';
import { type Rules, readRules, rulesHash, sha1 } from './rules.ts';

export interface PublishOptions {
  /** Folder of the snapshot. */
  out: string;
  /** The database it was built from; without it nobody can tell which snapshot is newer. */
  connection?: Connection | undefined;
  /** Id or name of the site. */
  site: string;
  token: string;
  /** Address of the API. Default Netlify's own. */
  api?: string | undefined;
  /** Folder with netlify.toml and .netlify. Default the working directory. */
  project?: string | undefined;
  /** Replace what is live even if it is newer, or nobody can tell. */
  force?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  /** Ends it half-way; the next run goes on from there. */
  signal?: AbortSignal | undefined;
  pace?: Partial<Pace> | undefined;
  /** Milliseconds between two deploys, at least, whichever process makes them. Default 20,000. */
  interval?: number | undefined;
  /** Milliseconds to wait for another publisher of the folder. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds a ready deploy may take to show on the site. Default 60,000. */
  liveTimeoutMs?: number | undefined;
  clock?: Clock | undefined;
}

export interface PublishReport {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** "nothing": it was live already. */
  scope: 'nothing' | 'deploy';
  deploy: string;
  resumed: boolean;
  /** Files of the deploy. */
  files: number;
  /** Files sent, and their bytes. */
  uploaded: number;
  bytes: number;
  /** Changes that the database holds and the snapshot does not. */
  behind: number;
}

export const deployInterval = 20_000;
/** How often to begin again when builds keep replacing what is being published. */
const maxRestarts = 10;

/**
 * Publishes, and sees to it that the site shows it.
 * @throws RetryLaterError if it may work later; UserError if it will not; in both cases the site shows what it showed before, unless the
 *   message says otherwise
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const { clock = systemClock, signal = new AbortController().signal } = options;
  const memory = new PublishState(options.out);
  // Before anything is made beside it.
  refuseMissing(options.out);
  const unlock = await memory.lock(options.timeoutMs ?? 60_000, clock, signal);
  const publication = new Publication(options, memory, clock, signal);
  try {
    for (let restarts = 0; ; restarts += 1) {
      try {
        return await publication.run();
      } catch (error) {
        if (!(error instanceof SnapshotChanged)) throw error;
        if (restarts === maxRestarts)
          throw new RetryLaterError(
            `${options.out} is built again and again while it is being published; try later`,
          );
      }
    }
  } finally {
    publication.close();
    unlock();
  }
}

/** What publish() would do. Changes nothing, here or there. @throws as publish() */
export async function planPublish(options: PublishOptions): Promise<Plan> {
  const { clock = systemClock, signal = new AbortController().signal } = options;
  refuseMissing(options.out);
  const publication = new Publication(options, new PublishState(options.out), clock, signal);
  try {
    return await publication.plan();
  } finally {
    publication.close();
  }
}

class Publication {
  readonly #options: PublishOptions;
  readonly #memory: PublishState;
  readonly #clock: Clock;
  readonly #netlify: Netlify;
  readonly #persistence: RetryPolicy;

  constructor(options: PublishOptions, memory: PublishState, clock: Clock, signal: AbortSignal) {
    this.#options = options;
    this.#memory = memory;
    this.#clock = clock;
    this.#netlify = new Netlify(options.api ?? netlifyApi, options.token, options.site);
    this.#persistence = new RetryPolicy({ ...defaultPace, ...options.pace }, clock, signal);
  }

  async plan(): Promise<Plan> {
    const { folder, rules, label, site } = await this.#begin();
    const liveRules = parseLabel(site.live?.title ?? '')?.rules;
    return planOf(folder, rules, site.address, liveRules === label.rules);
  }

  async run(): Promise<PublishReport> {
    const { folder, rules, label, site } = await this.#begin();
    const { snapshot } = label;
    const { onProgress } = this.#options;
    const report = { snapshot, site: site.address, behind: folder.behind };
    const files = folder.files.size + rules.size + 1;
    if (site.live?.title === labelText(label)) {
      await this.#untilLive(site, snapshot);
      const nothing = { uploaded: 0, bytes: 0, resumed: false } as const;
      return { ...report, scope: 'nothing', deploy: site.live.id, files, ...nothing };
    }
    const digests = await digestsOf(folder, this.#memory, (...done) => onProgress?.('hashing', ...done));
    const delivery = await this.#deliver(folder, rules, label, digests, site);
    await this.#untilLive(site, snapshot);
    return { ...report, scope: 'deploy', files, ...delivery };
  }

  /** What is here, what is there, and whether the one may take the place of the other. */
  async #begin(): Promise<{ folder: SnapshotFolder; rules: Rules; label: Label; site: Site }> {
    const { out, connection, project = process.cwd() } = this.#options;
    const folder = await SnapshotFolder.open(out, connection, this.#clock);
    const rules = readRules(project);
    // The index of the downloads names all of them.
    const downloads = [...folder.files].filter(([path]) => path === downloadIndexPath);
    const label: Label = {
      snapshot: folder.manifest.snapshot,
      rules: rulesHash(rules, downloads),
      place: folder.place,
    };
    const site = await this.#site();
    this.#refuse(site, label);
    return { folder, rules, label, site };
  }

  close(): void {
    this.#netlify.close();
  }

  async #deliver(
    folder: SnapshotFolder,
    rules: Rules,
    label: Label,
    { digests, held }: Digests,
    site: Site,
  ): Promise<Delivery> {
    const { onProgress, interval = deployInterval } = this.#options;
    const files = new Map(digests);
    files.set(manifestPath, sha1(folder.manifestBytes));
    for (const [path, bytes] of rules) files.set(path, sha1(bytes));
    const deploy = new DigestDeploy(this.#netlify, this.#persistence, this.#memory, this.#clock, interval);
    try {
      return await deploy.deliver(
        {
          site: this.#options.site,
          title: labelText(label),
          files,
          read: async (path, digest) => rules.get(path) ?? held.get(digest) ?? folder.read(path),
          mayGoLive: async () => this.#refuse(await this.#site(), label),
        },
        (...done) => onProgress?.('uploading', ...done),
      );
    } catch (error) {
      const now = deploy.mayBeLive
        ? 'the deploy may still go live by itself'
        : `${site.name} still shows ${shownBy(site)}`;
      throw this.#told(error, `; ${now}`);
    }
  }

  async #site(): Promise<Site> {
    try {
      return await this.#persistence.until('asking about the site', (signal) => this.#netlify.site(signal));
    } catch (error) {
      throw this.#told(error, '');
    }
  }

  /** @throws UserError if the snapshot must not take the place of what is live */
  #refuse({ name, live }: Site, label: Label): void {
    if (live?.locked)
      throw new UserError(
        `${name} is locked to the deploy it shows; start auto publishing again under its Deploys, then publish`,
      );
    if (this.#options.force || live === undefined) return;
    const there = parseLabel(live.title);
    if (there === undefined)
      throw new UserError(
        `${name} shows something that "awards publish" did not put there; --force replaces it`,
      );
    refuseOlder(there, label, name);
  }

  #untilLive(site: Site, snapshot: string): Promise<void> {
    return untilLive(site.address, snapshot, this.#options.liveTimeoutMs ?? 60_000, this.#persistence);
  }

  /** An error as a person needs to hear it. */
  #told(error: unknown, live: string): unknown {
    if (error instanceof RetryLaterError)
      return new RetryLaterError(`${error.message}${live}; publish again to go on`, { cause: error });
    if (error instanceof Refused)
      return new UserError(`${adviceFor(error, this.#options.site)}${live}`, { cause: error });
    return error;
  }
}

function shownBy({ live }: Site): string {
  if (live === undefined) return 'nothing';
  const there = parseLabel(live.title);
  return there ? `snapshot ${there.snapshot}` : `deploy ${live.id}`;
}

function adviceFor({ status, message }: Refused, site: string): string {
  if (status === 401)
    return 'Netlify does not accept the token in NETLIFY_AUTH_TOKEN (401); make a new one under User settings, Applications';
  if (status === 403)
    return `the token in NETLIFY_AUTH_TOKEN may not publish to site ${site} (403); use one of an owner of the site`;
  if (status === 404)
    return `Netlify knows no site ${site}, or the token may not see it (404); NETLIFY_SITE_ID is its project id, under Project configuration`;
  return `Netlify refuses (${status}): ${message}`;
}
