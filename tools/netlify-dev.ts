/**
 * `npm run test:netlify`: the conformance table against `netlify dev`, with the edge functions that `netlify build` bundles.
 * Installs both outside the project. On Linux it runs in a network namespace where possible, because `netlify dev` listens on
 * every interface.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../data/database/open.ts';
import { fillWithNastyRecord } from '../tests/records/nasty-record.ts';
import { build } from '../tests/records/build.ts';
import { freePort } from '../tests/support/loopback.ts';
import { addressOf } from '../tests/support/processes.ts';
import { project } from '../tests/support/project.ts';
import { removeTemporaryFolders, temporaryFolder } from '../tests/support/temporary-folder.ts';
import {
  differences,
  expectations,
  fileExpectations,
  mcpExpectations,
  overHttp,
  pageExpectations,
} from '../tests/conformance/expectation.ts';
import { expectForwardsWrites, secret, startWriteEcho } from '../tests/conformance/write-echo.ts';

/** Tested together: a later Deno may refuse a flag of this CLI. */
const packages = ['netlify-cli@26.2.0', 'deno@2.8.3', '@netlify/edge-functions-dev@1'];
const run = promisify(execFile);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** Folder of the tools, kept between runs: half a gigabyte, a minute to install. */
const tools =
  process.env.AWARDS_NETLIFY_TOOLS ?? join(tmpdir(), `awards-netlify-${hashOf(packages.join()).slice(0, 8)}`);

/** In which the tools need no network and no account. */
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  ...{ CI: '1', NO_COLOR: '1', NETLIFY_TELEMETRY_DISABLED: '1', DENO_DIR: join(tools, '.deno') },
  PATH: `${join(tools, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  NETLIFY_EDGE_BOOTSTRAP: pathToFileURL(
    join(tools, 'node_modules/@netlify/edge-functions-dev/dist/deno/bootstrap.mjs'),
  ).href,
};

/** Installs the tools unless they are there. @throws if that fails */
async function installTools(): Promise<void> {
  if (existsSync(join(tools, 'installed'))) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'package.json'), '{"private":true}');
  process.stdout.write(`installing ${packages.join(', ')} into ${tools} …\n`);
  await run('npm', ['install', '--no-save', '--no-fund', '--no-audit', ...packages], { cwd: tools });
  // Reading `config` imports one module of types from the network; this puts it into Deno's cache.
  const path = '/bootstrap/globals/types.ts';
  const cache = join(tools, '.deno/remote/https/edge.netlify.com');
  const about = {
    headers: { 'content-type': 'application/typescript' },
    url: `https://edge.netlify.com${path}`,
  };
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    join(cache, hashOf(path)),
    `export type NetlifyGlobal = any;\n\n// denoCacheMetadata=${JSON.stringify(about)}`,
  );
  writeFileSync(join(tools, 'installed'), '');
}

/** Copies what Netlify needs of the project, and builds the snapshot. @param variables of the site */
async function prepare(folder: string, out: string, variables: Record<string, string>): Promise<void> {
  for (const name of ['netlify.toml', 'package.json', 'api', 'build/site'])
    cpSync(join(project, name), join(folder, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''));
  const connection = openDatabase(join(folder, 'awards.db'));
  fillWithNastyRecord(connection);
  await build(connection, out, { layers: ['site', 'pages', 'lists', 'by-imdb'] });
  connection.close();
}

/** `netlify build`: writes and reads have functions of their own, with limits per client. */
async function bundle(folder: string): Promise<void> {
  await run('netlify', ['build', '--offline'], { cwd: folder, env: environment });
  const text = readFileSync(join(folder, '.netlify/edge-functions-dist/manifest.json'), 'utf8');
  type Routes = Record<'routes' | 'post_cache_routes', { function: string }[]>;
  const { routes, post_cache_routes } = JSON.parse(text) as Routes;
  assert(routes.every((route) => route.function === 'write'));
  assert(post_cache_routes.every((route) => route.function === 'read'));
  assert.match(text, /"window_limit":100,"window_size":60.*"type":"ip"/s);
}

/** `netlify dev` replaces the Cache-Control of the rules, and gives JavaScript the older name of its type. */
const isOnlyInDev = /: Cache-Control: public, max-age=0, not |: Content-Type: application\/javascript, /;

async function compare(folder: string, out: string, pageOrigin: string): Promise<string[]> {
  const port = await freePort();
  const words = ['dev', '--offline', '--no-open', '--port', String(port)];
  // A process group, so that its children can be ended too.
  const child = spawn('netlify', words, { cwd: folder, env: environment, detached: true });
  process.once('exit', () => child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGKILL'));
  await addressOf(child);
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${origin}/manifest.json`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const { runtime, close } = overHttp(origin);
  const answered = [...(await expectations(out, true)), ...(await pageExpectations(out, pageOrigin))];
  answered.push(...(await mcpExpectations(out, pageOrigin)));
  // After a 404 `netlify dev`, unlike the CDN, asks for other spellings of the path, and returns the last answer.
  const all = [...answered.filter(({ answer }) => answer.status !== 404), ...fileExpectations(out, true)];
  const found = (await differences(runtime, all)).filter((line) => !isOnlyInDev.test(line));
  await expectForwardsWrites(origin);
  for (const path of ['/foo', '/manifest.json5']) assert.equal((await fetch(origin + path)).status, 404);
  close();
  process.stdout.write(
    `${found.join('\n')}\nnetlify dev: ${found.length} differences in ${all.length} answers\n`,
  );
  return found;
}

async function main(): Promise<number> {
  await installTools();
  const inside = '--in-namespace';
  if (process.platform === 'linux' && !process.argv.includes(inside)) {
    const unshare = ['--map-root-user', '--net', 'sh', '-c'];
    if (spawnSync('unshare', [...unshare, 'ip link set lo up']).status === 0) {
      const again = [process.execPath, '--import', 'tsx', fileURLToPath(import.meta.url), inside];
      const command = ['ip link set lo up && exec "$@"', 'sh', ...again];
      return spawnSync('unshare', [...unshare, ...command], { stdio: 'inherit' }).status ?? 1;
    }
    process.stdout.write('no network namespace: netlify dev listens on every interface\n');
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', removeTemporaryFolders);
  const echo = await startWriteEcho();
  const [folder, pageOrigin] = [temporaryFolder(), 'https://awards.example'];
  const out = join(folder, 'dist');
  await prepare(folder, out, { WRITE_ORIGIN: echo.origin, WRITE_SECRET: secret, AWARDS_ORIGIN: pageOrigin });
  await bundle(folder);
  return (await compare(folder, out, pageOrigin)).length === 0 ? 0 : 1;
}

// Child processes may keep the event loop alive.
process.exit(await main());
