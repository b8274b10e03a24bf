/** Stands for the write service: answers with what reached it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a write looked like when it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WriteEcho {
  origin: string;
  stop(): Promise<void>;
}

/** Listens on loopback; every request is answered 201 with an Arrived as JSON. */
export async function startWriteEcho(): Promise<WriteEcho> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const arrived: Arrived = { method, url, headers, body: Buffer.concat(chunks).toString() };
    response.writeHead(201, { 'Content-Type': 'application/json', ETag: '"of the echo"', Location: url });
    response.end(JSON.stringify(arrived));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
