/**
 * Tasks that the bench measures in a process each, or that serve, or that load a server from outside. Each loads the modules that
 * it needs, so that the bare server starts without them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { timed } from './figures.ts';

/** The part of autocannon that the bench uses; the package has no types. */
type Autocannon = (options: {
  url: string;
  connections: number;
  /** Seconds. */
  duration: number;
  /** Milliseconds between its looks at the clock. */
  sampleInt: number;
  setupClient(client: { setRequests(requests: { path: string }[]): void }): void;
}) => PromiseLike<{
  requests: { total: number };
  duration: number;
  errors: number;
  timeouts: number;
  non2xx: number;
}>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

interface Load {
  origin: string;
  connections: number;
  addresses: readonly string[];
  /** Seconds. */
  duration: number;
}

/** Load by autocannon: all connections busy, each with addresses of its own in turn. @returns requests a second */
async function load({ origin, connections, addresses, duration }: Load): Promise<number> {
  const shares: { path: string }[][] = Array.from({ length: connections }, () => []);
  for (const [at, path] of addresses.entries()) shares[at % connections]!.push({ path });
  const result = await autocannon({
    url: origin,
    connections,
    sampleInt: 50,
    duration,
    setupClient: (client) => client.setRequests(shares.pop()!),
  });
  const { errors, timeouts, non2xx } = result;
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${origin}: ${errors} errors, ${timeouts} timeouts, ${non2xx} not 2xx`);
  return result.requests.total / result.duration;
}

/**
 * Plain writing, the floor under a full build: the very same files, read into memory beforehand, each written with one
 * writeFileSync into a new folder.
 */
async function write({
  from,
  to,
}: {
  from: string;
  to: string;
}): Promise<{ elapsed: number; files: number }> {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { file: join(to, file.slice(from.length)), bytes: readFileSync(file) };
    });
  const elapsed = await timed(() => {
    for (const folder of new Set(files.map(({ file }) => dirname(file))))
      mkdirSync(folder, { recursive: true });
    for (const { file, bytes } of files) writeFileSync(file, bytes);
  });
  return { elapsed, files: files.length };
}

async function makeSql({ from, to }: { from: string; to: string }): Promise<void> {
  (await import('./sql.ts')).makeSqlDatabase(from, to);
}

/** Ends with the process. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Our service on a snapshot. */
async function serve({ tree }: { tree: string }): Promise<number> {
  const { createService } = await import('../../api/server/app.ts');
  const onError = (error: unknown) => process.stderr.write(`${(error as Error).stack ?? error}\n`);
  const { app } = createService({ out: tree, readLimit: 0, proxies: [], onError });
  await app.ready();
  return listen(app.server);
}

/**
 * The floor under every service: a bare node:http server that answers everything with one prebuilt buffer.
 * @param more headers besides the type and the length, as many as our service sends
 */
function serveBare({ bytes, more }: { bytes: number; more?: Record<string, string> }): Promise<number> {
  const body = Buffer.alloc(bytes, ' ');
  const type = 'application/json; charset=utf-8';
  const headers = { ...more, 'Content-Type': type, 'Content-Length': String(bytes) };
  return listen(
    createServer((_request, response) => {
      response.writeHead(200, headers);
      response.end(body);
    }),
  );
}

async function serveSql({ file }: { file: string }): Promise<number> {
  const service = (await import('./sql.ts')).sqlService(file);
  await service.ready();
  return listen(service.server);
}

const tasks = { load, write, makeSql, serve, serveBare, serveSql };
export type Tasks = typeof tasks;

const { task, input } = JSON.parse(readFileSync(0, 'utf8')) as { task: keyof Tasks; input: never };
process.stdout.write(`${JSON.stringify((await tasks[task](input)) ?? null)}\n`);
