/**
 * What README tells a user to do, on this system: starts the service with the sample, reads, renames a film, reads the new title
 * everywhere, stops the service, and compares the folder with a clean build. Writes data/awards.db and dist/ of the project.
 *
 *   node --import tsx tools/smoke.ts
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../', import.meta.url));
const words = (...own: string[]) => ['build/program/run.mjs', ...own];
const say = (...parts: unknown[]) => process.stdout.write(`${parts.join(' ')}\n`);
const title = 'The Shape of Water, restored';

/** A key for this run: `start` prints one to a terminal only. */
const key = randomBytes(20).toString('hex');

/** No step takes longer: a wait that does not end is a fault with a message. */
const longestMs = 180_000;

/** A promise that is rejected when it takes too long. */
async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const late = new AbortController();
  const limit = setTimeout(longestMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what} took more than ${longestMs / 1000} s`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => {});
    late.abort();
  }
}

/** The address that `start` prints as JSON when it listens. */
async function started(service: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of service.stdout!.setEncoding('utf8')) {
    output += chunk as string;
    const [, address] = /"address":"([^"]+)"/.exec(output) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`start ended: ${output}`);
}

async function read(address: string, path: string): Promise<string> {
  const answer = await fetch(address + path, { signal: AbortSignal.timeout(longestMs) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

async function check(address: string): Promise<void> {
  const paths = ['/api/nominations?winner=true&limit=1', '/api/search?q=best+picture&limit=1'];
  for (const path of [...paths, '/api/stats/top-nominees?limit=3', '/api/ceremonies/97', '/docs'])
    say('200', path, JSON.stringify((await read(address, path)).slice(0, 100)));
  const written = await fetch(`${address}/api/movies/360`, {
    method: 'PATCH',
    signal: AbortSignal.timeout(longestMs),
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  if (!written.ok) throw new Error(`PATCH: ${written.status} ${await written.text()}`);
  const showing = ['/api/movies/360', '/api/movies?title=restored', '/api/search?q=shape+restored'];
  for (const path of [...showing, '/api/stats/top-movies?year=2018&limit=3']) {
    if (!(await read(address, path)).includes(title)) throw new Error(`${path} does not show the new title`);
    say(path, 'shows the new title');
  }
}

function run(...own: string[]): void {
  const { status } = spawnSync(process.execPath, words(...own), {
    cwd: project,
    stdio: 'inherit',
    timeout: longestMs,
  });
  if (status !== 0)
    throw new Error(`${own.join(' ')} ended with ${status ?? `a signal, after ${longestMs / 1000} s`}`);
}

const service = spawn(process.execPath, words('start', '--port', '0', '--json'), {
  cwd: project,
  env: { ...process.env, AWARDS_API_KEY: key },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'exit');
try {
  await check(await within(started(service), 'the start'));
  service.kill('SIGTERM');
  await within(ended, 'the end after SIGTERM');
} finally {
  // Nothing outlives this script, whatever fails.
  service.kill('SIGKILL');
}
// Windows has no signals: the service ends at once.
if (process.platform !== 'win32' && service.exitCode !== 0)
  throw new Error(`the service ended with ${service.exitCode}`);
// A service that is stopped at its first start leaves the pages to the next one.
run('build');
run('verify');
