/** The commands that fill the database: "sample", "import" and "generate". */
import { lstatSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { mergeLog, removeDatabase } from '../../data/backup.ts';
import type { Connection } from '../../data/database/open.ts';
import { type ImportOptions, importRecord } from '../../data/import/import.ts';
import { renderReport } from '../../data/import/report.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { isThere, nameDurably, unfinishedName } from '../../data/system/files.ts';
import { UserError, number } from '../../data/system/messages.ts';
import type { GenerateOptions } from '../../tools/generate/generate.ts';
import { productCode } from '../snapshot/fingerprint.ts';
import { type CommandOptions, print, secondsSince, withDatabase, withProgress } from './command.ts';

export async function sample(options: CommandOptions): Promise<void> {
  const report = await withNewDatabase(options, fillWithSample);
  print(options, report, renderReport(report));
}

export async function importSource(source: string, options: CommandOptions & ImportOptions): Promise<void> {
  const work = (connection: Connection) =>
    importRecord(connection, source, { ...options, program: productCode() });
  const report =
    options.dryRun && !isThere(options.db)
      ? await withDatabase({ ...options, db: ':memory:' }, false, work)
      : await withNewDatabase(options, work);
  print(options, report, renderReport(report, options));
}

/** A checkout has it, a package does not. */
const generator = fileURLToPath(new URL('../../tools/generate/generate.ts', import.meta.url));

export async function generate(options: CommandOptions & GenerateOptions): Promise<void> {
  if (!isThere(generator))
    throw new UserError(
      'only a checkout of the project has the generator; "awards sample" fills an empty database here',
    );
  const { generateRecord } = await import('../../tools/generate/generate.ts');
  const began = performance.now();
  const fill = (connection: Connection) =>
    withProgress('generating', (onProgress) => generateRecord(connection, { ...options, onProgress }));
  const counts = await withNewDatabase(options, fill, false);
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  print(options, counts, `generated ${listed.join(', ')} in ${secondsSince(began)}`);
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Like withDatabase(), for a database that may be missing: work that fails, or is interrupted, does not
 * create it.
 * @param removesParts false for work that is synchronous for minutes: a signal ends the process at once, and
 *   the unfinished file stays
 */
async function withNewDatabase<T>(
  options: CommandOptions,
  work: (connection: Connection) => T,
  removesParts = true,
): Promise<Awaited<T>> {
  const { db } = options;
  if (isThere(db)) return withDatabase(options, false, work);
  if (lstatSync(db, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError(`${db} is a link to a file that is not there; mount its disk, or remove the link`);
  // SQLite would apply the log to the new database, and damage it.
  const log = ['-wal', '-journal'].map((suffix) => db + suffix).find(isThere);
  if (log !== undefined)
    throw new UserError(
      `${log} holds changes of a database that is gone; put that database back to ${db}, or remove the file`,
    );
  const unfinished = unfinishedName(db);
  const end = (signal: (typeof signals)[number]) => {
    removeDatabase(unfinished);
    process.exit(128 + constants.signals[signal]);
  };
  if (removesParts) for (const signal of signals) process.on(signal, end);
  try {
    const result = await withDatabase({ ...options, db: unfinished }, false, async (connection) => {
      const done = await work(connection);
      mergeLog(connection);
      return done;
    });
    if (nameDurably(unfinished, db)) return result;
    throw new UserError(`another program created ${db} meanwhile; run the command again`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message.replaceAll(unfinished, db), { cause: error });
  } finally {
    for (const signal of signals) process.off(signal, end);
    removeDatabase(unfinished);
  }
}
