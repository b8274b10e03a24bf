/** The commands "serve" and "start": the whole service on one port. */
import { createServer } from 'node:http';
import { defaultOrigin } from '../../api/contract/layers.ts';
import { rootPath } from '../../api/contract/routes.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import type { LogLevel, Reporting } from '../../api/server/reporting.ts';
import type { Writing } from '../../api/write/writing.ts';
import { UserError, number } from '../system/messages.ts';
import type { LayerUpdater } from '../derived/updater.ts';
import { isThere } from '../system/files.ts';
import type { PublishLoop } from '../publish/publish-loop.ts';
import type { OutputFolder } from '../snapshot/output-folder.ts';
import { netlifyAccount } from './accounts.ts';
import { type CommandOptions, print, printLine, withDatabase } from './command.ts';
import { type BuildCommandOptions, chosenLayers, commands } from './commands.ts';
import { type CommandVariable, commandVariables, environment, environmentKeyFault } from './environment.ts';

export interface ListenAddress {
  host: string;
  port: number;
}

interface ServeCommandOptions extends BuildCommandOptions, ListenAddress {
  /** Publish changes to Netlify. */
  publish?: boolean;
  /** Minimum seconds between two publishes. */
  publishEvery?: number;
  logLevel: LogLevel;
  /** Where metrics are served. */
  metrics?: ListenAddress;
}

export const serveCommands = { serve: (options: ServeCommandOptions) => serve(options), start };

/** @param isStart pages may be missing at first: the service does not wait for them, and says where to look */
async function serve(options: ServeCommandOptions, isStart = false): Promise<void> {
  const limits = {
    read: limitFrom('AWARDS_RATE_LIMIT'),
    write: limitFrom('AWARDS_WRITE_RATE_LIMIT'),
  };
  const key = environmentKey();
  await refuseTakenPort(options);
  // Reading needs no database: the folder may be a copy.
  const hasDatabase = isThere(options.db);
  if (!hasDatabase) await requireSnapshot(options);
  const reporting = await startedReporting(options);
  let writing: Writing | undefined;
  let updater: LayerUpdater | undefined;
  let publishing: Pick<PublishLoop, 'close'> | undefined;
  let hasPages = !isStart;
  const onListening = async (address: string) => {
    if (!isStart) return;
    const say = (line: string) => options.json || printLine(line);
    for (const [name, path] of placesToLook) say(`  ${name.padEnd(8)}${address}${path}`);
    await updater?.bringUpToDate().then(
      () => {
        hasPages = true;
        say('all pages, lists and downloads are up to date');
      },
      // The updater tries again.
      () => {},
    );
  };
  const onDamage = () => {
    writing?.repair();
    updater?.repair('site');
  };
  // Close all that was started: an open port or a thread keeps a process alive that failed to start.
  try {
    if (hasDatabase) {
      writing = await openedForWriting(options, limits.write, key, reporting);
      updater = await startUpdater(options, reporting);
    }
    publishing = options.publish ? await startPublishing(options, updater, reporting) : undefined;
    await serveUntilStopped(options, limits.read, { writing, onDamage, onListening }, reporting);
  } finally {
    await writing?.close();
    // A stopped service leaves pages and lists that match the snapshot. Downloads take longer and follow with the next build.
    // Someone who stops a first start does not want to wait for thousands of pages.
    if (hasPages) await updater?.bringUpToDate(chosenLayers({ downloads: false })).catch(reporting.onError);
    await updater?.close();
    await publishing?.close();
    reporting.close();
  }
}

async function startedReporting(options: ServeCommandOptions): Promise<Reporting> {
  const { startReporting } = await import('../../api/server/reporting.ts');
  const { AWARDS_API_KEY, AWARDS_PROXY_SECRET, NETLIFY_AUTH_TOKEN } = environment;
  return startReporting({
    out: options.out,
    layers: chosenLayers(options),
    logLevel: options.logLevel,
    secrets: [AWARDS_API_KEY, AWARDS_PROXY_SECRET, NETLIFY_AUTH_TOKEN],
    metrics: options.metrics,
  });
}

