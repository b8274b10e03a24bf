/** The promise: every host answers as the resolver in Node, byte for byte, and shows the site. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest';
import type { fetchSource } from '../../api/read/source.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { startService } from '../support/running-service.ts';
import { executablePath, launchChromium } from '../support/chromium.ts';
import { freePort, listen } from '../support/loopback.ts';
import { addressOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needTools, toolPath } from '../support/tools.ts';
import { deno, noDeno, startDeno } from '../support/deno.ts';
import {
  differences,
  expectations,
  fileExpectations,
  mcpExpectations,
  overHttp,
  pageExpectations,
  type Reply,
  type Runtime,
  useSnapshot,
} from './expectation.ts';
import { startStaticHost } from '../support/static-host.ts';
import { startWebServer, webServers } from './web-server.ts';
import { expectForwardsWrites, secret, startWriteEcho } from './write-echo.ts';

// Deno reads nothing below /dev, where temporary files are in memory.
vi.stubEnv('TMPDIR', undefined);
const snapshot = useSnapshot();
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/** Starts a program for one test. @returns the address that it prints */
function started(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return addressOf(child);
}

/** The address of a host over the snapshot. @param echo origin of the service that it forwards writes to */
type Start = (context: TestContext, echo: string) => Promise<string>;

/** In Deno, where Netlify runs them. */
async function startEdgeFunctions(context: TestContext, echo: string): Promise<string> {
  if (!deno) return context.skip(noDeno);
  const { line, stop } = await startDeno('tests/conformance/deno-host.ts', [snapshot.out, echo]);
  onTestFinished(stop);
  return `http://127.0.0.1:${line}`;
}

