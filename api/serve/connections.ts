/** Connections: the pace and order of their requests, and their end. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { maxRefusalsPerConnection } from '../contract/limits.ts';
import { problems } from '../contract/problems.ts';
import { RequestQueue } from './request-queue.ts';
import type { ServiceResponse } from './service-response.ts';

/** Milliseconds without a request after which a stopping service closes a connection. */
const quietMs = 500;
/** Least bytes of a piece, which ends at the next empty line: a piece has at most about 16 of the shortest requests. */
const minPieceBytes = 400;
/** The end of the headers of a request. */
const emptyLine = Buffer.from('\r\n\r\n');

interface Connection {
  socket: Socket;
  /** Whether it serves many clients. */
  isFromProxy: boolean;
  /** In the order of the requests; each is removed when it is sent or its connection is lost. */
  open: ServiceResponse[];
  /** The response to the newest request, open or not. */
  newest: ServiceResponse | undefined;
  /** The response that closes the connection. Requests after it are not carried out. */
  closing: ServiceResponse | undefined;
  /** Answers 429 since the last other answer. */
  refusals: number;
  /** Whether bytes of a later request waited for a response. More of them may follow. */
  isPipelining: boolean;
  /** Whether bytes wait for the parser. */
  hasMore: boolean;
  /** Whether the rest of the bytes is discarded. */
  isRefused: boolean;
}

/** Runs the requests of each connection one after the other (RFC 9112 section 9.3.2). */
export class Connections {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #queue = new RequestQueue();
  #isClosing = false;

  constructor(server: Server, isFromProxy: (socket: Socket) => boolean) {
    server.on('connection', (socket: Socket) => this.#admit(socket, isFromProxy(socket)));
  }

  connectionOf(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Number of requests without a complete response. */
  get openRequests(): number {
    let count = 0;
    for (const { open } of this.#connections.values()) count += open.length;
    return count;
  }

  /**
   * Calls `start` when the request may run, never if the connection is lost before or ends with an earlier response; and `end`
   * when the response is sent or the connection is lost. Calls neither if the connection is closed already.
   */
  add(
    { socket }: IncomingMessage,
    response: ServiceResponse,
    start: () => void,
    end: () => void = () => {},
  ): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    const { open } = connection;
    const previous = open.at(-1);
    open.push(response);
    connection.newest = response;
    response.once('close', () => {
      open.splice(open.indexOf(response), 1);
      const isRefusal = response.statusCode === problems['too-many-requests'].status;
      connection.refusals = isRefusal ? connection.refusals + 1 : 0;
      if (this.#isClosing) this.#closeWhenQuiet(connection);
      if (connection.isPipelining) socket.resume();
      end();
    });
    if (this.#isClosing) announceClose(connection, response);
    // Inline functions: tsx wraps named ones, which takes time in each request.
    if (previous)
      previous.once('close', () => this.#queue.add(() => this.#start(connection, response, start), true));
    // In the next turn it is known whether more requests follow on the connection.
    else if (this.#isClosing) setImmediate(() => this.#start(connection, response, start));
    else this.#queue.add(() => this.#start(connection, response, start), connection.isPipelining);
  }

  #start(connection: Connection, response: ServiceResponse, start: () => void): void {
    if (connection.socket.destroyed || connection.closing) return;
    if (!connection.isFromProxy && connection.refusals >= maxRefusalsPerConnection)
      response.shouldKeepAlive = false;
    if (!response.shouldKeepAlive) connection.closing = response;
    start();
  }

  /**
   * Closes every connection without losing a request. The response to the newest request announces the end with "Connection:
   * close". A connection without a request closes when none arrives for a moment.
   */
  close(): void {
    this.#isClosing = true;
    for (const connection of this.#connections.values()) {
      for (const response of connection.open) announceClose(connection, response);
      this.#closeWhenQuiet(connection);
    }
  }

  #closeWhenQuiet(connection: Connection): void {
    const { socket, open } = connection;
    const isIdle = () => open.length === 0 && !connection.hasMore;
    if (!isIdle()) return;
    const received = socket.bytesRead;
    const closeIfQuiet = () => {
      if (!isIdle()) return;
      if (socket.bytesRead > received) this.#closeWhenQuiet(connection);
      else socket.destroySoon();
    };
    // Timers run before I/O: setImmediate lets Node read bytes that have arrived already.
    setTimeout(() => setImmediate(closeIfQuiet), quietMs).unref();
  }

  #admit(socket: Socket, isFromProxy: boolean): void {
    const connection: Connection = {
      socket,
      isFromProxy,
      open: [],
      newest: undefined,
      closing: undefined,
      refusals: 0,
      isPipelining: false,
      hasMore: false,
      isRefused: false,
    };
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    pace(connection);
    this.#queue.shorten();
    if (this.#isClosing) this.#closeWhenQuiet(connection);
  }
}

/** Lets a response close its connection, if no later request has arrived when its headers are sent. */
function announceClose(connection: Connection, response: ServiceResponse): void {
  response.isLast = () => {
    const isLast = connection.newest === response && !connection.hasMore;
    if (isLast) connection.closing ??= response;
    return isLast;
  };
}

/**
 * Hands the bytes of a connection to the parser in small pieces, and the next one only when the response is sent. Node itself would parse all requests that it has read, thousands at a time.
 */
function pace(connection: Connection): void {
  const { socket, open } = connection;
  // The only listener is the parser of Node's server.
  const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
  socket.off('data', parse);
  socket.on('data', (bytes: Buffer) => {
    let rest = bytes;
    while (rest.length > 0 && !connection.isRefused && !connection.closing?.req.complete) {
      if (open.at(-1)?.req.complete) {
        connection.isPipelining = true;
        socket.pause();
      }
      // A body that is not read yet also pauses the socket.
      if (socket.isPaused()) {
        socket.unshift(rest);
        return;
      }
      const end = rest.length > minPieceBytes ? rest.indexOf(emptyLine, minPieceBytes) : -1;
      const piece = end < 0 ? rest : rest.subarray(0, end + emptyLine.length);
      rest = rest.subarray(piece.length);
      connection.hasMore = rest.length > 0;
      parse(piece);
    }
    connection.isPipelining = connection.hasMore = false;
  });
}