async function startUpdater(options: ServeCommandOptions, { onError }: Reporting): Promise<LayerUpdater> {
  const { LayerUpdater } = await import('../derived/updater.ts');
  return new LayerUpdater(options.out, { ...options, layers: chosenLayers(options), onError });
}

async function openedForWriting(
  options: ServeCommandOptions,
  writeLimit: number,
  environmentKey: string | undefined,
  { health, onError, onBuild }: Reporting,
): Promise<Writing> {
  const { openWriting } = await import('../../api/write/writing.ts');
  const { db, out } = options;
  const { OutputFolder } = await import('../snapshot/output-folder.ts');
  const folder = new OutputFolder(out);
  // Otherwise the service would listen, and each build would fail.
  folder.refuseUnusable();
  const waitsForSnapshot = !(await hasIntactSnapshot(folder));
  // Until the first build the folder may lack writes.
  health.phase = 'starting';
  return openWriting({ db, out, writeLimit, environmentKey, waitsForSnapshot, onError, onBuild });
}

/** @throws UserError if the folder has no snapshot, so that every request would be answered with 503 */
async function requireSnapshot({ db, out }: ServeCommandOptions): Promise<void> {
  const { OutputFolder } = await import('../snapshot/output-folder.ts');
  if (new OutputFolder(out).has(manifestPath)) return;
  throw new UserError(
    `there is no snapshot in ${out}, and no database at ${db} to build one from; fill one with "awards sample" or "awards import"`,
  );
}

/** Whether the service can answer from the folder before it is up to date with the database. */
async function hasIntactSnapshot(folder: OutputFolder): Promise<boolean> {
  const { snapshotDamage } = await import('../snapshot/damage.ts');
  const manifest = folder.manifest();
  return manifest !== undefined && snapshotDamage(folder.root, manifest) === undefined;
}

/** @throws UserError if the key cannot be used */
function environmentKey(): string | undefined {
  const key = environment.AWARDS_API_KEY;
  const fault = environmentKeyFault(key);
  if (fault) throw new UserError(fault);
  return key;
}

