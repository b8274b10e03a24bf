/** Reads a source file, or standard input, whole: plain or gzip. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UserError } from '../../build/system/user-error.ts';

const standardInput = '-';

/** Of one file, also after decompression. The results for 5,000 films have 16 MB. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The text of a file or of standard input, decompressed.
 * @param onBytes called with the number of bytes of each piece that was read, before decompression
 * @throws UserError if it cannot be read, is cut off, or is too large
 */
export async function readInput(name: string, onBytes: (bytes: number) => void): Promise<string> {
  const file = name === standardInput ? process.stdin : createReadStream(name);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of file as AsyncIterable<Buffer>) {
      onBytes(piece.length);
      size += piece.length;
      if (size > maxBytes) throw tooLarge(name);
      pieces.push(piece);
    }
    const bytes = Buffer.concat(pieces);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }) : bytes;
    // The decoder removes a byte order mark.
    return new TextDecoder().decode(plain);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw new UserError(`cannot read ${shownNameOf(name)}: ${reasonOf(error as NodeJS.ErrnoException)}`, {
      cause: error,
    });
  }
}

const tooLarge = (name: string) =>
  new UserError(
    `${shownNameOf(name)} is larger than ${maxBytes / 1024 / 1024} MB; ask for fewer ids at once`,
  );

/** The size of some files, 0 if it is unknown. */
export async function sizeOf(names: readonly string[]): Promise<number> {
  const sizes = names.map((name) =>
    name === standardInput
      ? 0
      : stat(name)
          .then(({ size }) => size)
          .catch(() => 0),
  );
  const known = await Promise.all(sizes);
  return known.includes(0) ? 0 : known.reduce((sum, size) => sum + size, 0);
}

export const shownNameOf = (name: string): string => (name === standardInput ? 'standard input' : name);

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  // zlib: "unexpected end of file".
  if (code === 'Z_BUF_ERROR') return 'its gzip data is cut off; fetch it again';
  return message;
}
