/**
 * Netlify as a target: it gets the SHA-1 of every file, answers which contents it lacks, and shows the deploy
 * when it has them all. An unfinished deploy of the same files is found by its title and resumed.
 *
 * Where many pages are missing, the first deploy leaves the pages out, and the second one has everything: the
 * host computes the answers while the pages are uploaded.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import PQueue from 'p-queue';
import { layerOf } from '../../api/contract/layers.ts';
import { readIfPresent } from '../../api/read/node-source.ts';
import { lockFile } from '../../data/system/file-lock.ts';
import { makeFolders, writeDurably } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { type RequestOptions, Requests, RetryLaterError } from '../../data/system/requests.ts';
import { type Contents, withoutPages } from './contents.ts';
import { formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import { type Account, isOfFunctions, Netlify, readConfiguration, type Site } from './netlify.ts';
import type { Changes, Live, Target } from './target.ts';

export interface NetlifyOptions {
  /** Undefined: plans a first publish, to an empty site. */
  account: Account | undefined;
  /** Folder of the snapshot. What the next publish may use is kept beside it, because it may be deleted. */
  out: string;
  /** Folder of netlify.toml and .netlify. Default the working directory. */
  project?: string | undefined;
  /**
   * Replace the live deploy even if it is newer, not comparable or damaged, or has functions that this one
   * lacks.
   */
  force?: boolean | undefined;
  /** Attempts, time limits, and the signal that stops it; the next publish resumes the deploy. */
  retry?: RequestOptions | undefined;
  /**
   * Where more pages are missing, a first deploy leaves the pages out. Default 2,000, the uploads of four
   * minutes.
   */
  maxMissingPages?: number | undefined;
  /** Called when a first deploy without pages is live. */
  onFirstDeploy?: ((report: PublishReport) => void) | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  /** Milliseconds between the starts of two deploys, at least, in all processes. Default 20,000. */
  interval?: number | undefined;
}

export interface PublishReport {
  snapshot: string;
  /** Address of the site. */
  site: string;
  /** "nothing": the site showed it already. */
  scope: 'nothing' | 'deploy';
  /** Files of the last deploy. */
  files: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
  /** Id of the last deploy. */
  deploy: string;
  /** An earlier publish began this deploy. */
  resumed: boolean;
  /** Files sent, in all deploys, and their bytes. */
  uploaded: number;
  bytes: number;
}

/** Netlify takes three deploys a minute. */
export const deployIntervalMs = 20_000;
/** netlify-cli has the same limit. */
const concurrentUploads = 5;
/** An attempt that failed is continued for this long; then its time is that of the next one. */
const attemptMs = 24 * 3_600_000;

/** Netlify identifies a content by this digest, in hexadecimal. */
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/** Path → SHA-1. */
type Files = ReadonlyMap<string, string>;

export class NetlifyTarget implements Target<PublishReport> {
  readonly frozenIn: string;
  readonly configuration: ReadonlyMap<string, Buffer>;
  readonly #options: NetlifyOptions;
  readonly #project: string;
  readonly #requests: Requests;
  readonly #netlify: Netlify | undefined;
  /** Where publishes keep what the next one may use. A lost or damaged file costs time only. */
  readonly #memory: string;
  /** contentHash → SHA-1 of the contents. */
  readonly #digests = new Map<string, string>();
  #shown: Files = new Map();
  /** Ids of the live deploys that the history continues: undefined for none. */
  readonly #continued: (string | undefined)[] = [];

