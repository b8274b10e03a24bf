/** Checks what the service needs of the machine: Node, the native module, room on the disk, a port. */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { type Finding, fine, note, reasonOf, skipped, wrong } from './finding.ts';

/** @param version such as 20.19.0 */
export function checkNode(version = process.versions.node): Finding {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  const least = engines.node.replace(/[^0-9.]/g, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = least.split('.').map(Number);
  const isEnough = major > minMajor || (major === minMajor && minor >= minMinor);
  if (isEnough) return fine('Node', version);
  return wrong('Node', `${version} is too old`, `install Node ${least} or newer, then run "npm ci"`);
}

/** Whether the native module can be loaded: it is built for one version of Node and one kind of machine. */
export async function checkNativeModule(): Promise<Finding> {
  try {
    const { sqliteVersion } = await import('../../../data/inspect.ts');
    return fine('native module', `better-sqlite3 loads, SQLite ${sqliteVersion()}`);
  } catch (error) {
    return wrong(
      'native module',
      `better-sqlite3 cannot be loaded: ${reasonOf(error)}`,
      'run "npm rebuild better-sqlite3", or "npm ci" to install everything anew',
    );
  }
}

/** Bytes below which a build of the whole record may fail, and fails. */
const comfortable = 512 * 1024 * 1024;
const least = 64 * 1024 * 1024;

/** @param bytes free for this user where the snapshot is */
export function judgeSpace(bytes: number, out: string): Finding {
  const found = `${Math.floor(bytes / 1024 / 1024).toLocaleString('en-US')} MB free for ${out}`;
  if (bytes >= comfortable) return fine('disk', found);
  const advice = `make room, or choose a folder on another disk with --out`;
  return bytes >= least ? note('disk', found, advice) : wrong('disk', `only ${found}`, advice);
}

export function checkSpace(out: string): Finding {
  let place = resolve(out);
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  try {
    const { bavail, bsize } = statfsSync(place);
    return judgeSpace(bavail * bsize, out);
  } catch (error) {
    return skipped('disk', `its free space cannot be told: ${reasonOf(error)}`);
  }
}

/** Whether "serve" could listen there, or does already. */
export async function checkPort(port: number, host: string): Promise<Finding> {
  const error = await refusalToListen(port, host);
  const place = `port ${port} on ${host}`;
  if (error === undefined) return fine('port', `${place} is free`);
  if (error.code === 'EADDRINUSE') {
    if (await isOurService(port, host)) return fine('port', `a service of this kind answers at ${place}`);
    return wrong(
      'port',
      `${place} is in use by another program`,
      'end that program, or choose another port with --port',
    );
  }
  return wrong(
    'port',
    `nothing can listen at ${place}: ${error.message}`,
    'choose others with --port and --host',
  );
}

function refusalToListen(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((fulfil) => {
    const server = createServer();
    server.once('error', fulfil);
    server.listen(port, host, () => server.close(() => fulfil(undefined)));
  });
}

async function isOurService(port: number, host: string): Promise<boolean> {
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  try {
    const answer = await fetch(`http://${authority}/api/categories`, { signal: AbortSignal.timeout(2000) });
    // Busy, or without a snapshot, it is the same one.
    return /"(count|type)":/.test(await answer.text()) && answer.headers.get('etag') !== null;
  } catch {
    return false;
  }
}
