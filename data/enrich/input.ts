/** Reads a source file, or standard input, of any size: plain or gzip. Only a piece of it is in memory. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../user-error.ts';

const standardInput = '-';

const chunkBytes = 64 * 1024;

/**
 * The bytes of a file or of standard input, decompressed, in pieces.
 * @param onBytes called with the number of bytes of each piece that was read, before decompression
 * @throws UserError if it cannot be read, is cut off, or is compressed in another way
 */
export async function* readInput(name: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  const shownName = shownNameOf(name);
  const file = name === standardInput ? process.stdin : createReadStream(name);
  try {
    const { start, all } = await beginning(piecesOf(file, onBytes), ({ length }) => length >= 3);
    if (start.toString('latin1', 0, 3) === 'BZh')
      throw new UserError(
        `${shownName} is compressed with bzip2; run "bzcat ${name === standardInput ? 'FILE' : name} | awards enrich wikidata -"`,
      );
    yield* start[0] === 0x1f && start[1] === 0x8b ? decompressed(all) : all;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${shownName}: ${reasonOf(error as NodeJS.ErrnoException)}`, {
      cause: error,
    });
  } finally {
    file.destroy();
  }
}

async function* piecesOf(file: Readable, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of file as AsyncIterable<Buffer>) {
    onBytes?.(piece.length);
    yield piece;
  }
}

/** The first bytes of a stream, until they are enough or all, and all of its bytes. A pipe may deliver single bytes. */
export async function beginning(
  pieces: AsyncGenerator<Buffer>,
  isEnough: (start: Buffer) => boolean,
): Promise<{ start: Buffer; all: AsyncGenerator<Buffer> }> {
  let start = Buffer.alloc(0);
  while (!isEnough(start)) {
    const { value } = await pieces.next();
    if (value === undefined) break;
    start = Buffer.concat([start, value]);
  }
  async function* all() {
    yield start;
    yield* pieces;
  }
  return { start, all: all() };
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

/** An error reaches the reader of the stream. */
const decompressed = (pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(
    Readable.from(pieces, { objectMode: false, highWaterMark: chunkBytes }),
    createGunzip({ chunkSize: chunkBytes }),
    () => {},
  );

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  // zlib: "unexpected end of file".
  if (code === 'Z_BUF_ERROR') return 'its gzip data is cut off; fetch it again';
  return message;
}
