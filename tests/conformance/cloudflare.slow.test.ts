/** The promise: a Cloudflare Worker with the snapshot as static assets answers as the resolver, under Cloudflare's own tool. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { path as apiPaths, pagePaths } from '../../api/edge/netlify-service.ts';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { project } from '../support/project.ts';
import { needTools } from '../support/tools.ts';
import { differences, expectations } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { htmlDifferences, pageDifferences } from './site-pages.ts';
import { useSnapshot } from './use-snapshot.ts';
import { startWrangler } from './wrangler.ts';
import { expectForwardsWrites, secret, startWriteEcho } from './write-echo.ts';

const snapshot = useSnapshot();
/** Scheme and host of the site, in its pages. */
const site = 'https://awards.example';

it('the worker answers every request of the table, and serves the site', async (context) => {
  needTools(context);
  const locks = [snapshotLockName, layersLockName];
  for (const name of locks) writeFileSync(join(snapshot.out, name), '');
  const origin = await startWrangler(snapshot.out, { AWARDS_ORIGIN: site });
  const { runtime, close } = overHttp(origin);
  for (const name of locks)
    expect((await runtime({ method: 'GET', target: `/${name}` })).status, name).toBe(404);
  expect(await differences(runtime, await expectations(snapshot.out, false))).toEqual([]);
  expect(await pageDifferences(runtime, snapshot.out, true)).toEqual([]);
  expect(await htmlDifferences(runtime, snapshot.out, site)).toEqual([]);
  const person = { headers: { Accept: 'text/html' } };
  for (const [path, status, type] of [
    ['nowhere', 404, 'text/html'],
    ['apiary', 404, 'text/html'],
    ['robots.txt', 200, 'text/plain'],
    ['sitemap.xml', 200, 'application/xml'],
  ] as const) {
    const answer = await fetch(`${origin}/${path}`, person);
    const found = [answer.status, answer.headers.get('content-type')];
    expect(found, path).toEqual([status, `${type}; charset=utf-8`]);
  }
  const manifest = await runtime({ method: 'GET', target: '/manifest.json' });
  expect(Buffer.from(manifest.body).equals(readFileSync(join(snapshot.out, 'manifest.json')))).toBe(true);
  close();
});

it('the worker runs at every address of the API and of pages: only files are answered before it', () => {
  const configuration = JSON.parse(
    readFileSync(join(project, 'api/edge/cloudflare/wrangler.json'), 'utf8'),
  ) as {
    assets: { run_worker_first: string[] };
  };
  const [everything, ...files] = configuration.assets.run_worker_first;
  expect(everything).toBe('/*');
  for (const rule of files) {
    const [, path = '', star] = /^!(\/[\w.]+)(\/\*)?$/.exec(rule)!;
    const covers = (address: string) => (star ? address.startsWith(`${path}/`) : address === path);
    expect([...apiPaths, ...pagePaths].filter(covers), rule).toEqual([]);
  }
});

it('writes are forwarded to the write service', async (context) => {
  needTools(context);
  const echo = await startWriteEcho();
  const variables = { WRITE_ORIGIN: echo.origin, WRITE_SECRET: secret };
  await expectForwardsWrites(await startWrangler(snapshot.out, variables));
  await echo.stop();
});
