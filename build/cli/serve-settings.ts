/**
 * The settings of "serve" and "start". They are read and checked before the first side effect: a start that
 * fails changes nothing.
 */
import { createServer } from 'node:http';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { listen } from '../../api/server/connections.ts';
import type { LogLevel } from '../../api/server/reporting.ts';
import { OutputFolder } from '../snapshot/output-folder.ts';
import { Closings } from '../../data/system/closings.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { type BuildCommandOptions, chosenLayers } from './build-commands.ts';
import { isRunByNpx, netlifyAccount, noOrigin, readSettings } from './environment.ts';

export interface ServeOptions extends BuildCommandOptions {
  host: string;
  port: number;
  /** Publish changes to Netlify. */
  publish?: boolean;
  /** Minimum seconds between two publishes. */
  publishEvery?: number;
  /** Dated downloads that publishes keep. */
  releases?: number;
  logLevel: LogLevel;
  /** Where metrics are served. */
  metrics?: { host: string; port: number };
}

export type ServeSettings = Awaited<ReturnType<typeof readServeSettings>>;

/**
 * Reads the environment, and checks what the service needs. It changes nothing.
 * @param isFilled whether the command makes a database where there is none
 * @throws UserError for a variable, a port or a folder that cannot be used
 */
export async function readServeSettings(options: ServeOptions, isFilled: boolean) {
  const { db, out, publish } = options;
  const variables = readSettings(
    'AWARDS_API_KEY',
    'AWARDS_RATE_LIMIT',
    'AWARDS_WRITE_RATE_LIMIT',
    'AWARDS_TRUSTED_PROXIES',
    'AWARDS_PROXY_SECRET',
  );
  const account = publish ? netlifyAccount() : undefined;
  await requirePorts(options);
  const folder = new OutputFolder(out);
  // Reading needs no database: the folder may be a copy.
  const hasDatabase = isFilled || isThere(db);
  if (!hasDatabase && !folder.has(manifestPath))
    throw new UserError(
      `there is no snapshot in ${out}, and no database at ${db} to build one from; fill one with "awards sample" or "awards import"`,
    );
  // Otherwise the service would listen, and each build would fail.
  if (hasDatabase) folder.refuseUnusable();
  return {
    ...options,
    /** Undefined where nothing is published. */
    account,
    folder,
    /** Whether the service takes writes. */
    hasDatabase,
    layers: chosenLayers(options),
    environmentKey: variables.AWARDS_API_KEY,
    isRunByNpx: isRunByNpx(),
    readLimit: variables.AWARDS_RATE_LIMIT,
    writeLimit: variables.AWARDS_WRITE_RATE_LIMIT,
    proxies: variables.AWARDS_TRUSTED_PROXIES ?? [],
    proxySecret: variables.AWARDS_PROXY_SECRET,
    /** For the log: others than this machine may read the service. */
    warning:
      options.origin === undefined && !/^(127\.|::1$|localhost$)/.test(options.host)
        ? `${noOrigin}; set AWARDS_ORIGIN to its public address, such as https://awards.example`
        : undefined,
  };
}

/**
 * Opens all ports together, so that two of them that are equal are found, and closes them.
 * @throws UserError
 */
async function requirePorts({ port, host, metrics }: ServeOptions): Promise<void> {
  const opened = new Closings();
  const open = async (...where: [port: number, host: string, option?: string]) => {
    const server = createServer();
    const [number, address, option] = where;
    await listen(server, number, address, () => {}, option);
    opened.add(() => new Promise((resolve) => server.close(resolve)));
  };
  try {
    await open(port, host);
    if (metrics) await open(metrics.port, metrics.host, '--metrics');
  } finally {
    await opened.close(() => {});
  }
}
