/** Sends answers, whole or piece by piece. */
import type { ServerResponse } from 'node:http';
import type { Answer } from '../read/answer.ts';
import type { Pieces } from '../read/pieces.ts';

/** Sends a piece when the client has taken the one before. @throws what making a piece throws */
export async function sendPieces(
  response: ServerResponse,
  { status, headers, body }: Answer<Pieces>,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  response.writeHead(status, { ...headers, ...extra });
  for await (const piece of body ?? []) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
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
