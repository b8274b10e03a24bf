/** The command "serve": the whole service on one port. */
import { createService } from '../../api/server/app.ts';
import { listen, stopSignal } from '../../api/server/connections.ts';
import { type Reporting, startReporting } from '../../api/server/reporting.ts';
import { openWriting, type WritingOptions } from '../../api/write/writing.ts';
import { Closings } from '../../data/system/closings.ts';
import { LayerUpdater } from '../derived/updater.ts';
import { publishAfterBuilds } from '../publish/publish-loop.ts';
import { snapshotDamage } from '../snapshot/named-files.ts';
import { openUpgraded, output, print } from './command.ts';
import { readServeSettings, type ServeOptions, type ServeSettings } from './serve-settings.ts';

export async function serve(options: ServeOptions): Promise<void> {
  output.mayBeLost = true;
  await runService(await readServeSettings(options, false));
}

/** A service that listens. */
export interface RunningService {
  address: string;
  /** Undefined for a service that only reads. */
  updater: LayerUpdater | undefined;
}

/**
 * Serves until a signal comes, or the writer fails.
 * @param onListening called when the address is printed
 */
export async function runService(
  settings: ServeSettings,
  onListening: (service: RunningService) => void = () => {},
): Promise<void> {
  const { environmentKey, proxySecret, account } = settings;
  const secrets = [environmentKey, proxySecret, account?.token];
  const reporting = startReporting({ ...settings, secrets, metrics: settings.metrics });
  const { onError } = reporting;
  const closings = new Closings();
  closings.add(() => reporting.close());
  // Close all that was started: an open port or a thread keeps a process alive that failed to start.
  try {
    const started = await startService(settings, reporting, closings);
    announce(settings, started, reporting);
    onListening(started);
    await started.stopped;
  } finally {
    await closings.close(onError);
  }
}

async function startService(settings: ServeSettings, reporting: Reporting, closings: Closings) {
  const { out, origin, imageOrigins, readLimit, proxies, proxySecret } = settings;
  const { incidents, listeners, onError, onRepair } = reporting;
  let updater: LayerUpdater | undefined;
  const repair: WritingOptions['onDamage'] = (layer) => updater?.repair(layer);
  const writing = settings.hasDatabase ? await startWriting(settings, reporting, repair) : undefined;
  closings.add(() => writing?.close());
  if (writing) updater = new LayerUpdater(out, { ...settings, onError, onRepair });
  const loop = startPublishing(settings, updater, onError);
  // Both at once: a publish may wait for the update that is interrupted.
  closings.add(() => Promise.all([loop?.close(), updater?.close()]));
  const service = createService({
    out,
    layers: settings.layers,
    writing,
    incidents,
    listeners,
    onError,
    imageOrigins,
    origin,
    readLimit,
    proxies,
    proxySecret,
    onDamage() {
      writing?.repair();
      repair('site');
    },
  });
  // All code is loaded before it listens: Node keeps an import that failed for want of a file descriptor.
  await Promise.all([service.app.ready(), service.load(), writing?.loaded]);
  const metrics = await reporting.serveMetrics(service.health);
  const address = await listen(service.app.server, settings.port, settings.host, onError);
  // Before the address is printed: a script may stop the service as soon as it reads the address.
  const stop = () => {
    incidents.phase = 'stopping';
    reporting.log.info('stopping');
    return service.stop();
  };
  const stopped = stopSignal(settings.isRunByNpx).then(stop);
  const failed = writing?.failed.catch(async (error: unknown) => {
    onError(error);
    process.exitCode = 1;
    // The writes that wait are answered.
    await stop();
  });
  return { address, metrics, updater, stopped: failed ? Promise.race([stopped, failed]) : stopped };
}

async function startWriting(
  settings: ServeSettings,
  { incidents, onError, onBuild }: Reporting,
  onDamage: WritingOptions['onDamage'],
) {
  const { db, out, folder, writeLimit, environmentKey } = settings;
  (await openUpgraded(settings, { mustExist: true })).close();
  const manifest = folder.manifest();
  const waitsForSnapshot = !manifest || snapshotDamage(folder.root, manifest) !== undefined;
  // Until the first build the folder may lack writes.
  incidents.phase = 'starting';
  const events = { onError, onBuild, onDamage };
  return openWriting({ db, out, writeLimit, environmentKey, waitsForSnapshot, ...events });
}

/** @returns undefined where nothing is published */
function startPublishing(
  { account, publishEvery, releases, origin, db, out }: ServeSettings,
  updater: LayerUpdater | undefined,
  onError: (error: unknown) => void,
) {
  if (account === undefined) return undefined;
  const interval = publishEvery === undefined ? undefined : publishEvery * 1000;
  const updateLayers = updater && (() => updater.bringUpToDate());
  return publishAfterBuilds({ account, releases, origin, db, out, interval, updateLayers, onError });
}

function announce(
  settings: ServeSettings,
  { address, metrics }: { address: string; metrics: string | undefined },
  { log }: Reporting,
): void {
  const { db, out, hasDatabase: writing } = settings;
  const changing = writing ? `changes go to ${db}` : `read-only, because there is no database at ${db}`;
  print(
    settings,
    { address, writing, ...(metrics && { metrics }) },
    `serving ${out} on ${address} (${changing}; try ${address}/api/nominations; Ctrl-C stops)${metrics ? `\nmetrics on ${metrics}` : ''}`,
  );
  log.info({ address, metrics }, 'serving');
  if (settings.warning !== undefined) log.warn(settings.warning);
}