  constructor(options: NetlifyOptions) {
    const { account, out, project = process.cwd(), retry } = options;
    this.#options = options;
    this.#project = project;
    this.configuration = readConfiguration(project);
    this.#requests = new Requests(retry);
    this.#netlify = account && new Netlify(account, this.#requests);
    this.#memory = join(dirname(resolve(out)), `.${basename(resolve(out))}.publish`);
    this.frozenIn = join(this.#memory, 'frozen');
  }

  lock(): (() => void) | undefined {
    makeFolders(this.#memory);
    return lockFile(join(this.#memory, 'lock'), 0);
  }

  async live(): Promise<Live> {
    const site = await this.#netlify?.site();
    const { name = '', address = '', live } = site ?? {};
    this.#shown = live ? await this.#netlify!.files() : new Map();
    this.#continued.splice(0, Infinity, live?.id);
    const title = live && parseTitle(live.title);
    return {
      name,
      address,
      title,
      wasPublished: title !== undefined,
      paths: new Set(this.#shown.keys()),
      own: this.#shown.keys(),
      source: live
        ? this.#netlify!.source(live.address, this.#options.force)
        : { file: async () => undefined, shard: async () => undefined },
      refuse: (contents) => {
        if (site) this.#refuse(site, contents);
        this.#requireFunctions(name, contents);
      },
      lacks: (contents) => this.#lacks(contents),
    };
  }

  timeOf({ title }: Contents, now: Date): Date {
    const file = join(this.#memory, 'last-time.json');
    const deploy = `${this.#continued[0]} ${title.files}`;
    const last = new Date(readPairs(file).get(deploy) ?? Number.NaN);
    if (Math.abs(now.getTime() - last.getTime()) < attemptMs) return last;
    writePairs(file, new Map([[deploy, now.toISOString()]]));
    return now;
  }

  /** Waits until the deploy is live. One that lacks a file does not go live. */
  async apply(changes: Changes): Promise<PublishReport> {
    const { contents } = changes;
    const { maxMissingPages = 2000, onFirstDeploy } = this.#options;
    const file = join(this.#memory, 'digests.json');
    const known = readPairs(file);
    const isFirst = this.#continued[0] === undefined;
    const missing = [...contents.files].filter(
      ([path, { hash }]) => layerOf(path) === 'pages' && (isFirst || !known.has(hash)),
    );
    const kept = changes.kept.map((path) => [path, this.#shown.get(path)!] as const);
    const isSplit = missing.length > maxMissingPages;
    const first = isSplit ? await this.#deliver(withoutPages(contents), kept) : undefined;
    this.#continued.push(first?.deploy);
    if (first?.scope === 'deploy') onFirstDeploy?.(first);
    const last = await this.#deliver(contents, kept);
    const own = [...contents.files.values()].map(({ hash }) => [hash, this.#digests.get(hash)!] as const);
    writePairs(file, new Map(own));
    const { uploaded, bytes } = first ?? { uploaded: 0, bytes: 0 };
    return { ...last, uploaded: uploaded + last.uploaded, bytes: bytes + last.bytes };
  }

  /** The paths of contents that the site does not show, each content once. */
  async #lacks(contents: Contents): Promise<string[]> {
    await this.#digest(contents);
    const shown = new Set(this.#shown.values());
    return [...contents.files]
      .filter(([, { hash }]) => {
        const digest = this.#digests.get(hash)!;
        return !shown.has(digest) && shown.add(digest);
      })
      .map(([path]) => path);
  }

  /** Makes the SHA-1 of every file. The contents of earlier deploys need not be read again. */
  async #digest({ files, read }: Contents): Promise<void> {
    const known = readPairs(join(this.#memory, 'digests.json'));
    for (const [done, [path, { hash }]] of [...files].entries()) {
      if (!this.#digests.has(hash)) this.#digests.set(hash, known.get(hash) ?? sha1(await read(path)));
      if (done % 512 === 511) this.#options.onProgress?.('hashing', done, files.size);
    }
  }

  /** @throws UserError if the contents must not replace the live deploy */
  #refuse({ name, live }: Site, { title }: Contents): void {
    if (live?.locked)
      throw new UserError(
        `${name} is locked to the deploy it shows; start auto publishing again under its Deploys, then publish`,
      );
    if (this.#options.force || live === undefined) return;
    const shown = parseTitle(live.title);
    if (shown === undefined)
      throw new UserError(`${name} shows files that "awards publish" did not upload; --force replaces them`);
    refuseOlder(shown, title, name);
  }

  /**
   * @throws UserError if the live deploy has functions, and the contents have none: without them no request
   *   is computed
   */
  #requireFunctions(name: string, { files }: Contents): void {
    const { force } = this.#options;
    if (force || ![...this.#shown.keys()].some(isOfFunctions) || [...files.keys()].some(isOfFunctions))
      return;
    throw new UserError(
      `${name} answers by edge functions, and ${join(this.#project, '.netlify')} has none: publish from the folder where "npx netlify-cli build" has made them, or use --force to publish without them`,
    );
  }

  /**
   * @throws UserError as #refuse(); RetryLaterError if another publisher was faster: its publish would be
   *   lost
   */
  async #requireContinued(contents: Contents): Promise<void> {
    const site = await this.#netlify!.site();
    this.#refuse(site, contents);
    if (!this.#continued.includes(site.live?.id))
      throw new RetryLaterError(`another publisher has changed ${site.name} in the meantime; publish again`);
  }

  /**
   * Makes contents live, with a new deploy or an unfinished one of the same title.
   * @param kept files of earlier publishes that stay
   */
  async #deliver(contents: Contents, kept: readonly (readonly [string, string])[]): Promise<PublishReport> {
    const netlify = this.#netlify!;
    const { address, live } = await netlify.site();
    const { behind } = contents;
    const { snapshot } = contents.title;
    const common = { snapshot, site: address, files: contents.files.size + kept.length, behind };
    const title = formatTitle(contents.title);
    if (live?.title === title)
      return { ...common, scope: 'nothing', deploy: live.id, resumed: false, uploaded: 0, bytes: 0 };
    const unfinished = await netlify.unfinished();
    for (const other of unfinished)
      if (other.title !== title && isOlder(other.title, contents)) await netlify.cancel(other.id);
    const found = unfinished.find((deploy) => deploy.title === title);
    const own = [...contents.files].map(([path, { hash }]) => [path, this.#digests.get(hash)!] as const);
    const files = new Map([...own, ...kept]);
    const deploy = found?.id ?? (await this.#begin(contents, title, files));
    try {
      const sent = await this.#upload(deploy, contents, files);
      await this.#untilState(deploy, ['ready']);
      return { ...common, scope: 'deploy', deploy, resumed: found !== undefined, ...sent };
    } catch (error) {
      // The next publish resumes the deploy only if that may succeed. If this fails: it lacks files, so it
      // does not go live.
      const isFinal = error instanceof UserError && !(error instanceof RetryLaterError);
      if (isFinal) await netlify.cancel(deploy).catch(() => {});
      throw error;
    }
  }

  async #begin(contents: Contents, title: string, files: Files): Promise<string> {
    const file = join(this.#memory, 'last-deploy');
    const started = Number(readIfPresent(file)?.toString()) || 0;
    // After the clock was set back, wait no longer than the interval.
    const next = Math.min(started, Date.now()) + (this.#options.interval ?? deployIntervalMs);
    await this.#requests.waitUntil(next, 'waiting for the interval between deploys');
    // Without any content to upload, the deploy is live at once.
    await this.#requireContinued(contents);
    const deploy = await this.#netlify!.begin(title, files);
    writeDurably(file, String(Date.now()));
    return deploy;
  }

  /** Sends the contents that Netlify lacks. */
  async #upload(deploy: string, contents: Contents, files: Files) {
    const accepted = ['prepared', 'uploading', 'uploaded', 'processing', 'ready'];
    const required = [...new Set((await this.#untilState(deploy, accepted)).required)];
    const total = required.length;
    const paths = new Map([...files].reverse().map(([path, digest]) => [digest, path]));
    const done = { uploaded: 0, bytes: 0 };
    const send = async (digest: string) => {
      const path = paths.get(digest)!;
      if (!contents.files.has(path))
        throw new UserError(
          `Netlify has lost ${path} of an earlier publish; restore a deploy that has it, then publish`,
        );
      const bytes = await contents.read(path);
      await this.#netlify!.upload(deploy, path, bytes);
      done.uploaded += 1;
      done.bytes += bytes.length;
      this.#options.onProgress?.('uploading', done.uploaded, total);
    };
    const last = required.pop();
    if (last === undefined) return done;
    const queue = new PQueue({ concurrency: concurrentUploads });
    const stop = (error: unknown) => {
      queue.clear();
      throw error;
    };
    // After a failure no upload may run on.
    await queue
      .addAll(required.map((digest) => () => send(digest).catch(stop)))
      .finally(() => queue.onIdle());
    // The last upload makes the deploy live, possibly hours after the first.
    await this.#requireContinued(contents);
    await send(last);
    return done;
  }

  async #untilState(id: string, states: readonly string[]) {
    const deploy = await this.#requests.poll('waiting for Netlify', async () => {
      const now = await this.#netlify!.deploy(id);
      if (now.state !== 'error') return states.includes(now.state) ? now : undefined;
      const reason = now.message || 'it gives no reason';
      throw new RetryLaterError(`Netlify could not complete the deploy ${id}: ${reason}; publish again`);
    });
    return deploy!;
  }
}

/** Whether a title is that of an earlier snapshot of the same record. */
function isOlder(title: string, contents: Contents): boolean {
  const [other, own] = [parseTitle(title)?.place, contents.title.place];
  return other !== undefined && other.lineage === own?.lineage && other.revision <= own.revision;
}

/** Pairs that an earlier publish kept; none if the file is lost or damaged. */
function readPairs(file: string): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(readIfPresent(file)!.toString()) as [string, string][]);
  } catch {
    return new Map();
  }
}

const writePairs = (file: string, pairs: ReadonlyMap<string, string>): void =>
  writeDurably(file, JSON.stringify([...pairs]));
