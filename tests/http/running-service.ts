/** A running service over a snapshot in a temporary folder, and an HTTP client. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import { createService, type ServiceOptions } from '../../api/server/app.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { build } from '../support/build.ts';
import { type Reply, send } from '../support/http.ts';
import { listen } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

/** One service for all tests of a file. @param record of builtFolder() */
export function useService(
  options: Partial<ServiceOptions> = {},
  ...record: Parameters<typeof builtFolder>
): { built: BuiltFolder; service: RunningService } {
  const running = {} as { built: BuiltFolder; service: RunningService };
  beforeAll(async () => {
    running.built = await builtFolder(...record);
    running.service = await startService(running.built.out, options);
  });
  afterAll(async () => {
    await running.service.stop();
    running.built.connection.close();
  });
  return running;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export interface RunningService {
  port: number;
  /** Failures that the service reported. */
  failures: unknown[];
  /** Sends one request, with the target as it is. */
  ask(target: string, asking?: Asking): Promise<Reply>;
  /** Number of open connections. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the service without a rate limit, unless the options say otherwise. */
export async function startService(
  out: string,
  options: Partial<ServiceOptions> = {},
): Promise<RunningService> {
  const failures: unknown[] = [];
  const { app } = createService({
    out,
    readLimit: 0,
    proxies: [],
    onError: (error) => failures.push(error),
    ...options,
  });
  await app.ready();
  const { server } = app;
  const { port, stop } = await listen(server);
  const agent = new Agent({ keepAlive: true });
  return {
    port,
    failures,
    ask: (path, { body, ...asking } = {}) => send({ agent, host: '127.0.0.1', port, path, ...asking }, body),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}
