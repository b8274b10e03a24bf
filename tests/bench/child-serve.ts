/** A server in a process of its own: ours on a snapshot, or the floor under every service. */
import { createServer, type Server } from 'node:http';
import { childInput, serveUntilInputEnds } from './child.ts';
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
serveUntilInputEnds(
  'tree' in input ? await readingService(input.tree, input.answerBytes) : bareServer(input.bytes),
);
