/** The port and the connections of a server: opened, refused, and ended without a lost request. */
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { maxConnections } from '../contract/limits.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import { UserError } from '../../data/system/messages.ts';

/** Milliseconds without a byte after which a stopping service closes an idle connection. */
const quietMs = 500;
/** Time that open requests have to finish. */
const timeoutMs = 10_000;
/** Time to take over new connections before the port closes. */
const maxAcceptMs = 5000;
/**
 * Time in which further signals are the same one: from the terminal's group and from npm, which passes it on.
 */
const repeatedMs = 2000;

/**
 * Listens. @returns the address, such as http://127.0.0.1:3000
 * @param onError receives the errors of the server while it listens, such as too many open files; it goes on
 * @param option the option that sets the port
 * @throws UserError if the port cannot be opened
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  onError: (error: unknown) => void,
  option = '--port',
): Promise<string> {
  const reasons: Partial<Record<string, string>> = {
    EADDRINUSE: `it is in use; choose another with ${option}`,
    EACCES: `this user may not open it; choose one above 1023 with ${option}`,
  };
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? error.message;
      reject(new UserError(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse).on('error', onError);
      resolve(originOf(server));
    });
  });
}

/** Scheme and host at which a server listens. */
export function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** How often the process that started this one is looked at. */
const parentMs = 250;

/**
 * Resolves at SIGTERM, SIGINT or SIGHUP. A later signal, not one that arrives twice, ends the process.
 * Resolves also when an npx that started the program is gone: npx gives SIGTERM to the shell between them.
 */
export function stopSignal(isRunByNpx: boolean): Promise<void> {
  return new Promise((resolve) => {
    const receive = () => {
      resolve();
      // Without a handler a signal ends the process.
      setTimeout(() => {
        for (const signal of stopSignals) process.off(signal, receive);
      }, repeatedMs).unref();
    };
    for (const signal of stopSignals) process.on(signal, receive);
    if (!isRunByNpx) return;
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      resolve();
    }, parentMs).unref();
  });
}

interface Connection {
  /**
   * The response to the newest request. Node sends the responses of a connection in the order of their
   * requests.
   */
  newest?: ServerResponse;
  /** The newest response whose end starts the next waiting request. */
  watched?: ServerResponse;
  /**
   * Functions that start the waiting requests, in their order. They are at most those in one chunk that Node
   * reads.
   */
  waiting: (() => void)[];
  isRefused?: boolean;
}

/** Whether every request of a connection has its whole response. */
const isIdle = ({ newest }: Connection): boolean => newest === undefined || newest.closed;

export class Connections {
  readonly #app: FastifyInstance;
  /** The open ones. The server's events change it. */
  readonly #open = new Map<Socket, Connection>();
  /** Number of connections so far. */
  #accepted = 0;
  /** Set by end(), for good. */
  #isEnding = false;

