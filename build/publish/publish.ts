/**
 * Publishes the snapshot in a folder to a Netlify site, from a frozen copy. Netlify gets the SHA-1 of every
 * file, answers which contents it lacks, and shows the deploy when it has them all. An unfinished deploy of
 * the same files is found by its title and resumed. An older snapshot never replaces a newer one.
 *
 * Where many pages are missing, the first deploy leaves the pages out, and the second one has everything: the
 * host computes the answers while the pages are uploaded.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { layerOf } from '../../api/contract/layers.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { UserError } from '../../data/system/messages.ts';
import { type RequestOptions, Requests, RetryLaterError } from '../../data/system/requests.ts';
import { type ContentOptions, type Contents, withoutPages } from './contents.ts';
import { openContents, withFrozenContents } from './open-contents.ts';
import { readPairs, readTime, writePairs, writeTime } from './publish-memory.ts';
import { formatTitle, parseTitle, refuseOlder, withKnownPlace } from './deploy-title.ts';
import { type HistoryOptions, withHistory } from './history.ts';
import { type Account, isOfFunctions, Netlify, readConfiguration, type Site, siteSource } from './netlify.ts';

interface SourceOptions
  extends Omit<ContentOptions, 'configuration'>,
    Pick<HistoryOptions, 'releases' | 'now' | 'onNotice'> {
  /** Scheme and host of the site, for the links of the feed. Default its address. */
  origin?: string | undefined;
  /** Folder of netlify.toml and .netlify. Default the working directory. */
  project?: string | undefined;
  /**
   * Replace the live deploy even if it is newer, not comparable or damaged, or has functions that this one
   * lacks.
   */
  force?: boolean | undefined;
  /** Attempts, time limits, and the signal that stops it; the next publish resumes the deploy. */
  retry?: RequestOptions | undefined;
}

