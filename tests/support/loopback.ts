/** Servers of tests on a free port of 127.0.0.1. */
import { createServer, Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Loopback {
  /** Such as http://127.0.0.1:3000, without a slash. */
  origin: string;
  port: number;
  /** Closes the server and, for HTTP, its connections. */
  stop(): Promise<void>;
}

export async function listen(server: Server): Promise<Loopback> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async stop() {
      if (server instanceof HttpServer) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const { port, stop } = await listen(createServer());
  await stop();
  return port;
}
