/** A host of plain files on loopback, with the rules of netlify.toml: other origins may read, and pages have a second address. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Loopback, listen } from './loopback.ts';

export interface StaticHost extends Loopback {
  /** Paths that were requested. */
  asked: string[];
}

/** The file of a snapshot at an address of the host; undefined where there is none. */
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
  return { ...(await listen(server)), asked };
}
