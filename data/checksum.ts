/** The SHA-256 of files. That of a backup is in a file beside it, in the format of sha256sum: `sha256sum --check` takes it. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { writeDurably } from './durable-files.ts';
import { identityOf } from './file-identity.ts';
import { UserError } from './user-error.ts';

const chunkBytes = 1024 * 1024;

export const checksumFile = (backup: string): string => `${backup}.sha256`;

export interface Measure {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Size and hash of an existing file of any size. @param copy a new file to which the bytes are written too */
export function measureFile(file: string, copy?: string): Measure {
  const [from, to] = [openSync(file, 'r'), copy === undefined ? undefined : openSync(copy, 'wx')];
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(chunkBytes);
    let size = 0;
    for (let length = readSync(from, chunk); length > 0; length = readSync(from, chunk)) {
      const bytes = chunk.subarray(0, length);
      hash.update(bytes);
      size += length;
      for (let written = 0; to !== undefined && written < length; ) written += writeSync(to, bytes, written);
    }
    return { bytes: size, sha256: hash.digest('hex') };
  } finally {
    closeSync(from);
    if (to !== undefined) closeSync(to);
  }
}

export function writeChecksum(backup: string, sha256: string): void {
  writeDurably(checksumFile(backup), `${sha256}  ${basename(backup)}\n`);
}

/**
 * Replaces a checksum that may be of another file, and does so again if the backup is replaced meanwhile.
 * @returns the SHA-256 of the backup; undefined if it was removed, and then its checksum is removed too
 */
export function repairChecksum(backup: string): string | undefined {
  const measured = identityOf(backup);
  if (measured === undefined) {
    removeChecksum(backup);
    return undefined;
  }
  const { sha256 } = measureFile(backup);
  writeChecksum(backup, sha256);
  return identityOf(backup) === measured ? sha256 : repairChecksum(backup);
}

export const removeChecksum = (backup: string): void => rmSync(checksumFile(backup), { force: true });

/** The noted SHA-256; undefined if there is no such file. @throws UserError if the file does not begin with one */
export function readChecksum(backup: string): string | undefined {
  const file = checksumFile(backup);
  if (!existsSync(file)) return undefined;
  const [sha256] = /^[0-9a-f]{64}\b/i.exec(readFileSync(file, 'utf8')) ?? [];
  if (sha256 === undefined)
    throw new UserError(`${file} does not begin with a SHA-256; make it again, or remove it`);
  return sha256.toLowerCase();
}
