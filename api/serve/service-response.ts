/** The response of the service, and how an answer is sent as one, whole or piece by piece. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { problems } from '../contract/problems.ts';
import type { Answer } from '../read/answer.ts';
import type { Pieces } from '../read/pieces.ts';

const requestIdHeader = 'X-Request-Id';

/** Has the id of its request, counts the bytes of its body, and decides with its headers whether its connection closes after it. */
export class ServiceResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Bytes of the body that were sent, 0 for HEAD. */
  bodyBytes = 0;
  /** Whether the connection closes after this response. Asked when the headers are sent; undefined for no. */
  isLast: (() => boolean) | undefined = undefined;
  #requestId: string | undefined = undefined;

  /** The X-Request-Id of the request if it is usable, else a new id. */
  get requestId(): string {
    this.#requestId ??= sentId(this.req) ?? randomUUID();
    return this.#requestId;
  }

  // Fixed parameters: this runs for every answer, and rest parameters would allocate.
  override writeHead(status: number, reason?: unknown, headers?: unknown): this {
    if (this.isLast?.()) this.shouldKeepAlive = false;
    // All other answers are the same bytes on every runtime.
    if (status >= problems['internal-error'].status || sentId(this.req) !== undefined)
      this.setHeader(requestIdHeader, this.requestId);
    return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.#count(chunk);
    return super.write(chunk, encoding as BufferEncoding, callback as () => void);
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.#count(chunk);
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }

  #count(chunk: unknown): void {
    if (this.req.method === 'HEAD') return;
    if (chunk instanceof Uint8Array) this.bodyBytes += chunk.length;
    else if (typeof chunk === 'string') this.bodyBytes += Buffer.byteLength(chunk);
  }
}

/** The id that a proxy or a client gave to a request; undefined for none, or one that is too long or has odd characters. */
function sentId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:=+/-]{1,128}$/.test(id) ? id : undefined;
}

/** Sends a piece when the client has taken the one before. A piece that fails breaks the response off; its maker reports it. */
export async function sendPieces(
  response: ServerResponse,
  { status, headers, body }: Answer<Pieces>,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  response.writeHead(status, { ...headers, ...extra });
  try {
    for await (const piece of body ?? []) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** Waits until a client has taken what was written, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.on('drain', end).on('close', end);
  });

/** Node leaves out the body of an answer to HEAD. */
export function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  extra?: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, extra ? { ...headers, ...extra } : headers);
  response.end(body ?? undefined);
}
