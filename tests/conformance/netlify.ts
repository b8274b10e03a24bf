/**
 * `npm run test:netlify`: the conformance table against `netlify dev`, with the edge functions that `netlify build` bundles.
 * Installs both outside the project. On Linux it runs in a network namespace where possible, because `netlify dev` listens on
 * every interface.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { differences, type Expectation, expectations } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { installTools, NetlifySite } from './netlify-site.ts';
import { htmlDifferences, pageDifferences } from './site-pages.ts';
import { expectForwardsWrites, secret, startWriteEcho } from './write-echo.ts';

const inside = '--in-namespace';
/** Scheme and host of the site, in its pages. */
const pageOrigin = 'https://awards.example';

async function main(): Promise<number> {
  const missing = await installTools();
  if (missing) {
    process.stdout.write(`skipped: ${missing}\n`);
    return 0;
  }
  if (process.platform === 'linux' && !process.argv.includes(inside)) {
    const unshare = ['--map-root-user', '--net', 'sh', '-c'];
    if (spawnSync('unshare', [...unshare, 'ip link set lo up']).status === 0) {
      const again = [process.execPath, '--import', 'tsx', fileURLToPath(import.meta.url), inside];
      const command = ['ip link set lo up && exec "$@"', 'sh', ...again];
      return spawnSync('unshare', [...unshare, ...command], { stdio: 'inherit' }).status ?? 1;
    }
    process.stdout.write('no network namespace: netlify dev listens on every interface\n');
  }
  const site = new NetlifySite();
  const echo = await startWriteEcho();
  process.once('SIGINT', () => process.exit(1));
  process.once('SIGTERM', () => process.exit(1));
  process.once('exit', () => site.remove());
  await site.prepare({ WRITE_ORIGIN: echo.origin, WRITE_SECRET: secret, AWARDS_ORIGIN: pageOrigin });
  const code = await compareAnswers(site);
  await echo.stop();
  return code;
}

async function compareAnswers(site: NetlifySite): Promise<number> {
  const { bytes, manifest } = await site.bundle();
  const {
    routes,
    post_cache_routes: cached,
    function_config: limits,
  } = JSON.parse(manifest) as BundleManifest;
  assert.deepEqual([...new Set(routes.map((route) => route.function))], ['write']);
  assert.deepEqual([...new Set(cached.map((route) => route.function))], ['read']);
  assert.match(JSON.stringify(limits), /"window_limit":100,"window_size":60.*"type":"ip"/);
  process.stdout.write(`the bundle: ${bytes.length} bytes, ${brotliCompressSync(bytes).length} in brotli\n`);
  const origin = await site.dev();
  const { runtime, close } = overHttp(origin);
  const expected = await expectations(site.out, true);
  const found = await differences(runtime, await Promise.all(expected.map((one) => asInDev(one, site.out))));
  await expectForwardsWrites(origin);
  found.push(...(await pageDifferences(runtime, site.out, true)).filter((line) => !isOnlyInDev.test(line)));
  // After a 404, `netlify dev` asks for other spellings of the path.
  found.push(...(await htmlDifferences(runtime, site.out, pageOrigin, true)));
  for (const path of ['/foo', '/manifest.json5'])
    assert.equal((await runtime({ method: 'GET', target: path })).status, 404);
  const shard = await runtime({ method: 'GET', target: '/manifest.json' });
  assert.equal(shard.headers.get('access-control-allow-origin'), '*');
  close();
  for (const difference of found) process.stdout.write(`${difference}\n`);
  process.stdout.write(`netlify dev: ${expected.length - found.length} of ${expected.length} as expected\n`);
  return found.length === 0 ? 0 : 1;
}

/** `netlify dev` replaces the Cache-Control of the rules, and gives JavaScript the older name of its type. */
const isOnlyInDev = /: Cache-Control is public, max-age=0, not |: of type application\/javascript$/;

interface BundleManifest {
  routes: { function: string }[];
  post_cache_routes: { function: string }[];
  function_config: unknown;
}

/** After a 404 `netlify dev`, unlike the CDN, asks for four more spellings of the path, and returns the last answer. */
async function asInDev(expectation: Expectation, out: string): Promise<Expectation> {
  const { request, answer } = expectation;
  if (answer.status !== 404) return expectation;
  const { pathname, search } = new URL(request.target, 'http://a');
  const path = `${pathname.replace(/\/$/, '')}/index.htm`;
  const { method } = request;
  const last = await new Resolver(fileSource(out)).answer({ method, path, queryString: search.slice(1) });
  return { request, answer: last };
}

process.exitCode = await main();
// Child processes may keep the event loop alive.
process.exit();
