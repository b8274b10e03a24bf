/** The commands "serve" and "start": the whole service on one port. */
import { createServer } from 'node:http';
import { rootPath } from '../../api/contract/routes.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { createService } from '../../api/server/app.ts';
import { listen, stopSignal } from '../../api/server/connections.ts';
import { type LogLevel, type Reporting, startReporting } from '../../api/server/reporting.ts';
import { openWriting } from '../../api/write/writing.ts';
import { createKey, listKeys } from '../../data/record/keys.ts';
import { countRecords, isEmpty } from '../../data/record/records.ts';
import { isSample } from '../../data/sample/state.ts';
import { LayerUpdater } from '../derived/updater.ts';
import { publishAfterBuilds } from '../publish/publish-loop.ts';
import { snapshotDamage } from '../snapshot/damage.ts';
import { OutputFolder } from '../snapshot/output-folder.ts';
import { isThere } from '../system/files.ts';
import { UserError, number } from '../system/messages.ts';
import { givenOrigin, netlifyAccount } from './accounts.ts';
import { type BuildCommandOptions, buildLayers, chosenLayers } from './build-commands.ts';
import { type CommandOptions, print, printLine, withDatabase } from './command.ts';
import {
  addressRanges,
  type CommandVariable,
  commandVariables,
  environment,
  environmentKeyFault,
} from './environment.ts';
import { importSource, sample } from './fill-commands.ts';

interface ServeCommandOptions extends BuildCommandOptions {
  host: string;
  port: number;
  /** Publish changes to Netlify. */
  publish?: boolean;
  /** Minimum seconds between two publishes. */
  publishEvery?: number;
  /** Dated downloads that publishes keep. */
  releases?: number;
  logLevel: LogLevel;
  /** Where metrics are served. */
  metrics?: { host: string; port: number };
}

export const serve = (options: ServeCommandOptions) => run(options, false);

/** @param source of the whole record; undefined for what is there, or the sample */
export async function start(source: string | undefined, options: ServeCommandOptions): Promise<void> {
  await refuseEarly(options);
  if (source !== undefined) await importSource(source, { ...options, replaceSample: true });
  // An interrupted fill leaves an empty database.
  else if (!isThere(options.db) || (await withDatabase(options, true, isEmpty)))
    await sample({ ...options, quiet: true });
  // Without pages: the service answers from the snapshot, and its updater makes them.
  await buildLayers({ ...options, quiet: true }, ['site']);
  await printRecord(options);
  await provideKey(options);
  await run(options, true);
}

/** Fails before a long build. @throws UserError if the key cannot be used, or the port cannot be opened */
async function refuseEarly({ port, host }: ServeCommandOptions): Promise<void> {
  const fault = environmentKeyFault(environment.AWARDS_API_KEY);
  if (fault) throw new UserError(fault);
  const server = createServer();
  await listen(server, port, host, () => {});
  await new Promise((resolve) => server.close(resolve));
}

/** Says what the record is. */
async function printRecord(options: CommandOptions): Promise<void> {
  const [counts, isOfSample] = await withDatabase(options, true, (connection) => [
    countRecords(connection),
    isSample(connection),
  ]);
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  const advice = isOfSample ? `\n${sampleNotice}` : '';
  print(options, { sample: isOfSample, counts }, `${listed.join(', ')}${advice}`);
}

/** Name of the key that the first start creates. */
const firstKey = 'first';

/** Creates a key if there was never one, and prints it once. Later it names the valid keys. */
async function provideKey(options: CommandOptions): Promise<void> {
  if (environment.AWARDS_API_KEY) return;
  await withDatabase(options, true, (connection) => {
    const keys = listKeys(connection);
    if (keys.length > 0) {
      const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
      const known =
        names.length > 0 ? `keys for writing: ${names.join(', ')}` : 'there is no valid key for writing';
      print(options, { keys: names }, `${known}; "npm run -s awards -- keys create NAME" makes another`);
      return;
    }
    const key = createKey(connection, firstKey, new Date());
    const text = `the key for writing, shown only once: ${key} (send it as the header "x-api-key")`;
    print(options, { name: firstKey, key }, text);
  });
}

