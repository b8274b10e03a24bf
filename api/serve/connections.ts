/** Follows the connections of a server, so that it can be stopped without cutting an answer short or waiting for nothing. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  /** Answers begun and not wholly sent, per open connection. */
  readonly #pending = new Map<Socket, number>();
  #ending = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#pending.set(socket, 0);
      socket.once('close', () => this.#pending.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      this.#add(socket, 1);
      response.once('close', () => this.#add(socket, -1));
    });
  }

  /** Closes each connection as soon as everything asked on it is answered: most of them at once. */
  end(): void {
    this.#ending = true;
    for (const [socket, answers] of this.#pending) if (answers === 0) socket.destroySoon();
  }

  #add(socket: Socket, answers: number): void {
    const pending = (this.#pending.get(socket) ?? 0) + answers;
    if (this.#pending.has(socket)) this.#pending.set(socket, pending);
    if (this.#ending && pending === 0) socket.destroySoon();
  }
}
