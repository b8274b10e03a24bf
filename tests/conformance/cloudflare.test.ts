/** The promise: a Cloudflare Worker with the snapshot as static assets answers as the resolver, in Cloudflare's runtime. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import { path as apiPaths, pagePaths } from '../../api/hosts/netlify.ts';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { project } from '../layers/source-files.ts';
import { differences, expectations } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { htmlDifferences, pageDifferences } from './site-pages.ts';
import { useSnapshot } from './use-snapshot.ts';
import { expectForwardsWrites, secret, startWriteEcho } from './write-echo.ts';

const folder = join(project, 'api/cloudflare');

const configuration = JSON.parse(readFileSync(join(folder, 'wrangler.json'), 'utf8')) as {
  main: string;
  compatibility_date: string;
  assets: { binding: string; html_handling: 'none'; run_worker_first: string[] };
};

/** Why the runtime is missing; undefined where it is installed. */
function missingRuntime(): string | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
    require('workerd');
    return undefined;
  } catch (error) {
    return `npm has installed no workerd for ${process.platform} ${process.arch}: ${(error as Error).message}`;
  }
}

const snapshot = useSnapshot();
/** Scheme and host of the site, in its pages. */
const site = 'https://awards.example';

/** The worker over the snapshot. @param bindings variables of its deployment */
async function startWorker(bindings: Record<string, string>): Promise<Miniflare> {
  const { main, compatibility_date, assets } = configuration;
  const result = await build({
    entryPoints: [join(folder, main)],
    bundle: true,
    format: 'esm',
    external: ['cloudflare:workers'],
    write: false,
    logLevel: 'silent',
  });
  return new Miniflare({
    modules: true,
    // No request to Cloudflare.
    cf: false,
    script: result.outputFiles[0]!.text,
    compatibilityDate: compatibility_date,
    bindings,
    assets: {
      directory: snapshot.out,
      binding: assets.binding,
      routerConfig: { has_user_worker: true, static_routing: { user_worker: assets.run_worker_first } },
      assetConfig: { html_handling: assets.html_handling },
    },
  });
}

it('the worker answers every request of the table, and serves the site', async (context) => {
  const lacking = missingRuntime();
  if (lacking) return context.skip(lacking);
  const locks = [snapshotLockName, layersLockName];
  for (const name of locks) writeFileSync(join(snapshot.out, name), '');
  const miniflare = await startWorker({ AWARDS_ORIGIN: site });
  const { origin } = await miniflare.ready;
  const { runtime, close } = overHttp(origin);
  for (const name of locks)
    expect((await runtime({ method: 'GET', target: `/${name}` })).status, name).toBe(404);
  expect(await differences(runtime, await expectations(snapshot.out, false))).toEqual([]);
  expect(await pageDifferences(runtime, snapshot.out, true)).toEqual([]);
  expect(await htmlDifferences(runtime, snapshot.out, site)).toEqual([]);
  const person = { headers: { Accept: 'text/html' } };
  const missing = await fetch(`${origin}/nowhere`, person);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const manifest = await runtime({ method: 'GET', target: '/manifest.json' });
  expect(Buffer.from(manifest.body).equals(readFileSync(join(snapshot.out, 'manifest.json')))).toBe(true);
  close();
  await miniflare.dispose();
});

it('the worker runs before the assets at the addresses that the edge functions of Netlify cover', () => {
  expect(configuration.assets.run_worker_first).toEqual([...apiPaths, ...pagePaths]);
});

it('writes are forwarded to the write service', async (context) => {
  const missing = missingRuntime();
  if (missing) return context.skip(missing);
  const echo = await startWriteEcho();
  const miniflare = await startWorker({ WRITE_ORIGIN: echo.origin, WRITE_SECRET: secret });
  await expectForwardsWrites((await miniflare.ready).origin);
  await miniflare.dispose();
  await echo.stop();
});
