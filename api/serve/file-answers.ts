/** Answers requests for files: conditions, ranges and encodings (RFC 9110). Why by hand: docs/decisions/0009-plain-files.md. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Encoding, knownETag } from '../contract/etag.ts';
import { problems } from '../contract/problems.ts';
import { contentTypeOf, fileHeaders, notFoundPage, wantsPage } from '../contract/site.ts';
import { otherMethod, problemAnswer } from '../read/answer.ts';
import { acceptedEncoding, encodedHeaders } from './compression.ts';
import { filePathOf, type PublicFile, type PublicFiles } from './public-files.ts';
import { send } from './service-response.ts';

/** Answers a request for a public file, or a browser's request for a missing page. @returns whether it answered */
type FileResponder = (
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
) => Promise<boolean>;

/** @param imageOrigins other hosts that pages may show posters of */
export function fileResponder(files: PublicFiles, imageOrigins: readonly string[]): FileResponder {
  return async (request, response, address) => {
    const path = filePathOf(address);
    const found = path === undefined ? undefined : await files.find(path);
    const needsPage = found === undefined && wantsPage(request.method, request.headers.accept);
    const file = needsPage ? await files.find(notFoundPage) : found;
    if (file === undefined) return false;
    try {
      const headers = headersOf(file, imageOrigins);
      if (needsPage) await sendNotFound(response, file, headers);
      else await sendFile(request, response, file, files, headers);
    } finally {
      if (file.bytes === undefined) await file.handle.close();
    }
    return true;
  };
}

type Headers = Readonly<Record<string, string>>;

async function sendNotFound(response: ServerResponse, page: PublicFile, headers: Headers): Promise<void> {
  response.writeHead(problems['unknown-address'].status, {
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Length': page.size,
  });
  await sendBytes(response, page, { first: 0, last: page.size - 1 });
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: PublicFile,
  files: PublicFiles,
  ownHeaders: Headers,
): Promise<void> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    send(response, otherMethod(method));
    return;
  }
  const snapshot = await files.snapshotOf(file);
  const headers = { ...ownHeaders, ...(snapshot !== undefined && { Snapshot: snapshot }) };
  const unchanged = unchangedETag(request, file);
  if (unchanged !== undefined) {
    response.writeHead(304, { ...headers, ETag: unchanged }).end();
    return;
  }
  const range = method === 'GET' ? rangeOf(request, file) : undefined;
  const encoding = range ? undefined : encodingOf(request, file);
  const encoded = encoding && (await files.encoded(file, encoding));
  if (range === 'unsatisfiable') {
    const detail = `the file has ${file.size} bytes`;
    send(
      response,
      problemAnswer('range-not-satisfiable', detail, { 'Content-Range': `bytes */${file.size}` }),
    );
  } else if (encoding && encoded) {
    response.writeHead(200, { ...headers, ...encodedHeaders(file.etag, encoding, encoded) }).end(encoded);
  } else {
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    response.writeHead(range ? 206 : 200, {
      ...headers,
      ...(range && { 'Content-Range': `bytes ${first}-${last}/${file.size}` }),
      'Content-Length': last - first + 1,
    });
    if (method === 'HEAD') response.end();
    else await sendBytes(response, file, { first, last });
  }
}

const isCompressible = (file: PublicFile): boolean =>
  /^text\/|json|javascript|svg|xml/.test(contentTypeOf(file.path));

function headersOf(file: PublicFile, imageOrigins: readonly string[]): Headers {
  return {
    'Content-Type': contentTypeOf(file.path),
    ...fileHeaders(file.path, imageOrigins),
    ETag: file.etag,
    'Last-Modified': file.modified.toUTCString(),
    'Accept-Ranges': 'bytes',
    ...(isCompressible(file) && { Vary: 'Accept-Encoding' }),
  };
}

/** The ETag of the client's copy if that copy is current, in any encoding; undefined if not. */
function unchangedETag({ headers }: IncomingMessage, file: PublicFile): string | undefined {
  const known = headers['if-none-match'];
  if (known !== undefined) return knownETag(known, file.etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // HTTP dates have no fractions of a second.
  return Math.floor(file.modified.getTime() / 1000) * 1000 <= since ? file.etag : undefined;
}

const encodingOf = (request: IncomingMessage, file: PublicFile): Encoding | undefined =>
  isCompressible(file) ? acceptedEncoding(request) : undefined;

interface Range {
  first: number;
  last: number;
}

/** undefined for the whole file: no range, a malformed one, several ranges, or If-Range names another version. */
function rangeOf({ headers }: IncomingMessage, file: PublicFile): Range | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]*)-([0-9]*)$/.exec(headers.range ?? '') ?? [];
  if (from + to === '') return undefined;
  const condition = headers['if-range'];
  // A date is only a weak validator: the file may have changed twice within a second.
  if (condition !== undefined && condition !== file.etag) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, file.size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? file.size - 1 : Math.min(Number(to), file.size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}

async function sendBytes(response: ServerResponse, file: PublicFile, { first, last }: Range): Promise<void> {
  if (file.bytes) {
    response.end(file.bytes.subarray(first, last + 1));
    return;
  }
  try {
    const content = file.handle.createReadStream({ start: first, end: last, autoClose: false });
    await pipeline(content, response);
  } catch (error) {
    // The client closed the connection.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
