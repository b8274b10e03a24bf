/** The commands "backup" and "restore". */
import { number } from '../system/numbers.ts';
import { type CommandOptions, print } from './command.ts';
import { withProgress } from './progress.ts';

export const backupCommands = { backup, restore };

async function backup(file: string, options: CommandOptions & { force?: boolean }): Promise<void> {
  const { backUp } = await import('../../data/backup.ts');
  const { db, force } = options;
  const bytes = await withProgress('backing up', (onProgress) => backUp(db, file, { force, onProgress }));
  print(options, { file, bytes }, `${file}: backup of ${db}, ${number(bytes)} bytes, checked`);
}

async function restore(file: string, options: CommandOptions): Promise<void> {
  const backups = await import('../../data/backup.ts');
  const { db } = options;
  const report = backups.restore(file, db);
  const { replaced, counts } = report;
  const kept = replaced === undefined ? '' : `; the database that was there is now ${replaced}`;
  print(
    options,
    { db, backup: file, ...report },
    `${db}: restored from ${file}, ${number(counts.nominations)} nominations${kept}; next: "awards build", and "awards publish --force" if it was published`,
  );
}
