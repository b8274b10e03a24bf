/** The commands "backup", "restore" and "receipts prune". */
import type { BackupOptions } from '../../data/backup.ts';
import { number } from '../system/numbers.ts';
import type { RestoreOptions } from '../../data/restore.ts';
import { type CommandOptions, print, withDatabase } from './command.ts';
import { withProgress } from './progress.ts';

interface PruneOptions extends CommandOptions {
  before: Date;
  dryRun?: boolean;
}

export const backupCommands = { backup, restore, pruneReceipts };

async function backup(file: string, options: CommandOptions & BackupOptions): Promise<void> {
  const { backUp } = await import('../../data/backup.ts');
  const { db, force } = options;
  const report = await withProgress('backing up', (onProgress) => backUp(db, file, { force, onProgress }));
  print(
    options,
    report,
    `${file}: backup of ${db}, ${number(report.bytes)} bytes, checked; its SHA-256 is ${report.sha256}, also in ${file}.sha256`,
  );
}

async function restore(file: string, options: CommandOptions & RestoreOptions): Promise<void> {
  const backups = await import('../../data/restore.ts');
  const { db, force } = options;
  const report = backups.restore(file, db, { force });
  const { replaced, counts, verified } = report;
  const checked = verified ? 'its checksum is right' : 'without a checksum';
  const kept = replaced === undefined ? '' : `; the database that was there is now ${replaced}`;
  print(
    options,
    { db, backup: file, ...report },
    `${db}: restored from ${file} (${checked}), ${number(counts.nominations)} nominations${kept}; next: "awards build", and "awards publish --force" if it was published`,
  );
}

async function pruneReceipts(options: PruneOptions): Promise<void> {
  const receipts = await import('../../data/receipts.ts');
  const { before, dryRun } = options;
  const report = await withDatabase(options, true, (connection) =>
    receipts.pruneReceipts(connection, before, { dryRun }),
  );
  const { deleted, remaining } = report;
  const done = dryRun ? 'would be deleted' : 'deleted';
  print(
    options,
    { before: before.toISOString(), dryRun: dryRun === true, ...report },
    `${number(deleted)} receipts from before ${before.toISOString()} ${done}, ${number(remaining)} remain`,
  );
}