async function serveUntilStopped(
  options: ServeCommandOptions,
  readLimit: number,
  {
    writing,
    onDamage,
    onListening,
  }: { writing: Writing | undefined; onDamage: () => void; onListening: (address: string) => Promise<void> },
  reporting: Reporting,
): Promise<void> {
  const { createService } = await import('../../api/server/app.ts');
  const { listen, stopSignal } = await import('../../api/server/connections.ts');
  const proxies = (environment.AWARDS_TRUSTED_PROXIES ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const { origin } = options;
  const service = createService({
    out: options.out,
    readLimit,
    proxies,
    proxySecret: environment.AWARDS_PROXY_SECRET,
    writing,
    // Without a setting, pages name the address at which the service listens.
    origin: origin === undefined || origin === defaultOrigin ? undefined : () => origin,
    imageOrigins: options.imageOrigins,
    onDamage,
    health: reporting.health,
    onError: reporting.onError,
    onAnswered: reporting.onAnswered,
  });
  await service.app.ready();
  const address = await listen(service.app.server, options.port, options.host, reporting.onError);
  // Before the address is printed: a script may stop the service as soon as it reads the address.
  const stop = () => {
    reporting.health.phase = 'stopping';
    reporting.log.info('stopping');
    return service.stop();
  };
  const stopped = stopSignal().then(stop);
  const failed = writing?.failed.catch(async (error: unknown) => {
    reporting.onError(error);
    process.exitCode = 1;
    // The writes that wait are answered.
    await stop();
  });
  const changing = writing
    ? `changes go to ${options.db}`
    : `read-only, because there is no database at ${options.db}`;
  const { metricsAddress: metrics } = reporting;
  print(
    options,
    { address, writing: writing !== undefined, ...(metrics && { metrics }) },
    `serving ${options.out} on ${address} (${changing}; try ${address}/api/nominations; Ctrl-C stops)${metrics ? `\nmetrics on ${metrics}` : ''}`,
  );
  reporting.log.info({ address, metrics }, 'serving');
  void onListening(address);
  await (failed ? Promise.race([stopped, failed]) : stopped);
}

/** @param updater brings the layers up to date for a publish */
async function startPublishing(
  { db, out, publishEvery }: ServeCommandOptions,
  updater: LayerUpdater | undefined,
  { onError }: Reporting,
): Promise<Pick<PublishLoop, 'close'>> {
  const { publishAfterBuilds } = await import('../publish/publish-loop.ts');
  const interval = publishEvery === undefined ? undefined : publishEvery * 1000;
  const updateLayers = updater && (() => updater.bringUpToDate());
  const account = netlifyAccount();
  return publishAfterBuilds({ ...account, db, out, interval, updateLayers, onError });
}

/** A limit per minute from the environment. */
function limitFrom(name: CommandVariable & `${string}_RATE_LIMIT`): number {
  const value = environment[name] ?? String(commandVariables[name].default);
  if (!/^[0-9]{1,9}$/.test(value))
    throw new UserError(`${name} is "${value}"; it must be a whole number, 0 for no limit`);
  return Number(value);
}

/** Whether there is no database, or an empty one: an interrupted fill leaves it empty. */
async function hasNoRecord(options: CommandOptions): Promise<boolean> {
  if (!isThere(options.db)) return true;
  const { isEmpty } = await import('../../data/record/records.ts');
  return withDatabase(options, true, isEmpty);
}

/** Name of the key that the first start creates. */
const firstKey = 'first';

/** Creates a key if there was never one, and prints it once. Later it names the valid keys. */
async function provideKey(options: CommandOptions): Promise<void> {
  if (environment.AWARDS_API_KEY) return;
  const { createKey, listKeys } = await import('../../data/record/keys.ts');
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
    print(
      options,
      { name: firstKey, key },
      `the key for writing, shown only once: ${key} (send it as the header "x-api-key")`,
    );
  });
}

/** Fails early, before a long build. @throws UserError if the port cannot be opened */
async function refuseTakenPort({ port, host }: ListenAddress): Promise<void> {
  if (port === 0) return;
  const { listen } = await import('../../api/server/connections.ts');
  const server = createServer();
  await listen(server, port, host, () => {});
  await new Promise((resolve) => server.close(resolve));
}

/** What the service has for people and programs, and where. */
const placesToLook = [
  ['site', '/'],
  ['API', rootPath],
  ['docs', '/docs'],
  ['editor', '/edit'],
] as const;

/** Says what the record is. */
async function printRecord(options: CommandOptions): Promise<void> {
  const { countRecords } = await import('../../data/record/records.ts');
  const { isSample } = await import('../../data/sample/state.ts');
  const [counts, sample] = await withDatabase(options, true, (connection) => [
    countRecords(connection),
    isSample(connection),
  ]);
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  const advice = sample ? `\n${sampleNotice}` : '';
  print(options, { sample, counts }, `${listed.join(', ')}${advice}`);
}

/** @param source of the whole record; undefined for what is there, or the sample */
async function start(source: string | undefined, options: ServeCommandOptions): Promise<void> {
  environmentKey();
  await refuseTakenPort(options);
  if (source !== undefined) await commands.import(source, { ...options, replaceSample: true });
  else if (await hasNoRecord(options)) await commands.sample({ ...options, quiet: true });
  // Without pages: the service answers from the snapshot, and its updater makes them.
  await commands.build({ ...options, quiet: true }, ['site']);
  await printRecord(options);
  await provideKey(options);
  await serve(options, true);
}