  constructor(app: FastifyInstance) {
    this.#app = app;
    const open = this.#open;
    const { server } = app;
    server.maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      open.set(socket, { waiting: [] });
      socket.once('close', () => open.delete(socket));
    });
    const [handle] = server.listeners('request') as RequestListener[];
    server.off('request', handle!).on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      const connection = open.get(socket);
      // Node reads on in the bytes that it has.
      if (connection === undefined || socket.destroyed) return;
      const isFirst = isIdle(connection);
      const { newest: previous } = connection;
      connection.newest = response;
      // Node discards what follows a request for another protocol.
      if (this.#isEnding || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      if (this.#isEnding) response.once('close', () => this.#closeWhenQuiet(socket));
      if (isFirst || this.#isEnding) return handle!(request, response);
      // Thousands of requests can arrive at once on one connection: others have their turn between two of
      // them.
      connection.waiting.push(() => handle!(request, response));
      socket.pause();
      const begin = () => beginNext(socket, connection);
      if (connection.watched !== previous) previous?.once('close', begin);
      response.once('close', begin);
      connection.watched = response;
    });
    // Node's own version, part of close(), also cuts connections whose last response is still being sent.
    server.closeIdleConnections = () => {
      for (const socket of open.keys()) this.#closeWhenQuiet(socket);
    };
  }

  /**
   * Ends a connection whose bytes Node cannot read, after the responses to earlier requests. What the client
   * sends afterwards is dropped: a reset would cost it the responses.
   */
  refuse(socket: Socket, error: NodeJS.ErrnoException): void {
    const connection = this.#open.get(socket);
    // The parser reports an error again for further bytes, and at the end of the connection.
    if (connection?.isRefused) return;
    const answer = refusalOf(error);
    if (connection === undefined || answer === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    const { newest } = connection;
    connection.isRefused = true;
    // A request whose body broke off gets one answer: the refusal, or the one that it has already.
    const isCutOff = newest?.req.complete === false;
    const last = isCutOff && newest.headersSent ? '' : answer;
    const end = () => {
      socket.end(last);
      // A client that does not close its side is cut off as in a request.
      setTimeout(() => socket.destroy(), this.#app.server.requestTimeout).unref();
    };
    if (isIdle(connection) || (isCutOff && !newest.headersSent)) end();
    else newest?.once('close', end);
    // To close a socket with unread bytes resets the connection, and the client loses the answer.
    socket.resume();
  }

  /**
   * Closes the port, and ends all connections: each with its next response, or when no byte arrives for a
   * moment.
   */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const [socket, connection] of this.#open) {
      const { newest, waiting } = connection;
      if (newest && !newest.headersSent) newest.shouldKeepAlive = false;
      if (!isIdle(connection)) newest?.once('close', () => this.#closeWhenQuiet(socket));
      // A request that begins after the close is told to be the last.
      for (const begin of waiting.splice(0)) begin();
    }
    await this.#untilAccepted();
    // In the same turn of the event loop: connections that the system accepts later would be reset.
    this.#app.server.close();
    const timer = setTimeout(() => this.#app.server.closeAllConnections(), timeoutMs);
    await this.#app.close();
    clearTimeout(timer);
  }

  #closeWhenQuiet(socket: Socket): void {
    const isQuiet = () => {
      const connection = this.#open.get(socket);
      return connection !== undefined && isIdle(connection);
    };
    if (!isQuiet()) return;
    const received = socket.bytesRead;
    const closeIfQuiet = () => {
      if (!isQuiet()) return;
      if (socket.bytesRead > received) this.#closeWhenQuiet(socket);
      else socket.destroySoon();
    };
    // Timers run before I/O: setImmediate lets Node read bytes that have arrived already.
    setTimeout(() => setImmediate(closeIfQuiet), quietMs).unref();
  }

  /**
   * Takes over the connections that the system has accepted: a closed port would reset them. The event loop
   * takes one a turn.
   */
  async #untilAccepted(): Promise<void> {
    const end = performance.now() + maxAcceptMs;
    for (let before = -1; this.#accepted > before && performance.now() < end; ) {
      before = this.#accepted;
      await nextTurn();
      await nextTurn();
    }
  }
}

/** Begins the request that waits longest, or reads further ones. */
function beginNext(socket: Socket, { waiting }: Connection): void {
  const begin = waiting.shift();
  if (socket.destroyed) waiting.length = 0;
  else if (begin) setImmediate(begin);
  else if (socket.isPaused()) socket.resume();
}

/** The answer to what is no HTTP/1.1. */
export const malformed = problemAnswer('malformed-request', 'the request is not well-formed HTTP/1.1');

const refusals: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: problemAnswer(
    'headers-too-large',
    'the request line and headers are longer than this server reads',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: problemAnswer('request-timeout', 'the request did not arrive in time'),
};

/**
 * The answer to bytes that Node cannot read as a request, as it is sent; undefined if the connection is lost.
 */
function refusalOf({ code = '' }: NodeJS.ErrnoException): Buffer | undefined {
  if (!code.startsWith('HPE_') && !(code in refusals)) return undefined;
  const { status, headers, body } = refusals[code] ?? malformed;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.of()]);
}
