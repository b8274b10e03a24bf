/** Answers requests for files: conditions, ranges and encodings as RFC 9110 has them. */
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { matchesWeakly } from '../contract/etag.ts';
import { contentTypeOf, fileHeaders, notFoundPage, wantsPage } from '../contract/site.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { type Encoding, filePathOf, type PublicFile, PublicFiles } from './public-files.ts';

/** Methods of a file's address. */
const methods = 'GET, HEAD, OPTIONS';

/** Types worth compressing. */
const isText = (type: string): boolean => /^text\/|json|javascript|svg|xml/.test(type);

export class FileAnswers {
  readonly #files: PublicFiles;

  constructor(root: string, keptBytes = 32 * 1024 * 1024) {
    this.#files = new PublicFiles(root, keptBytes);
  }

  /** Answers, if there is such a file; a person who asks for a page that is not there is told so. @returns whether it did */
  async take(request: IncomingMessage, response: ServerResponse, address: string): Promise<boolean> {
    const path = filePathOf(address);
    const file = path === undefined ? undefined : await this.#files.find(path);
    if (file === undefined) return this.#notFound(request, response);
    try {
      await this.#answer(request, response, file);
    } finally {
      await closeFile(file);
    }
    return true;
  }

  async #notFound(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const page = wantsPage(request.method, request.headers.accept)
      ? await this.#files.find(notFoundPage)
      : undefined;
    if (page?.bytes === undefined) {
      if (page) await closeFile(page);
      return false;
    }
    const { status } = problemAnswer('unknown-address', '');
    const headers = { ...headersOf(page), 'Cache-Control': 'no-store', 'Content-Length': page.size };
    response.writeHead(status, headers);
    response.end(page.bytes);
    return true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, file: PublicFile): Promise<void> {
    const { method } = request;
    if (method === 'OPTIONS') {
      const allowed = { Allow: methods, 'Access-Control-Allow-Origin': '*', 'Content-Length': 0 };
      response.writeHead(204, { ...allowed, 'Access-Control-Allow-Methods': methods }).end();
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      sendProblem(
        response,
        problemAnswer('method-not-allowed', `${method} is not allowed here`, { Allow: methods }),
      );
      return;
    }
    const headers = headersOf(file);
    const unchanged = unchangedTag(request, file);
    if (unchanged !== undefined) {
      response.writeHead(304, { ...headers, ETag: unchanged }).end();
      return;
    }
    const range = method === 'GET' ? rangeOf(request, file) : undefined;
    if (range) await sendRange(response, file, headers, range);
    else await this.#sendWhole(request, response, file, headers);
  }

  async #sendWhole(
    request: IncomingMessage,
    response: ServerResponse,
    file: PublicFile,
    headers: Record<string, string>,
  ): Promise<void> {
    const encoding = isText(headers['Content-Type']!) ? wantedEncoding(request) : undefined;
    const encoded = encoding && (await this.#files.encoded(file, encoding));
    if (encoding && encoded)
      response.writeHead(200, {
        ...headers,
        ETag: etagOf(file, encoding),
        'Content-Encoding': encoding,
        'Content-Length': encoded.length,
      });
    else response.writeHead(200, { ...headers, 'Content-Length': file.size });
    if (file.bytes || request.method === 'HEAD') response.end(encoded ?? file.bytes);
    else await sendFrom(response, file.handle, 0, file.size - 1);
  }
}

function headersOf(file: PublicFile): Record<string, string> {
  const type = contentTypeOf(file.path);
  return {
    'Content-Type': type,
    ...fileHeaders(file.path),
    ETag: file.etag,
    'Last-Modified': file.modified.toUTCString(),
    'Accept-Ranges': 'bytes',
    ...(isText(type) && { Vary: 'Accept-Encoding' }),
  };
}

/** Other bytes have another strong tag. */
const etagOf = (file: PublicFile, encoding: Encoding): string => `${file.etag.slice(0, -1)}-${encoding}"`;

/** The tag of the bytes that the client has, if they are those of the file still; undefined if it must be sent. */
function unchangedTag({ headers }: IncomingMessage, file: PublicFile): string | undefined {
  const known = headers['if-none-match'];
  if (known !== undefined)
    return [file.etag, etagOf(file, 'br'), etagOf(file, 'gzip')].find((etag) => matchesWeakly(known, etag));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(file.modified.getTime() / 1000) * 1000 <= since ? file.etag : undefined;
}

/** The best of what the client takes (RFC 9110 section 12.5.3); undefined for the bytes as they are. */
function wantedEncoding({ headers }: IncomingMessage): Encoding | undefined {
  const weights = new Map(
    String(headers['accept-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', weight] = part.split(';').map((piece) => piece.trim());
        return [name, weight === undefined ? 1 : Number(weight.replace(/^q=/, ''))] as const;
      }),
  );
  const accepts = (name: Encoding) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : undefined;
}

type Range = { first: number; last: number } | 'unsatisfiable';

/** The one range that is asked for; undefined for all of it: no range, several, or one of bytes that are no more. */
function rangeOf({ headers }: IncomingMessage, file: PublicFile): Range | undefined {
  const [, from, to] = /^bytes=([0-9]*)-([0-9]*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  const condition = headers['if-range'];
  // A date is a strong condition only if nothing was written within its second; a tag always is.
  if (condition !== undefined && condition !== file.etag) return undefined;
  const first = from === '' ? Math.max(0, file.size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? file.size - 1 : Math.min(Number(to), file.size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first > last || first >= file.size ? 'unsatisfiable' : { first, last };
}

async function sendRange(
  response: ServerResponse,
  file: PublicFile,
  headers: Record<string, string>,
  range: Range,
): Promise<void> {
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  const { first, last } = range;
  response.writeHead(206, {
    ...headers,
    'Content-Range': `bytes ${first}-${last}/${file.size}`,
    'Content-Length': last - first + 1,
  });
  if (file.bytes) response.end(file.bytes.subarray(first, last + 1));
  else await sendFrom(response, file.handle, first, last);
}

async function sendFrom(
  response: ServerResponse,
  handle: FileHandle,
  start: number,
  end: number,
): Promise<void> {
  try {
    await pipeline(handle.createReadStream({ start, end, autoClose: false }), response);
  } catch (error) {
    // Whoever asked for it went away.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function closeFile(file: PublicFile): Promise<void> {
  if (file.bytes === undefined) await file.handle.close();
}

function sendProblem(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}
