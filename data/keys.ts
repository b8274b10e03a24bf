/**
 * The keys that writing needs. A key is shown once, when it is made; the database holds its SHA-256, from which nobody gets
 * it back. Its prefix lets secret scanners find it where it should not be, its checksum tells a typo from a wrong key.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Connection } from './open.ts';
import { UserError } from './user-error.ts';
import { writeTransaction } from './transaction.ts';

/** A key as the list shows it. Times are ISO 8601 in UTC. */
export interface KeyEntry {
  name: string;
  createdAt: string;
  /** To the minute; null if never used. */
  lastUsedAt: string | null;
  /** Null while it is good. */
  revokedAt: string | null;
}

const prefix = 'fa_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 178 bits: more than anybody can try. */
const randomLength = 30;
/** As many digits to base 62 as 32 bits take. */
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** The name that receipts give to the key from the environment. */
export const environmentKeyName = 'environment';

/** A use is noted again after this many milliseconds: keys are used many times a second. */
const noteAgainAfter = 60_000;

/** A new key: `fa_`, 30 random digits to base 62, and 6 of the CRC-32 of all that. */
export function generateKey(): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('');
  return `${prefix}${random}${checksumOf(prefix + random)}`;
}

function checksumOf(text: string): string {
  let checksum = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / digits.length))
    checksum = digits[rest % digits.length] + checksum;
  return checksum.padStart(checksumLength, '0');
}

/** Whether a text may be a key that was generated here: it has the shape, and its checksum is right. */
export function isWellFormedKey(key: string): boolean {
  return shape.test(key) && checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength);
}

/**
 * Makes a key and keeps its digest.
 * @returns the key, which cannot be had again
 * @throws UserError if the name is malformed, reserved, or that of another key, a revoked one included; or if another program
 *   keeps the database locked
 */
export function createKey(connection: Connection, name: string, at: Date): string {
  if (!/^[0-9A-Za-z._-]{1,100}$/.test(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot be the name of a key: it must be 1 to 100 letters (A to Z), digits, ".", "_" or "-"`,
    );
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
 * Ends a key for good.
 * @throws UserError if there is none of that name, or it is revoked already; or if another program keeps the database locked
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

/** The name of the key that was presented; undefined if it is none, or revoked. */
export function findKey(connection: Connection, key: string): string | undefined {
  const presented = digestOf(key);
  let found: string | undefined;
  // Every key is compared to the end, so that the time it takes tells nothing.
  for (const { name, digest } of connection
    .prepare<[], { name: string; digest: string }>(
      'SELECT name, digest FROM api_keys WHERE revoked_at IS NULL',
    )
    .iterate())
    if (timingSafeEqual(presented, Buffer.from(digest, 'hex'))) found = name;
  return found;
}

/**
 * Notes that a key was used, unless that was noted within the last minute.
 * @throws UserError if another program keeps the database locked
 */
export function touchKey(connection: Connection, name: string, at: Date): void {
  const key = stateOf(connection, name);
  const isNoted = key?.last_used_at && Date.parse(key.last_used_at) >= at.getTime() - noteAgainAfter;
  if (!key || isNoted) return;
  writeTransaction(connection, () =>
    connection.prepare('UPDATE api_keys SET last_used_at = ? WHERE name = ?').run(at.toISOString(), name),
  );
}

/** Whether there is a key that is not revoked. */
export function hasKeys(connection: Connection): boolean {
  return connection.prepare('SELECT 1 FROM api_keys WHERE revoked_at IS NULL').get() !== undefined;
}

function stateOf(connection: Connection, name: string) {
  return connection
    .prepare<[string], { last_used_at: string | null; revoked_at: string | null }>(
      'SELECT last_used_at, revoked_at FROM api_keys WHERE name = ?',
    )
    .get(name);
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
