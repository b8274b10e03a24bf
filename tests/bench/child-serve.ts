/** A server in a process of its own: ours on a snapshot, or the floor under every service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService } from '../../api/server/app.ts';
import { childInput, endWithInput, report } from './child.ts';

/** A bare node:http server that answers everything with one prebuilt buffer. */
function bareServer(bytes: number): Server {
  const body = Buffer.alloc(bytes, ' ');
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes) };
  return createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
}

interface Reading {
  tree: string;
  /** Size of its cache of answers. */
  answerBytes?: number;
}

async function readingService({ tree, ...options }: Reading): Promise<Server> {
  const { app } = createService({
    out: tree,
    readLimit: 0,
    ...options,
    proxies: [],
    onError: (error) => process.stderr.write(`${(error as Error).stack ?? String(error)}\n`),
  });
  await app.ready();
  return app.server;
}

const input = childInput<Reading | { bytes: number }>();
const server = 'tree' in input ? await readingService(input) : bareServer(input.bytes);
server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port));
endWithInput();
