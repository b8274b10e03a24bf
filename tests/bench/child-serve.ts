/** A server in a process of its own: ours on a snapshot, or the floor under every service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { childInput, endWithInput, report } from './child.ts';
import { readingService } from './internals.ts';

/** A bare node:http server that answers everything with one prebuilt buffer. */
function bareServer(bytes: number): Server {
  const body = Buffer.alloc(bytes, ' ');
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes) };
  return createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
}

const input = childInput<{ tree: string; answerBytes?: number } | { bytes: number }>();
const server =
  'tree' in input ? await readingService(input.tree, input.answerBytes) : bareServer(input.bytes);
server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port));
endWithInput();
