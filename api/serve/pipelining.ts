/**
 * Requests that one connection sends without waiting for answers: reads are answered side by side, but a write is taken up
 * when everything asked before it is answered, and what follows when the write is (RFC 9112 section 9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Turns {
  /** The last request of each connection. */
  readonly #last = new WeakMap<Socket, ServerResponse>();
  /** Writes, and what waits for one: whatever comes next on the connection waits for these. */
  readonly #awaited = new WeakSet<ServerResponse>();

  /** Takes a request up when its turn comes: at once, unless answers are due before; never if the client goes away first. */
  take({ socket }: IncomingMessage, response: ServerResponse, writes: boolean, takeUp: () => void): void {
    const before = this.#last.get(socket);
    this.#last.set(socket, response);
    const waits = before !== undefined && !before.closed && (writes || this.#awaited.has(before));
    if (writes || waits) this.#awaited.add(response);
    if (!waits) takeUp();
    else
      before.once('close', () => {
        if (!socket.destroyed) takeUp();
      });
  }
}
