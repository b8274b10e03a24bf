/**
 * The keys for writing. The database stores only the SHA-256 of a key. Secret scanners find a key by its
 * prefix; the checksum lets them tell it from other texts.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Connection, prepared } from '../database/open.ts';
import { writeTransaction } from '../database/transaction.ts';
import { UserError } from '../system/messages.ts';

/** A key as the list shows it. Times are ISO 8601 in UTC. */
export interface KeyEntry {
  name: string;
  createdAt: string;
  /** To the minute; null if unused. */
  lastUsedAt: string | null;
  /** Null if valid. */
  revokedAt: string | null;
}

const prefix = 'fa_';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 178 random bits. */
const randomLength = 30;
/** Enough for the 32 bits of a CRC-32. */
const checksumLength = 6;

/** The name of the key from the environment, in receipts. */
export const environmentKeyName = 'environment';

/** Stands for imports in receipts. */
export const importKeyName = 'import';

/** Uses within this time are recorded once. */
const useIntervalMs = 60_000;

/** A new key: `fa_`, 30 random base62 digits, and the CRC-32 of these as 6 base62 digits. */
export function generateKey(): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)]).join('');
  return `${prefix}${random}${checksumOf(prefix + random)}`;
}

function checksumOf(text: string): string {
  let checksum = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / base62.length))
    checksum = base62[rest % base62.length] + checksum;
  return checksum.padStart(checksumLength, '0');
}

/**
 * Generates a key and stores its digest.
 * @returns the key, which cannot be read again
 * @throws UserError if the name is malformed, reserved, or taken, also by a revoked key; DatabaseBusy
 */
export function createKey(connection: Connection, name: string, at: Date): string {
  if (!/^[0-9A-Za-z._-]{1,100}$/.test(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot be the name of a key: it must be 1 to 100 letters (A to Z), digits, ".", "_" or "-"`,
    );
  if (name === importKeyName)
    throw new UserError(`"${name}" stands for imports in receipts; choose another name`);
  if (name === environmentKeyName)
    throw new UserError(`"${name}" is the name of the key in AWARDS_API_KEY; choose another name`);
  const key = generateKey();
  writeTransaction(connection, () => {
    const taken = stateOf(connection, name);
    if (taken)
      throw new UserError(
        `there is a${taken.revoked_at ? ' revoked' : ''} key named "${name}" already; choose another name`,
      );
    connection
      .prepare('INSERT INTO api_keys (name, digest, created_at) VALUES (?, ?, ?)')
      .run(name, digestOf(key).toString('hex'), at.toISOString());
  });
  return key;
}

/** All keys, revoked ones too, ascending by name (code units). */
export function listKeys(connection: Connection): KeyEntry[] {
  return connection
    .prepare<[], KeyEntry>(
      `SELECT name, created_at AS createdAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt
       FROM api_keys ORDER BY name`,
    )
    .all();
}

/**
 * Revokes a key for ever.
 * @throws UserError if there is no such key, or it is revoked already; DatabaseBusy
 */
export function revokeKey(connection: Connection, name: string, at: Date): void {
  writeTransaction(connection, () => {
    const key = stateOf(connection, name);
    if (!key)
      throw new UserError(`there is no key named ${JSON.stringify(name)}; "awards keys list" shows all`);
    if (key.revoked_at) throw new UserError(`the key "${name}" was revoked already, at ${key.revoked_at}`);
    connection.prepare('UPDATE api_keys SET revoked_at = ? WHERE name = ?').run(at.toISOString(), name);
  });
}

/** The name of a presented key; undefined if it is unknown or revoked. */
export function findKey(connection: Connection, key: string): string | undefined {
  // The time of the search can only tell about digests, from which no key can be guessed.
  return prepared<[string], string>(
    connection,
    'SELECT name FROM api_keys WHERE digest = ? AND revoked_at IS NULL',
  )
    .pluck()
    .get(digestOf(key).toString('hex'));
}

/** Whether there was a key of this name, and it is revoked. */
export const isRevoked = (connection: Connection, name: string): boolean =>
  (stateOf(connection, name)?.revoked_at ?? null) !== null;

/** Records a use of a key, at most once a minute. @throws DatabaseBusy */
export function touchKey(connection: Connection, name: string, at: Date): void {
  const key = stateOf(connection, name);
  const isRecorded = key?.last_used_at && Date.parse(key.last_used_at) >= at.getTime() - useIntervalMs;
  if (!key || isRecorded) return;
  writeTransaction(connection, () =>
    connection.prepare('UPDATE api_keys SET last_used_at = ? WHERE name = ?').run(at.toISOString(), name),
  );
}

function stateOf(connection: Connection, name: string) {
  return prepared<[string], { last_used_at: string | null; revoked_at: string | null }>(
    connection,
    'SELECT last_used_at, revoked_at FROM api_keys WHERE name = ?',
  ).get(name);
}

/** The SHA-256 of a secret, for a comparison in constant time. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