/** Under Cloudflare's own tool, with its bundler, asset server and runtime. No request leaves this machine. */
function startWorker(context: TestContext, echo: string): Promise<string> {
  needTools(context);
  const home = temporaryFolder();
  const words = [
    ...[toolPath('wrangler/bin/wrangler.js'), 'dev', '--config', 'api/edge/cloudflare/wrangler.json'],
    ...['--assets', snapshot.out, '--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0'],
    ...['--persist-to', home, '--show-interactive-dev-session=false'],
    ...['--var', `WRITE_ORIGIN:${echo}`, '--var', `WRITE_SECRET:${secret}`],
  ];
  return started(process.execPath, words, {
    ...{ PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, CI: '1' },
    ...{ WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
}

it.for<[string, Start, boolean]>([
  ['the edge functions of Netlify', startEdgeFunctions, false],
  ['a Worker of Cloudflare', startWorker, true],
])('%s: the table, every page, every message, and forwarded writes', async ([, start, hasFiles], context) => {
  const { out } = snapshot;
  const echo = await startWriteEcho();
  onTestFinished(echo.stop);
  const hidden = [snapshotLockName, layersLockName, 'edit/index.html'];
  for (const name of hidden.slice(0, 2)) writeFileSync(join(out, name), '');
  const origin = await start(context, echo.origin);
  const { runtime, close } = overHttp(origin);
  // No variable names the site: its pages name the host of the request.
  const expected = [...(await expectations(out, true)), ...(await pageExpectations(out, origin))];
  expected.push(...(await mcpExpectations(out, origin)));
  // Netlify sends the files by itself.
  if (hasFiles) expected.push(...fileExpectations(out, true));
  expect(await differences(runtime, expected)).toEqual([]);
  await expectForwardsWrites(origin);
  for (const path of hasFiles ? [...hidden, 'nowhere', 'apiary'] : []) {
    const answer = await fetch(`${origin}/${path}`, { headers: { Accept: 'text/html' } });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toBe(readFileSync(join(out, '404.html'), 'utf8'));
  }
  close();
});

it.for(webServers)('%s in front of the service passes its answers on', async (server, context) => {
  const service = await startService(snapshot.out, { proxies: ['127.0.0.1'] });
  onTestFinished(service.stop);
  const front = await startWebServer(context, server, 'service', { service: `127.0.0.1:${service.port}` });
  onTestFinished(front.stop);
  const { runtime, close } = overHttp(front.origin);
  const expected = await expectations(snapshot.out, false);
  // Caddy takes the media type from answers without a body.
  for (const { answer } of server === 'caddy' ? expected : [])
    if (answer.status === 304) delete (answer.headers as Record<string, string>)['Content-Type'];
  expect(await differences(runtime, [...expected, ...fileExpectations(snapshot.out, true)])).toEqual([]);
  expect(service.failures).toEqual([]);
  close();
});

it.for(webServers)('%s in front of a plain folder shows the site alone', async (server, context) => {
  const { out } = snapshot;
  writeFileSync(join(out, snapshotLockName), '');
  const front = await startWebServer(context, server, 'files', { folder: out });
  onTestFinished(front.stop);
  const { runtime, close } = overHttp(front.origin);
  expect(await differences(runtime, fileExpectations(out, false))).toEqual([]);
  const page = await runtime({ method: 'GET', target: '/pages/api/movies/27.json' });
  expect(Buffer.from(page.body).equals(readFileSync(join(out, 'api/movies/27.json')))).toBe(true);
  expect(page.headers.get('access-control-allow-origin')).toBe('*');
  for (const target of ['/movies/3', '/by-imdb/tt0211915.json']) {
    const etag = (await runtime({ method: 'GET', target })).headers.get('etag')!;
    expect((await runtime({ method: 'GET', target, ifNoneMatch: etag })).status).toBe(304);
  }
  const missing = '_headers _redirects nowhere api/films by-imdb/tt404.json shards/x'.split(' ');
  for (const path of [snapshotLockName, ...missing]) {
    const program = await fetch(`${front.origin}/${path}`);
    expect([path, program.status]).toEqual([path, 404]);
    expect(await program.json()).toMatchObject({ status: 404 });
    expect(program.headers.get('cache-control') ?? '').not.toContain('immutable');
    const person = await fetch(`${front.origin}/${path}`, { headers: { Accept: 'text/html' } });
    expect([path, person.status]).toEqual([path, 404]);
    expect(await person.text()).toBe(readFileSync(join(out, '404.html'), 'utf8'));
  }
  for (const method of ['POST', 'DELETE'])
    expect((await fetch(`${front.origin}/api/movies/27`, { method })).status).toBe(405);
  const headers = { 'x-long': 'a'.repeat(60 * 1024) };
  expect([400, 431]).toContain((await fetch(front.origin, { headers })).status);
  // The API as far as it lies there as files.
  for (const path of ['/api/movies/27', '/api/movies', '/api/ceremonies', '/api/categories/1']) {
    const answer = await fetch(front.origin + path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      expect.stringContaining('application/json'),
    ]);
    expect(await answer.text()).toBe(readFileSync(join(out, `${path}.json`), 'utf8'));
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  }
  expect((await fetch(`${front.origin}/api/movies/999999`)).status).toBe(404);
  const needService = [
    '/api/movies?title=a',
    '/api/movies/27?fields=id',
    '/api/search?q=ann',
    '/api/search',
    '/api',
  ];
  for (const path of [...needService, '/api/stats/top-movies', '/api/changes']) {
    const answer = await fetch(front.origin + path, { headers: { Accept: 'text/html' } });
    const { status, detail } = (await answer.json()) as { status: number; detail: string };
    expect([path, answer.status, status]).toEqual([path, 501, 501]);
    expect(detail).toContain('filters and search need the service');
  }
  const document = await fetch(`${front.origin}/api/openapi.json`);
  expect(document.headers.get('content-encoding')).toBe('gzip');
  expect(await document.text()).toBe(readFileSync(join(out, 'api/openapi.json'), 'utf8'));
  close();
});

it('npm run preview shows pages, deep links, downloads and unknown addresses from the files', async () => {
  const { out } = snapshot;
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { preview: string } };
  const PATH = `${join(project, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { PATH, AWARDS_DIST: out, PORT: String(await freePort()) };
  const { runtime, close } = overHttp(await started('sh', ['-c', scripts.preview], env));
  expect(await differences(runtime, fileExpectations(out, false, false))).toEqual([]);
  for (const target of ['/nowhere', '/api', '/movies/7/8']) {
    const { status, body } = await runtime({ method: 'GET', target });
    expect([target, status]).toEqual([target, 404]);
    expect(readFileSync(join(out, '404.html')).equals(body)).toBe(true);
  }
  close();
});

it('a site below a path says at once what is missing, and one without scripts after three seconds', async (context) => {
  if (!executablePath) return context.skip('there is no Chromium here; CHROMIUM names one');
  let root = '/film-awards/';
  const host = await listen(
    createServer(({ url }, response) => {
      const path = url!.startsWith(root) ? url!.slice(root.length) || 'index.html' : 'nowhere';
      const isThere = existsSync(join(snapshot.out, path)) && !path.endsWith('.js');
      const type = path.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8';
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': type });
      response.end(isThere ? readFileSync(join(snapshot.out, path)) : 'none');
    }),
  );
  onTestFinished(host.stop);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const hint = page.getByText('it works only at the root of its host');
  await page.goto(host.origin + root);
  expect(await hint.isVisible()).toBe(true);
  root = '/';
  await page.goto(`${host.origin}/`);
  expect(await hint.isVisible()).toBe(false);
  const delays = await page.evaluate(() =>
    document.getAnimations().map((animation) => {
      animation.finish();
      return animation.effect!.getTiming().delay;
    }),
  );
  expect([delays, await hint.isVisible()]).toEqual([[3000], true]);
});

/** The global of the bundle in the page, and an answer on its way from the page to the test. */
declare const bundle: { Resolver: typeof Resolver; fetchSource: typeof fetchSource };
type Delivered = { status: number; headers: Readonly<Record<string, string>>; body: string };
declare const window: { resolver: Resolver; deliver(number: number, answer: Delivered): void };

it('a browser with the client and the snapshot of another host answers every request of the table', async (context) => {
  if (!executablePath) return context.skip('there is no Chromium here; CHROMIUM names one');
  const stdin = {
    contents: `export { fetchSource, Resolver } from './api/client/index.ts';`,
    resolveDir: project,
  };
  const options = { bundle: true, platform: 'browser', format: 'iife', globalName: 'bundle' } as const;
  const { outputFiles } = await build({ stdin, ...options, write: false, logLevel: 'silent' });
  const host = await startStaticHost(snapshot.out);
  onTestFinished(host.stop);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const waiting = new Map<number, (reply: Reply) => void>();
  // Not the result of evaluate(): the debugger protocol sometimes loses a promise that waits for a file.
  await page.exposeFunction('deliver', (number: number, { status, headers, body }: Delivered) => {
    waiting.get(number)!({ status, headers: new Headers(headers), body: Buffer.from(body) });
  });
  await page.addScriptTag({ content: outputFiles[0]!.text });
  await page.evaluate((root) => {
    window.resolver = new bundle.Resolver(bundle.fetchSource(root), { writable: false });
  }, `${host.origin}/`);
  const runtime: Runtime = async ({ method, target, ifNoneMatch }) => {
    const { pathname: path, search } = new URL(target, host.origin);
    const number = waiting.size;
    const reply = new Promise<Reply>((resolve) => waiting.set(number, resolve));
    await page.evaluate(
      ([own, request]) => {
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        void Promise.resolve(window.resolver.answer(request)).then((answer) =>
          window.deliver(own, { ...answer, body: decoder.decode(answer.body ?? undefined) }),
        );
      },
      [number, { method, path, queryString: search.slice(1), ifNoneMatch }] as const,
    );
    return reply;
  };
  expect(await differences(runtime, await expectations(snapshot.out, false))).toEqual([]);
});
