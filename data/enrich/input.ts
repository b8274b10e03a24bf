/** Reads a source file, or standard input, of any size: plain or gzip. Only a piece of it is in memory. */
import { closeSync, openSync, read } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { UserError } from '../user-error.ts';

const standardInput = '-';

const chunkBytes = 64 * 1024;

/**
 * The bytes of a file or of standard input, decompressed, in pieces. A piece is valid until the next one is read: all pieces
 * of an uncompressed input share one buffer.
 * @param onBytes called with the number of bytes of each piece that was read, before decompression
 * @throws UserError if it cannot be read, is cut off, or is compressed in another way
 */
export async function* readInput(name: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  const shownName = shownNameOf(name);
  let file: number | undefined;
  try {
    file = name === standardInput ? 0 : openSync(name, 'r');
    const start = await readPiece(file, Buffer.alloc(chunkBytes), 3);
    if (start.toString('latin1', 0, 3) === 'BZh')
      throw new UserError(
        `${shownName} is compressed with bzip2; run "bzcat ${name === standardInput ? 'FILE' : name} | awards enrich wikidata -"`,
      );
    const pieces = readFrom(file, start, onBytes);
    if (start[0] === 0x1f && start[1] === 0x8b) yield* decompressed(pieces);
    else yield* pieces;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${shownName}: ${reasonOf(error as NodeJS.ErrnoException)}`, {
      cause: error,
    });
  } finally {
    if (file !== undefined && name !== standardInput) closeSync(file);
  }
}

async function* readFrom(
  file: number,
  start: Buffer,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const buffer = Buffer.from(start.buffer);
  for (let piece = start; piece.length > 0; piece = await readPiece(file, buffer, 1)) {
    onBytes(piece.length);
    yield piece;
  }
}

const readAsync = promisify(read);

/** Reads at least some bytes into a buffer; fewer at the end of the file. A pipe may deliver single bytes. */
async function readPiece(file: number, buffer: Buffer, atLeast: number): Promise<Buffer> {
  let length = 0;
  while (length < atLeast) {
    const { bytesRead } = await readAsync(file, buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** Whether a source can be read a second time: a pipe cannot. */
export const canBeReadTwice = async (name: string): Promise<boolean> =>
  name !== standardInput && (await stat(name)).isFile();

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

async function* decompressed(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  async function* copies() {
    for await (const piece of pieces) yield Buffer.from(piece);
  }
  // An error reaches the reader of the stream.
  yield* pipeline(
    Readable.from(copies(), { objectMode: false, highWaterMark: chunkBytes }),
    createGunzip({ chunkSize: chunkBytes }),
    () => {},
  );
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  // zlib: "unexpected end of file".
  if (code === 'Z_BUF_ERROR') return 'its gzip data is cut off; fetch it again';
  return message;
}
