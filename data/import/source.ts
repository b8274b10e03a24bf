/** Reads the bytes of a source: a file or an http(s) address, within limits of time and size. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { UserError } from '../../build/system/user-error.ts';

interface SourceLimits {
  /** For a whole download. */
  timeoutMs: number;
  maxBytes: number;
}

/** The record is 2.2 MB. */
const defaultLimits: SourceLimits = { timeoutMs: 60_000, maxBytes: 16 * 1024 * 1024 };

/**
 * The bytes of a source.
 * @throws UserError if the source cannot be read, is too large, or is a web page
 */
export async function readSource(source: string, limits = defaultLimits): Promise<Uint8Array> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new UserError(`cannot read ${source}: only files and http(s) addresses`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of await (scheme === undefined ? openFile(source) : download(source, limits))) {
      size += piece.byteLength;
      // Leaving the loop cancels a download.
      if (size > limits.maxBytes) throw tooLarge(source, limits);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${source}: ${reasonOf(error as Error, limits)}`, { cause: error });
  }
  const bytes = Buffer.concat(pieces);
  if (/^\s*</.test(bytes.subarray(0, 100).toString())) throw webPage(source);
  return bytes;
}

async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  if ((await stat(file)).isDirectory()) throw new UserError(`cannot read ${file}: it is a directory`);
  return createReadStream(file);
}

async function download(address: string, limits: SourceLimits): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(limits.timeoutMs) });
  const isPage = response.headers.get('content-type')?.includes('text/html');
  if (response.ok && !isPage) return response.body ?? Readable.from([]);
  await response.body?.cancel();
  if (response.ok) throw webPage(address);
  throw new UserError(
    `cannot read ${address}: the server answered ${response.status} ${response.statusText}`.trim(),
  );
}

function reasonOf(error: Error, limits: SourceLimits): string {
  if (error.name === 'TimeoutError') return `no complete answer within ${limits.timeoutMs / 1000} seconds`;
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'there is no such file';
  // The message of fetch is only "fetch failed". The cause has the reason.
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}

const tooLarge = (source: string, limits: SourceLimits) =>
  new UserError(`cannot read ${source}: it is larger than ${Math.floor(limits.maxBytes / 1024 / 1024)} MB`);

const webPage = (source: string) =>
  new UserError(
    `${source} is a web page, not the record itself; on GitHub use the address behind "Raw" (raw.githubusercontent.com)`,
  );
