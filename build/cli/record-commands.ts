/** The commands "keys …", "backup" and "restore". */
import * as backups from '../../data/backup.ts';
import { createKey, type KeyEntry, listKeys, revokeKey } from '../../data/record/keys.ts';
import { number } from '../../data/system/messages.ts';
import { type CommandOptions, print, withDatabase } from './command.ts';

export async function create(name: string, options: CommandOptions): Promise<void> {
  const key = await withDatabase(options, true, (connection) => createKey(connection, name, new Date()));
  print(
    options,
    { name, key },
    `${key}\n\nSend it as the header "x-api-key" with every write, and keep it safe: it cannot be shown again.`,
  );
}

/** Name of the key that the first start creates. */
const firstKey = 'first';

/**
 * Names the valid keys. If there was never one, creates it and prints it once, on a terminal: other output is
 * often a log, which must not hold a key.
 */
export async function provideKey(options: CommandOptions): Promise<void> {
  await withDatabase(options, true, (connection) => {
    const keys = listKeys(connection);
    if (keys.length === 0 && process.stdout.isTTY) {
      const key = createKey(connection, firstKey, new Date());
      const text = `the key for writing, shown only once: ${key} (send it as the header "x-api-key")`;
      print(options, { name: firstKey, key }, text);
      return;
    }
    const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
    const known = names.length > 0 ? `keys for writing: ${names.join(', ')}` : 'there is no key for writing';
    const makes = `makes ${names.length > 0 ? 'another' : 'one'}`;
    print(options, { keys: names }, `${known}; "awards keys create NAME" ${makes}`);
  });
}

export async function list(options: CommandOptions): Promise<void> {
  const keys = await withDatabase(options, true, listKeys);
  print(
    options,
    { keys },
    keys.length === 0 ? 'no keys yet; "awards keys create NAME" makes one' : table(keys),
  );
}

export async function revoke(name: string, options: CommandOptions): Promise<void> {
  const at = new Date();
  await withDatabase(options, true, (connection) => revokeKey(connection, name, at));
  print(
    options,
    { name, revokedAt: at.toISOString() },
    `the key "${name}" is revoked: all writes with it are refused`,
  );
}

/** Lines of aligned columns under a heading. */
function table(keys: readonly KeyEntry[]): string {
  const rows = [
    ['NAME', 'CREATED', 'LAST USED', 'STATE'],
    ...keys.map(({ name, createdAt, lastUsedAt, revokedAt }) => [
      name,
      minute(createdAt),
      lastUsedAt === null ? 'never' : minute(lastUsedAt),
      revokedAt === null ? 'active' : `revoked ${minute(revokedAt)}`,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** 2025-03-02T12:00:59.999Z → 2025-03-02 12:00 UTC */
const minute = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

export function backup(file: string, options: CommandOptions & { force?: boolean }): void {
  const { db, force } = options;
  const bytes = backups.backUp(db, file, { force });
  print(options, { file, bytes }, `${file}: backup of ${db}, ${number(bytes)} bytes, checked`);
}

export async function restore(file: string, options: CommandOptions): Promise<void> {
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