interface ProgressOptions {
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

export interface PublishOptions extends Account, SourceOptions, ProgressOptions {
  /**
   * Where more pages are missing, a first deploy leaves the pages out. Default 2,000, the uploads of four
   * minutes.
   */
  maxMissingPages?: number | undefined;
  /** Called when a first deploy without pages is live. */
  onFirstDeploy?: ((report: PublishReport) => void) | undefined;
  /** Milliseconds between the starts of two deploys, at least, in all processes. Default 20,000. */
  interval?: number | undefined;
  /** Milliseconds to wait for another publisher of the folder. Default 60,000. */
  timeoutMs?: number | undefined;
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

/** Netlify identifies a content by this digest, in hexadecimal. */
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/** contentHash → SHA-1. */
type Digests = ReadonlyMap<string, string>;

/**
 * Publishes, and waits until the deploy is live.
 * @throws RetryLaterError if a later publish may succeed; UserError if not. A deploy that lacks a file does
 *   not go live.
 */
export function publish(options: PublishOptions): Promise<PublishReport> {
  const requests = new Requests(options.retry);
  const netlify = new Netlify(options, requests);
  return withFrozenContents(sourceOf(options), requests, options.timeoutMs, async (frozen, folder) => {
    const site = await netlify.site();
    requireReplaceable(site, frozen, options);
    const shown = site.live ? await netlify.files() : new Map<string, string>();
    requireFunctions(site, shown, frozen, options);
    const now = timeOf(join(folder, 'last-time.json'), site, frozen, options);
    const contents = await nextContents(frozen, site, shown, requests, { ...options, now });
    const isKept = ([path]: readonly [string, string]) => contents.isKept(path) && !contents.files.has(path);
    const kept = [...shown].filter(isKept);
    // The contents of earlier deploys: they need not be read again.
    const file = join(folder, 'digests.json');
    const known = readPairs(file);
    const digests = await digestsOf(contents, known, options);
    const intervalFile = join(folder, 'last-deploy');
    const run = { options, requests, netlify, digests, kept, continued: [site.live?.id], intervalFile };
    const { maxMissingPages = 2000 } = options;
    const missing = [...contents.files].filter(
      ([path, { hash }]) => layerOf(path) === 'pages' && !(site.live && known.has(hash)),
    );
    const first = missing.length > maxMissingPages ? await deliver(run, withoutPages(contents)) : undefined;
    run.continued.push(first?.deploy);
    if (first?.scope === 'deploy') options.onFirstDeploy?.(first);
    const last = await deliver(run, contents);
    writePairs(file, digests);
    const { uploaded, bytes } = first ?? { uploaded: 0, bytes: 0 };
    return { ...last, uploaded: uploaded + last.uploaded, bytes: bytes + last.bytes };
  });
}

const sourceOf = ({ project = process.cwd(), ...options }: SourceOptions): ContentOptions => ({
  ...options,
  configuration: readConfiguration(project),
});

/**
 * The contents, with the history of what is live.
 * @param shown the files that the site shows: path → SHA-1
 */
function nextContents(
  contents: Contents,
  { name, live, address }: Site,
  shown: ReadonlyMap<string, string>,
  requests: Requests,
  { origin = address, releases, now, force, onNotice }: SourceOptions,
): Promise<Contents> {
  const title = live && parseTitle(live.title);
  const source = live && siteSource(live.address, requests, force);
  return withHistory(withKnownPlace(contents, title), {
    live: source && { name, source, paths: shown.keys(), wasPublished: title !== undefined },
    origin,
    releases,
    now,
    force,
    onNotice,
  });
}

/**
 * The time that the history notes: of the first attempt, so that the next one finds its deploy. A lost file
 * costs a deploy, and so does an attempt that is older than a day: readers ask for what was published since a
 * date.
 */
function timeOf(
  file: string,
  { live }: Site,
  { title }: Contents,
  { now = new Date() }: SourceOptions,
): Date {
  const deploy = `${live?.id} ${title.files}`;
  const last = new Date(readPairs(file).get(deploy) ?? Number.NaN);
  if (Math.abs(now.getTime() - last.getTime()) < 86_400_000) return last;
  writePairs(file, new Map([[deploy, now.toISOString()]]));
  return now;
}

/** SHA-1 of every file, by content hash. Reads only files whose digest is not in `known`. */
async function digestsOf({ files, read }: Contents, known: Digests, { onProgress }: ProgressOptions = {}) {
  const digests = new Map<string, string>();
  for (const [done, [path, { hash }]] of [...files].entries()) {
    if (!digests.has(hash)) digests.set(hash, known.get(hash) ?? sha1(await read(path)));
    if (done % 512 === 511) onProgress?.('hashing', done, files.size);
  }
  return digests;
}

/** @throws UserError if the snapshot must not replace the live deploy */
function requireReplaceable({ name, live }: Site, { title }: Contents, { force }: SourceOptions): void {
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

/**
 * @throws UserError if the live deploy has functions, and the contents have none: without them no request is
 *   computed
 */
function requireFunctions(
  { name }: Site,
  shown: ReadonlyMap<string, string>,
  { files }: Contents,
  { project = process.cwd(), force }: SourceOptions,
): void {
  if (force || ![...shown.keys()].some(isOfFunctions) || [...files.keys()].some(isOfFunctions)) return;
  throw new UserError(
    `${name} answers by edge functions, and ${join(project, '.netlify')} has none: publish from the folder where "npx netlify-cli build" has made them, or use --force to publish without them`,
  );
}

/**
 * @throws UserError as requireReplaceable(); RetryLaterError if another publisher was faster: its publish
 *   would be lost
 */
function requireContinued({ options, continued }: Run, contents: Contents, site: Site): void {
  requireReplaceable(site, contents, options);
  if (!continued.includes(site.live?.id))
    throw new RetryLaterError(`another publisher has changed ${site.name} in the meantime; publish again`);
}

interface Run {
  options: PublishOptions;
  requests: Requests;
  netlify: Netlify;
  digests: Digests;
  /** Files of earlier publishes that stay: path → SHA-1. */
  kept: readonly (readonly [path: string, sha1: string])[];
  /** Ids of the live deploys that the history continues: undefined for none. */
  continued: readonly (string | undefined)[];
  /** Holds the start of the last deploy, in milliseconds since 1970. */
  intervalFile: string;
}

/** Makes contents live, with a new deploy or an unfinished one of the same title. */
async function deliver(run: Run, contents: Contents): Promise<PublishReport> {
  const { netlify, digests, kept } = run;
  const { behind, files } = contents;
  const { snapshot } = contents.title;
  const { address, live } = await netlify.site();
  const common = { snapshot, site: address, files: files.size + kept.length, behind };
  const title = formatTitle(contents.title);
  if (live?.title === title)
    return { ...common, scope: 'nothing', deploy: live.id, resumed: false, uploaded: 0, bytes: 0 };
  const unfinished = await netlify.unfinished();
  for (const other of unfinished)
    if (other.title !== title && isOlder(other.title, contents)) await netlify.cancel(other.id);
  const found = unfinished.find((deploy) => deploy.title === title);
  const own = [...files].map(([path, { hash }]) => [path, digests.get(hash)!] as const);
  const paths = new Map([...own, ...kept]);
  const deploy = found?.id ?? (await begin(run, contents, title, paths));
  try {
    const sent = await upload(run, deploy, contents, paths);
    await untilState(run, deploy, ['ready']);
    return { ...common, scope: 'deploy', deploy, resumed: found !== undefined, ...sent };
  } catch (error) {
    // The next publish resumes the deploy only if that may succeed. If this fails: it lacks files, so it does
    // not go live.
    const isFinal = error instanceof UserError && !(error instanceof RetryLaterError);
    if (isFinal) await netlify.cancel(deploy).catch(() => {});
    throw error;
  }
}

/** Whether a title is that of an earlier snapshot of the same record. */
function isOlder(title: string, contents: Contents): boolean {
  const [other, own] = [parseTitle(title)?.place, contents.title.place];
  return other !== undefined && other.lineage === own?.lineage && other.revision <= own.revision;
}

async function begin(run: Run, contents: Contents, title: string, files: ReadonlyMap<string, string>) {
  const { options, requests, netlify, intervalFile } = run;
  // After the clock was set back, wait no longer than the interval.
  const last = Math.min(readTime(intervalFile), Date.now());
  const next = last + (options.interval ?? deployIntervalMs);
  await requests.waitUntil(next, 'waiting for the interval between deploys');
  // Without any content to upload, the deploy is live at once.
  requireContinued(run, contents, await netlify.site());
  const deploy = await netlify.begin(title, files);
  writeTime(intervalFile, Date.now());
  return deploy;
}

/** Sends the contents that Netlify lacks. @param files path → SHA-1 */
async function upload(run: Run, deploy: string, contents: Contents, files: ReadonlyMap<string, string>) {
  const { options, netlify } = run;
  const accepted = ['prepared', 'uploading', 'uploaded', 'processing', 'ready'];
  const required = [...new Set((await untilState(run, deploy, accepted)).required)];
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
    await netlify.upload(deploy, path, bytes);
    done.uploaded += 1;
    done.bytes += bytes.length;
    options.onProgress?.('uploading', done.uploaded, total);
  };
  const last = required.pop();
  if (last === undefined) return done;
  const queue = new PQueue({ concurrency: concurrentUploads });
  const stop = (error: unknown) => {
    queue.clear();
    throw error;
  };
  // After a failure no upload may run on.
  await queue.addAll(required.map((digest) => () => send(digest).catch(stop))).finally(() => queue.onIdle());
  // The last upload makes the deploy live, possibly hours after the first.
  requireContinued(run, contents, await netlify.site());
  await send(last);
  return done;
}

async function untilState({ netlify, requests }: Run, id: string, states: readonly string[]) {
  const deploy = await requests.poll('waiting for Netlify', async () => {
    const now = await netlify.deploy(id);
    if (now.state !== 'error') return states.includes(now.state) ? now : undefined;
    const reason = now.message || 'it gives no reason';
    throw new RetryLaterError(`Netlify could not complete the deploy ${id}: ${reason}; publish again`);
  });
  return deploy!;
}

export interface Plan {
  snapshot: string;
  /** Address of the site; undefined for a site that is not known. */
  site: string | undefined;
  /** The snapshot that the site shows; undefined for none. */
  live: string | undefined;
  /** Number of all files. */
  total: number;
  /** Those to send, ascending by path, each content once; Netlify may have some of them. */
  files: { path: string; bytes: number; why: 'new' | 'changed' }[];
  /** Paths that are gone afterwards, ascending. */
  removed: string[];
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/**
 * What publish() would do; without an account, for an empty site. It changes nothing.
 * @throws like publish()
 */
export async function planPublish(options: SourceOptions, account?: Account): Promise<Plan> {
  const requests = new Requests(options.retry);
  const opened = await openContents(sourceOf(options), requests);
  const netlify = account && new Netlify(account, requests);
  const site = await netlify?.site();
  if (site) requireReplaceable(site, opened, options);
  const live = site?.live && netlify ? await netlify.files() : new Map<string, string>();
  if (site) requireFunctions(site, live, opened, options);
  const empty = { name: '', address: '', live: undefined };
  const contents = await nextContents(opened, site ?? empty, live, requests, options);
  const shown = new Set(live.values());
  const digests = await digestsOf(contents, new Map());
  const files: Plan['files'] = [];
  for (const [path, { hash, size }] of contents.files) {
    const digest = digests.get(hash)!;
    if (!shown.has(digest)) files.push({ path, bytes: size, why: live.has(path) ? 'changed' : 'new' });
    shown.add(digest);
  }
  const others = [...live.keys()].filter((path) => !contents.files.has(path));
  return {
    snapshot: contents.title.snapshot,
    site: site?.address,
    live: parseTitle(site?.live?.title ?? '')?.snapshot,
    total: contents.files.size + others.filter((path) => contents.isKept(path)).length,
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    removed: others.filter((path) => !contents.isKept(path)).sort(byCodeUnit),
    behind: contents.behind,
  };
}
