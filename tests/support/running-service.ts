/** The service over a snapshot in a temporary folder: asked without a socket, or listening. */
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import type { ProblemDocument } from '../../api/contract/problems.ts';
import { createService, type ServiceOptions } from '../../api/server/app.ts';
import type { Health } from '../../api/server/health.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { build } from '../records/build.ts';
import { type Reply, send } from './http.ts';
import { listen } from './loopback.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database and the snapshot built from it. */
export interface BuiltFolder {
  connection: Connection;
  /** Folder of the snapshot. */
  out: string;
}

/** Fills a new database and builds it. */
export async function builtFolder(
  fill: (connection: Connection) => unknown = fillWithNastyRecord,
  layers: readonly LayerName[] = ['pages'],
): Promise<BuiltFolder> {
  const folder = temporaryFolder();
  const connection = openDatabase(join(folder, 'awards.db'));
  await fill(connection);
  const out = join(folder, 'dist');
  await build(connection, out, { layers });
  return { connection, out };
}

export interface Asking {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export interface Service {
  /** Failures that the service reported. */
  failures: unknown[];
  health: Health;
  ask(target: string, asking?: Asking): Promise<Reply>;
  stop(): Promise<void>;
}

/** A service that listens, and is asked over its port: with the target as it is. */
export interface RunningService extends Service {
  port: number;
}

/** Makes the service without a rate limit, unless the options say otherwise. */
function makeService(out: string, options: Partial<ServiceOptions>) {
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const { app, health } = createService({ out, readLimit: 0, proxies: [], onError, ...options });
  return { app, health, failures };
}

/** A service that is asked in this process, without a socket. It cannot tell a header that is sent twice, so it takes no writes. */
export function inProcess(out: string, options: Partial<ServiceOptions> = {}): Service {
  const { app, health, failures } = makeService(out, options);
  return {
    failures,
    health,
    async ask(url, { method = 'GET', headers = {}, body } = {}) {
      const injected = { url, method, headers, ...(body !== undefined && { payload: body }) };
      const reply = await app.inject(injected as InjectOptions);
      return { status: reply.statusCode, headers: asReceived(reply.headers), body: reply.rawPayload };
    },
    stop: () => app.close(),
  };
}

const asReceived = (headers: OutgoingHttpHeaders): Reply['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Starts a service that listens. */
export async function startService(
  out: string,
  options: Partial<ServiceOptions> = {},
): Promise<RunningService> {
  const { app, health, failures } = makeService(out, options);
  await app.ready();
  const { port, stop } = await listen(app.server);
  const agent = new Agent({ keepAlive: true });
  return {
    port,
    failures,
    health,
    ask: (path, { body, ...asking } = {}) => send({ agent, host: '127.0.0.1', port, path, ...asking }, body),
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}

function useOne<S extends Service>(
  start: (out: string) => S | Promise<S>,
  record: Parameters<typeof builtFolder>,
): { built: BuiltFolder; service: S } {
  const running = {} as { built: BuiltFolder; service: S };
  beforeAll(async () => {
    running.built = await builtFolder(...record);
    running.service = await start(running.built.out);
  });
  afterAll(async () => {
    await running.service.stop();
    running.built.connection.close();
  });
  return running;
}

/** One service for all tests of a file, in this process. @param record of builtFolder() */
export const useInProcess = (
  options: Partial<ServiceOptions> = {},
  ...record: Parameters<typeof builtFolder>
) => useOne((out) => inProcess(out, options), record);

/** One service that listens, for all tests of a file. @param record of builtFolder() */
export const useService = (
  options: Partial<ServiceOptions> = {},
  ...record: Parameters<typeof builtFolder>
) => useOne((out) => startService(out, options), record);

/** Fails unless a body is a problem document for the status. */
export function expectProblem(body: Uint8Array | string, status: number): ProblemDocument {
  const problem: ProblemDocument = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  expect(problem).toMatchObject({
    type: expect.stringMatching(/^\/docs#problem-[a-z-]+$/),
    title: expect.stringMatching(/./),
    detail: expect.stringMatching(/./),
    status,
  });
  return problem;
}
