/** The commands that fill the database and build from it. */
import { lstatSync } from 'node:fs';
import { type LayerName, layerNames } from '../../api/contract/layers.ts';
import { isThere } from '../system/files.ts';
import type { GenerateOptions } from '../../data/generate/generate.ts';
import type { ImportOptions } from '../../data/import/import.ts';
import type { Connection } from '../../data/database/open.ts';
import { UserError, counted, number } from '../system/messages.ts';
import type { LayerOptions } from '../derived/all.ts';
import type { LayerState } from '../verify.ts';
import {
  type CommandOptions,
  print,
  printLine,
  secondsSince,
  withDatabase,
  withProgress,
  interruptible,
} from './command.ts';

export interface BuildCommandOptions extends CommandOptions, LayerOptions {
  out: string;
  full?: boolean;
  explain?: boolean;
  /** False leaves the downloads as they are. */
  downloads?: boolean;
}

export const commands = { sample, import: importSource, generate, build, verify };

/** The layers that a command keeps up to date. */
export const chosenLayers = ({ downloads }: Pick<BuildCommandOptions, 'downloads'>): readonly LayerName[] =>
  downloads === false ? layerNames.filter((name) => name !== 'downloads') : layerNames;

async function sample(options: CommandOptions): Promise<void> {
  const { fillWithSample } = await import('../../data/sample/sample.ts');
  const { renderReport } = await import('../../data/import/merge.ts');
  const report = await withNewDatabase(options, fillWithSample);
  print(options, report, renderReport(report));
}

async function importSource(source: string, options: CommandOptions & ImportOptions): Promise<void> {
  const { importRecord } = await import('../../data/import/import.ts');
  const { renderReport } = await import('../../data/import/merge.ts');
  const work = (connection: Connection) => importRecord(connection, source, options);
  const report =
    options.dryRun && !isThere(options.db)
      ? await withDatabase({ ...options, db: ':memory:' }, false, work)
      : await withNewDatabase(options, work);
  print(options, report, renderReport(report, options));
}

/**
 * Like withDatabase(), for a database that may be missing: work that fails, or is interrupted, does not create it.
 * @param ending.endsAtOnce for work that is synchronous for minutes: a signal ends the process at once, and the unfinished file
 *   stays
 */
async function withNewDatabase<T>(
  options: CommandOptions,
  work: (connection: Connection) => T,
  ending: { endsAtOnce?: boolean } = {},
): Promise<Awaited<T>> {
  const { db } = options;
  if (isThere(db)) return withDatabase(options, false, work);
  if (lstatSync(db, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError(`${db} is a link to a file that is not there; mount its disk, or remove the link`);
  refuseLogs(db);
  const { mergeLog, removeDatabase } = await import('../../data/backup.ts');
  const { nameDurably, unfinishedName } = await import('../system/files.ts');
  const unfinished = unfinishedName(db);
  const cleanUp = () => removeDatabase(unfinished);
  const fill = async (awaitSignals?: () => Promise<void>) => {
    const result = await withDatabase({ ...options, db: unfinished }, false, async (connection) => {
      const done = await work(connection);
      mergeLog(connection);
      return done;
    });
    await awaitSignals?.();
    if (!nameDurably(unfinished, db))
      throw new UserError(`another program created ${db} meanwhile; run the command again`);
    return result;
  };
  try {
    return await (ending.endsAtOnce ? fill() : interruptible(fill, cleanUp));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message.replaceAll(unfinished, db), { cause: error });
  } finally {
    cleanUp();
  }
}

/** @throws UserError if a database that is gone has left its log: SQLite would apply it to the new one, and damage it */
function refuseLogs(db: string): void {
  const log = ['-wal', '-journal'].map((suffix) => db + suffix).find(isThere);
  if (log === undefined) return;
  throw new UserError(
    `${log} holds changes of a database that is gone; put that database back to ${db}, or remove the file`,
  );
}

async function generate(options: CommandOptions & GenerateOptions): Promise<void> {
  const { generateRecord } = await import('../../data/generate/generate.ts');
  const began = performance.now();
  const fill = (connection: Connection) =>
    withProgress('generating', (onProgress) => generateRecord(connection, { ...options, onProgress }));
  const counts = await withNewDatabase(options, fill, { endsAtOnce: true });
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  print(options, counts, `generated ${listed.join(', ')} in ${secondsSince(began)}`);
}

/** @param names the layers to bring up to date */
async function build(options: BuildCommandOptions, names = chosenLayers(options)): Promise<void> {
  const { buildFolder } = await import('../build.ts');
  const { out, explain } = options;
  const start = performance.now();
  const report = await withDatabase(options, true, (connection) =>
    withProgress('building', (onProgress) =>
      buildFolder(connection, out, { ...options, layers: names, onProgress }),
    ),
  );
  const { snapshot, scope, reason, rendered, layers, files } = report;
  const written = files.filter((file) => file.action === 'written').length;
  const removed = files.length - written;
  const changed = [report, ...layers].find((part) => part.scope !== 'nothing');
  const done = changed ? `${counted(written, 'file')} written, ${number(removed)} removed` : 'up to date';
  const what = changed ?? report;
  const summaries = layers.map(({ files: own, snapshot: _, ...layer }) => ({ ...layer, files: own.length }));
  const details = { snapshot, scope, reason, rendered, written, removed, layers: summaries };
  if (explain && !options.json)
    for (const [stage, part] of [
      ['snapshot', report] as const,
      ...layers.map((layer) => [layer.layer, layer] as const),
    ])
      printLine(`${stage}: ${part.scope} (${part.reason})`);
  print(
    options,
    details,
    `${out}: snapshot ${snapshot}, ${done} in ${secondsSince(start)} (${what.scope}: ${what.reason})`,
  );
}

async function verify(options: BuildCommandOptions): Promise<void> {
  const verifier = await import('../verify.ts');
  const { layersOf } = await import('../derived/all.ts');
  const { out } = options;
  const start = performance.now();
  const result = await withDatabase(options, true, (connection) =>
    withProgress('verifying', (onProgress) =>
      verifier.verify(connection, out, layersOf(layerNames, options), { onProgress }),
    ),
  );
  const { differences, files: count, layers, snapshot } = result;
  if (differences.length > 0) process.exitCode = 1;
  const lines = differences.map(({ path, problem }) => `${problem} ${path}`);
  const isBehind = Object.values(layers).includes('behind');
  const summary =
    differences.length === 0
      ? `${out}: all ${counted(count, 'file')} are equal to a clean build, snapshot ${snapshot}, in ${secondsSince(start)}${downloadsNote[layers.downloads ?? 'current']}`
      : `${out}: ${counted(differences.length, 'file')} of ${number(count)} ${differences.length === 1 ? 'differs' : 'differ'} from a clean build; "awards build${isBehind ? '' : ' --full'}" repairs them`;
  print(options, result, [...lines, summary].join('\n'));
}

const downloadsNote: Readonly<Record<LayerState, string>> = {
  current: '',
  missing: '; there are no downloads, "awards build" makes them',
  behind: '; the downloads are those of an earlier snapshot or of other options, "awards build" updates them',
};
