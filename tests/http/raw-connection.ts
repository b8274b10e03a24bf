/** Raw bytes to and from a socket, and a strict parser of responses. */
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

export interface RawReply {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Reads until the other side closes. @throws Error if that takes too long */
export function readToEnd(socket: Socket, timeoutMs = 5000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settled = () => Buffer.concat(chunks);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`the connection was not closed; so far: ${settled().toString('latin1').slice(0, 300)}`),
      );
    }, timeoutMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset also ends the reading; readReplies checks that the answer is complete.
    socket.on('error', () => {});
    for (const event of ['end', 'close'])
      socket.on(event, () => {
        clearTimeout(timer);
        socket.destroy();
        resolve(settled());
      });
  });
}

/** Sends bytes on a new connection and reads until the service closes it. */
export async function exchange(port: number, sent: string | Uint8Array, timeoutMs?: number): Promise<Buffer> {
  const socket = await openSocket(port);
  const received = readToEnd(socket, timeoutMs);
  socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
  return received;
}

/**
 * Reads a sequence of responses.
 * @param mayBeToHead whether responses to HEAD are possible: without a body, although they have a Content-Length
 * @throws Error if the bytes are not just that
 */
export function readReplies(bytes: Buffer, mayBeToHead = false): RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const head =
      /^HTTP\/1\.1 ([1-5][0-9]{2}) ([\t\x20-\x7e]*)\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n)*)\r\n/.exec(
        rest,
      );
    if (head === null) throw new Error(`no response begins here: ${JSON.stringify(rest.slice(0, 200))}`);
    const status = Number(head[1]);
    const headers = new Map<string, string>();
    for (const line of head[3]!.split('\r\n').filter(Boolean)) {
      const [name = ''] = line.split(':', 1);
      if (headers.has(name.toLowerCase())) throw new Error(`two headers of one name: ${line}`);
      headers.set(name.toLowerCase(), line.slice(name.length + 1).trim());
    }
    rest = rest.slice(head[0].length);
    if (status === 100) continue;
    const isToHead = mayBeToHead && !rest.startsWith('{');
    const bodiless = isToHead || status === 204 || status === 304;
    const length = bodiless ? 0 : Number(headers.get('content-length'));
    if (!Number.isInteger(length) || rest.length < length)
      throw new Error(`the body is cut short: ${head[0]}`);
    replies.push({ status, headers, body: Buffer.from(rest.slice(0, length), 'latin1').toString() });
    rest = rest.slice(length);
  }
  return replies;
}

/** Fails unless a body is a problem document for the status. */
export function expectProblem(body: string | Uint8Array, status: number): void {
  const problem = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Record<
    string,
    unknown
  >;
  expect(problem).toMatchObject({
    type: expect.stringMatching(/^urn:film-awards:problem:[a-z-]+$/),
    title: expect.stringMatching(/./),
    detail: expect.stringMatching(/./),
    status,
  });
}

/** Fails unless a reply is a refusal: a problem document that is not cached. */
export function expectRefusal(reply: RawReply, status: number): void {
  expect(reply.status, reply.body).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expectProblem(reply.body, status);
}

/** Fails unless a reply refuses and announces the end of the connection. */
export function expectLastRefusal(reply: RawReply | undefined, status: number): void {
  expectRefusal(reply!, status);
  expect(reply!.headers.get('connection')).toBe('close');
}

/** Fails unless the bytes are responses as every client may see them: no 5xx but 505, and a problem document for each refusal. */
export function expectSoundReplies(bytes: Buffer): void {
  for (const { status, body, headers } of readReplies(bytes, true)) {
    if (status !== 505) expect(status, body).toBeLessThan(500);
    if (status >= 400 && body !== '') expectProblem(body, status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
}
