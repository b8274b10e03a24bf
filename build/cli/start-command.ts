/**
 * The command "start", which "npm start" runs: fills the database, builds the snapshot and the site, and
 * serves.
 */
import { rootPath } from '../../api/contract/routes.ts';
import { buildLayers } from './build-commands.ts';
import { output, printLine } from './command.ts';
import { provideKey } from './record-commands.ts';
import { type RunningService, runService } from './serve-command.ts';
import { readServeSettings, type ServeOptions } from './serve-settings.ts';
import { fillRecord, printRecord } from './start-record.ts';

/** @param source of the whole record; undefined for what is there, or the sample */
export async function start(source: string | undefined, options: ServeOptions): Promise<void> {
  output.mayBeLost = true;
  const settings = await readServeSettings(options, true);
  await fillRecord(source, settings);
  // Without pages: the service answers from the snapshot, and its updater makes them.
  await buildLayers({ ...options, quiet: true }, ['site']);
  await printRecord(options);
  if (settings.environmentKey === undefined) await provideKey(options);
  await runService(settings, (service) => void announceParts(options, service));
}

/** Says where the service has something for people and programs, and when the pages are there. */
async function announceParts(options: ServeOptions, { address, updater }: RunningService): Promise<void> {
  const say = (line: string) => options.json || printLine(line);
  for (const [name, path] of Object.entries({ site: '/', API: rootPath, docs: '/docs', editor: '/edit' }))
    say(`  ${name.padEnd(8)}${address}${path}`);
  await updater?.bringUpToDate().then(
    () => say('all pages, lists and downloads are up to date'),
    // It failed, and the updater tries again; or the service stops.
    () => {},
  );
}
