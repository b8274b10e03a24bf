/** The open connections of a server: their number, and their end without a lost request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds without a byte after which a stopping service closes an idle connection. */
const quietMs = 500;
/** Time that open requests have to finish. */
const timeoutMs = 10_000;
/** Time to take over new connections before the port closes. */
const maxAcceptMs = 5000;

interface Connection {
  /** Number of requests without a complete response. */
  requests: number;
  /** The newest request and its response. */
  newest: { request: IncomingMessage; response: ServerResponse } | undefined;
  isRefused: boolean;
}

export class Connections {
  readonly #server: Server;
  /** The open ones. The server's events change it. */
  readonly #open = new Map<Socket, Connection>();
  /** Number of connections so far. */
  #accepted = 0;
  /** Set by end(), for good. */
  #isEnding = false;

  constructor(server: Server) {
    this.#server = server;
    const open = this.#open;
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      open.set(socket, { requests: 0, newest: undefined, isRefused: false });
      socket.once('close', () => open.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = open.get(request.socket);
      if (connection === undefined) return;
      connection.requests += 1;
      connection.newest = { request, response };
      response.once('close', () => {
        connection.requests -= 1;
        if (this.#isEnding) this.#closeWhenQuiet(request.socket);
      });
      // Node discards what follows a request for another protocol.
      if (this.#isEnding || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    });
    // Node's own version, part of close(), also cuts connections whose last response is still being sent.
    server.closeIdleConnections = () => {
      for (const socket of open.keys()) this.#closeWhenQuiet(socket);
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Number of requests without a complete response. */
  get openRequests(): number {
    let sum = 0;
    for (const { requests } of this.#open.values()) sum += requests;
    return sum;
  }

  /**
   * Ends a connection whose bytes cannot be read, after the responses to earlier requests.
   * @param answer bytes to send at its end; undefined if the connection is lost
   */
  refuse(socket: Socket, answer: Buffer | undefined): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || answer === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    // The parser reports an error again at the end of the connection.
    if (connection.isRefused) return;
    connection.isRefused = true;
    const { requests, newest } = connection;
    const isCutOff = newest?.request.complete === false;
    // A request whose body broke off gets one answer: the refusal, or the one that it has already.
    const last = isCutOff && newest?.response.headersSent ? Buffer.of() : answer;
    if (requests === 0 || (isCutOff && !newest?.response.headersSent)) socket.end(last);
    else newest?.response.once('close', () => socket.end(last));
    // To close a socket with unread bytes resets the connection, and the client loses the answer.
    socket.resume();
  }

  /**
   * Ends all connections: each with its next response, or when no byte arrives for a moment.
   * @param close closes the port and the idle connections; resolves when all connections have ended
   */
  async end(close: () => Promise<unknown>): Promise<void> {
    this.#isEnding = true;
    for (const { newest } of this.#open.values())
      if (newest && !newest.response.headersSent) newest.response.shouldKeepAlive = false;
    await this.#untilAccepted();
    const timer = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    await close();
    clearTimeout(timer);
  }

  #closeWhenQuiet(socket: Socket): void {
    const isIdle = () => this.#open.get(socket)?.requests === 0;
    if (!isIdle()) return;
    const received = socket.bytesRead;
    const closeIfQuiet = () => {
      if (!isIdle()) return;
      if (socket.bytesRead > received) this.#closeWhenQuiet(socket);
      else socket.destroySoon();
    };
    // Timers run before I/O: setImmediate lets Node read bytes that have arrived already.
    setTimeout(() => setImmediate(closeIfQuiet), quietMs).unref();
  }

  /** Takes over the connections that the system has accepted: a closed port would reset them. The event loop takes one a turn. */
  async #untilAccepted(): Promise<void> {
    const end = performance.now() + maxAcceptMs;
    for (let before = -1; this.#accepted > before && performance.now() < end; ) {
      before = this.#accepted;
      await nextTurn();
      await nextTurn();
    }
  }
}
