/** Connections: the order of their requests, their end, and the refusal of bytes that are not a request. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readMethods } from '../contract/routes.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import type { ServiceResponse } from './service-response.ts';

/** Milliseconds without a request after which a stopping service closes a connection. */
const quietMs = 500;
/** Time a client has to read a refusal before its connection is destroyed. */
const lingerMs = 1000;

interface Responses {
  /** In the order of the requests; each is removed when it is sent or its connection is lost. */
  open: ServiceResponse[];
  /** Of the last request, open or not. */
  latest: ServiceResponse | undefined;
}

/** Pipelined requests of each connection (RFC 9112 section 9.3.2). Reads run side by side, a write runs alone. */
export class RequestPipeline {
  readonly #responses = new WeakMap<Duplex, Responses>();
  /** Writes, and requests that wait for one: the next request on the connection waits for these. */
  readonly #blocking = new WeakSet<ServerResponse>();
  readonly #sockets = new Set<Socket>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#isClosing) this.#closeWhenQuiet(socket);
    });
  }

  responsesOf(socket: Duplex): Responses {
    const responses = this.#responses.get(socket) ?? { open: [], latest: undefined };
    this.#responses.set(socket, responses);
    return responses;
  }

  /**
   * Calls `start` when the request may run, never if the connection is lost before; and `end` when the response is sent or the
   * connection is lost.
   */
  add(
    { socket }: IncomingMessage,
    response: ServiceResponse,
    isWrite: boolean,
    start: () => void,
    end?: () => void,
  ): void {
    const responses = this.responsesOf(socket);
    const previous = responses.open.at(-1);
    responses.open.push(response);
    responses.latest = response;
    response.once('close', () => {
      responses.open.splice(responses.open.indexOf(response), 1);
      if (this.#isClosing) this.#closeWhenQuiet(socket);
      end?.();
    });
    const waits = previous !== undefined && (isWrite || this.#blocking.has(previous));
    if (isWrite || waits) this.#blocking.add(response);
    if (this.#isClosing) this.#announceClose(responses, response);
    if (waits) previous.once('close', () => socket.destroyed || start());
    // In the next turn it is known whether more requests follow on the connection.
    else if (this.#isClosing) setImmediate(() => socket.destroyed || start());
    else start();
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Number of requests without a complete response. */
  get openRequests(): number {
    let count = 0;
    for (const socket of this.#sockets) count += this.responsesOf(socket).open.length;
    return count;
  }

  /**
   * Closes every connection without losing a request: after the response that announces it with "Connection: close", which
   * is the one to the last request so far. A connection without a request closes when none arrives for a moment.
   */
  close(): void {
    this.#isClosing = true;
    for (const socket of this.#sockets) {
      const responses = this.responsesOf(socket);
      for (const response of responses.open) this.#announceClose(responses, response);
      this.#closeWhenQuiet(socket);
    }
  }

  #announceClose(responses: Responses, response: ServiceResponse): void {
    response.isLast = () => responses.latest === response;
  }

  #closeWhenQuiet(socket: Socket): void {
    const isIdle = () => this.responsesOf(socket).open.length === 0;
    if (!isIdle()) return;
    const received = socket.bytesRead;
    const closeIfQuiet = () => {
      if (!isIdle()) return;
      if (socket.bytesRead > received) this.#closeWhenQuiet(socket);
      else socket.destroySoon();
    };
    // A request that has arrived by then is read in the turn of the timer.
    setTimeout(() => setImmediate(closeIfQuiet), quietMs).unref();
  }
}

/**
 * Answers with a problem document, after the responses to earlier requests, and closes the connection: bytes that are not
 * HTTP, headers that are too long, requests that arrive too slowly, and CONNECT.
 */
export function rejectMalformedRequests(server: Server, pipeline: RequestPipeline): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports an error again for later bytes.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { open, latest } = pipeline.responsesOf(socket);
    // A request that was answered before its body was complete gets no second answer.
    const isAnswered = latest?.req.complete === false && latest.headersSent;
    const answer = isAnswered ? undefined : refusalOf(error.code ?? '');
    // If the body of the last request broke off, the refusal is its answer.
    const last = open.at(-1);
    const isCutOff = last?.req.complete === false && !last.headersSent;
    const previous = open.at(isCutOff ? -2 : -1);
    if (previous) previous.once('close', () => closeWith(socket, answer));
    else closeWith(socket, answer);
  });
  server.on('connect', (_request, socket) => closeWith(socket, connectRefusal));
}

const connectRefusal = problemAnswer('method-not-allowed', 'CONNECT is not allowed here', {
  Allow: readMethods.join(', '),
});
const malformed = problemAnswer('malformed-request', 'the request is not well-formed HTTP/1.1');
const badURL = problemAnswer('malformed-request', 'the address has characters that must be percent-encoded');
const tooLong = problemAnswer(
  'headers-too-large',
  'the request line and headers are longer than this server reads',
);
const tooSlow = problemAnswer('request-timeout', 'the request did not arrive in time');

/** @param code of the HTTP parser; undefined for any other error: the connection is lost */
function refusalOf(code: string): Answer | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLong;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  if (code === 'HPE_INVALID_URL') return badURL;
  return code.startsWith('HPE_') ? malformed : undefined;
}

/** Sends a last answer and closes the connection, even if the client keeps its side open. */
function closeWith(socket: Duplex, answer: Answer | undefined): void {
  socket.on('error', () => {}); // The client went away.
  if (answer === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n`);
  socket.end(body);
  // To close a socket with unread bytes resets the connection, and the client loses the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