/** @param isStart pages may be missing at first: the service does not wait for them, and says where to look */
async function run(options: ServeCommandOptions, isStart: boolean): Promise<void> {
  const { db, out } = options;
  const origin = givenOrigin(options.origin);
  const limits = { read: limitFrom('AWARDS_RATE_LIMIT'), write: limitFrom('AWARDS_WRITE_RATE_LIMIT') };
  const proxies = proxiesFromEnvironment();
  await refuseEarly(options);
  const { AWARDS_API_KEY, AWARDS_PROXY_SECRET, NETLIFY_AUTH_TOKEN } = environment;
  const folder = new OutputFolder(out);
  // Reading needs no database: the folder may be a copy.
  const hasDatabase = isThere(db);
  if (!hasDatabase && !folder.has(manifestPath))
    throw new UserError(
      `there is no snapshot in ${out}, and no database at ${db} to build one from; fill one with "awards sample" or "awards import"`,
    );
  // Otherwise the service would listen, and each build would fail.
  if (hasDatabase) folder.refuseUnusable();
  const layers = chosenLayers(options);
  const secrets = [AWARDS_API_KEY, AWARDS_PROXY_SECRET, NETLIFY_AUTH_TOKEN];
  const reporting = await startReporting({ ...options, layers, secrets, metrics: options.metrics });
  const { health, onError, onBuild, onRepair, onAnswered } = reporting;
  const closings: (() => unknown)[] = [() => reporting.close()];
  // Close all that was started: an open port or a thread keeps a process alive that failed to start.
  try {
    const manifest = hasDatabase ? folder.manifest() : undefined;
    const waitsForSnapshot = !manifest || snapshotDamage(folder.root, manifest) !== undefined;
    // Until the first build the folder may lack writes.
    if (hasDatabase) health.phase = 'starting';
    const settings = { writeLimit: limits.write, environmentKey: AWARDS_API_KEY, waitsForSnapshot };
    const writing = hasDatabase ? await openWriting({ db, out, ...settings, onError, onBuild }) : undefined;
    const updater = hasDatabase
      ? new LayerUpdater(out, { ...options, layers, onError, onRepair })
      : undefined;
    const pages = { areThere: !isStart };
    closings.unshift(
      () => writing?.close(),
      // A stopped service leaves pages and lists that match the snapshot. Downloads follow with the next build. Someone who
      // stops a first start does not want to wait for thousands of pages.
      () => pages.areThere && updater?.bringUpToDate(chosenLayers({ downloads: false })).catch(onError),
      () => updater?.close(),
    );
    if (options.publish) {
      const interval = options.publishEvery === undefined ? undefined : options.publishEvery * 1000;
      const updateLayers = updater && (() => updater.bringUpToDate());
      const { releases } = options;
      const settings = { ...netlifyAccount(), releases, origin, db, out, interval, updateLayers, onError };
      const loop = publishAfterBuilds(settings);
      closings.unshift(() => loop.close());
    }
    const service = createService({
      ...{ out, writing, health, onError, onAnswered, imageOrigins: options.imageOrigins },
      readLimit: limits.read,
      proxies,
      proxySecret: AWARDS_PROXY_SECRET,
      // Without a setting, pages name the address at which the service listens.
      origin: origin === undefined ? undefined : () => origin,
      onDamage() {
        writing?.repair();
        updater?.repair('site');
      },
    });
    await service.app.ready();
    const address = await listen(service.app.server, options.port, options.host, onError);
    // Before the address is printed: a script may stop the service as soon as it reads the address.
    const stop = () => {
      health.phase = 'stopping';
      reporting.log.info('stopping');
      return service.stop();
    };
    const stopped = stopSignal().then(stop);
    const failed = writing?.failed.catch(async (error: unknown) => {
      onError(error);
      process.exitCode = 1;
      // The writes that wait are answered.
      await stop();
    });
    announce(options, address, hasDatabase, reporting);
    if (isStart) void announceStart(options, address, updater, pages);
    await (failed ? Promise.race([stopped, failed]) : stopped);
  } finally {
    for (const close of closings) await close();
  }
}

/** @throws UserError that names an entry that is no address or range */
function proxiesFromEnvironment(): readonly string[] {
  try {
    return addressRanges(environment.AWARDS_TRUSTED_PROXIES ?? '');
  } catch (error) {
    throw new UserError(`AWARDS_TRUSTED_PROXIES: ${(error as Error).message}`);
  }
}

/** A limit per minute from the environment. */
function limitFrom(name: CommandVariable & `${string}_RATE_LIMIT`): number {
  const value = environment[name] ?? String(commandVariables[name].default);
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new UserError(`${name} is "${value}"; it must be a whole number, 0 for no limit`);
}

function announce(
  options: ServeCommandOptions,
  address: string,
  isWriting: boolean,
  reporting: Reporting,
): void {
  const { db, out } = options;
  const { metricsAddress: metrics, log } = reporting;
  const changing = isWriting ? `changes go to ${db}` : `read-only, because there is no database at ${db}`;
  print(
    options,
    { address, writing: isWriting, ...(metrics && { metrics }) },
    `serving ${out} on ${address} (${changing}; try ${address}/api/nominations; Ctrl-C stops)${metrics ? `\nmetrics on ${metrics}` : ''}`,
  );
  log.info({ address, metrics }, 'serving');
}

/** Says where the service has something for people and programs, and when the pages are there. */
async function announceStart(
  options: ServeCommandOptions,
  address: string,
  updater: LayerUpdater | undefined,
  pages: { areThere: boolean },
): Promise<void> {
  const say = (line: string) => options.json || printLine(line);
  for (const [name, path] of Object.entries({ site: '/', API: rootPath, docs: '/docs', editor: '/edit' }))
    say(`  ${name.padEnd(8)}${address}${path}`);
  await updater?.bringUpToDate().then(
    () => {
      pages.areThere = true;
      say('all pages, lists and downloads are up to date');
    },
    // The updater tries again.
    () => {},
  );
}
