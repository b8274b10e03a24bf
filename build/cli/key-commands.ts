/** The commands "keys create", "keys list" and "keys revoke". */
import type { KeyEntry } from '../../data/keys.ts';
import { type CommandOptions, print, withDatabase } from './command.ts';

export const keyCommands = { create, list, revoke };

async function create(name: string, options: CommandOptions): Promise<void> {
  const { createKey } = await import('../../data/keys.ts');
  const key = await withDatabase(options, true, (connection) => createKey(connection, name, new Date()));
  print(
    options,
    { name, key },
    `${key}\n\nSend it as the header "x-api-key" with every write, and keep it safe: it cannot be shown again.`,
  );
}

async function list(options: CommandOptions): Promise<void> {
  const { listKeys } = await import('../../data/keys.ts');
  const keys = await withDatabase(options, true, listKeys);
  print(options, { keys }, keys.length === 0 ? noKeys : table(keys));
}

const noKeys = 'no keys yet; "awards keys create NAME" makes one';

async function revoke(name: string, options: CommandOptions): Promise<void> {
  const { revokeKey } = await import('../../data/keys.ts');
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
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** 2025-03-02T12:00:59.999Z → 2025-03-02 12:00 UTC */
const minute = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`;
