/** Fetches the bytes of a source, a file or an http(s) address, within limits of time and size. */
import { readFile, stat } from 'node:fs/promises';
import { UserError } from '../user-error.ts';

export interface SourceLimits {
  /** For the whole transfer from an address. */
  timeoutMilliseconds: number;
  bytes: number;
}

/** The record is 2.2 MB; what is thirty times that is something else. */
const defaultLimits: SourceLimits = { timeoutMilliseconds: 60_000, bytes: 64 * 1024 * 1024 };

/** @throws UserError if there is nothing to read, or it is no such file as a record can be */
export async function readSource(source: string, limits = defaultLimits): Promise<Uint8Array> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new UserError(`cannot read ${source}: only files and http(s) addresses`);
  const bytes = scheme === undefined ? await readLocal(source, limits) : await download(source, limits);
  if (/^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 100)))) throw webPage(source);
  return bytes;
}

async function readLocal(file: string, limits: SourceLimits): Promise<Uint8Array> {
  try {
    const status = await stat(file);
    if (status.isDirectory()) throw new UserError(`cannot read ${file}: it is a directory`);
    if (status.size > limits.bytes) throw tooLarge(file, limits);
    return await readFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw new UserError(`cannot read ${file}: ${reason}`, { cause: error });
  }
}

async function download(address: string, limits: SourceLimits): Promise<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(limits.timeoutMilliseconds) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new UserError(
        `cannot read ${address}: the server answered ${response.status} ${response.statusText}`.trim(),
      );
    }
    if (response.headers.get('content-type')?.includes('text/html')) {
      await response.body?.cancel();
      throw webPage(address);
    }
    return await gather(response, address, limits);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${address}: ${reasonOf(error as Error, limits)}`, { cause: error });
  }
}

async function gather(response: Response, address: string, limits: SourceLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the transfer.
    if (size > limits.bytes) throw tooLarge(address, limits);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: Error, limits: SourceLimits): string {
  if (error.name === 'TimeoutError')
    return `no complete answer within ${limits.timeoutMilliseconds / 1000} seconds`;
  // fetch says only "fetch failed"; why is in the cause.
  const cause = error.cause as (Error & { code?: string }) | undefined;
  return cause?.message || cause?.code || error.message;
}

const tooLarge = (source: string, limits: SourceLimits) =>
  new UserError(`cannot read ${source}: it is larger than ${Math.floor(limits.bytes / 1024 / 1024)} MB`);

const webPage = (source: string) =>
  new UserError(
    `${source} is a web page, not the record itself; on GitHub use the address behind "Raw" (raw.githubusercontent.com)`,
  );
