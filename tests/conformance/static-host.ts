/** A host of plain files on loopback, with the rules of netlify.toml: other origins may read, and pages have a second address. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface StaticHost {
  origin: string;
  /** Paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
}

/** The file below a snapshot's root that a host has at an address; undefined where it has none. */
export function fileAt(pathname: string): string | undefined {
  const path = pathname.replace(/^\/pages\/api\//, '/api/');
  return path.includes('..') || path.endsWith('/') ? undefined : path.slice(1);
}

/** Serves the files of a folder. */
export async function startStaticHost(folder: string): Promise<StaticHost> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://a');
    asked.push(pathname);
    const file = fileAt(pathname);
    const bytes = file === undefined ? undefined : await readFile(join(folder, file)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
    });
    response.end(bytes ?? 'none');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
