/** The resolver bundled for a browser is small, needs nothing of Node, and gives the same bytes. */
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { fetchSource } from '../../api/read/fetch-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { anyRequest } from '../oracle/queries.ts';
import { nasty } from '../oracle/questions.ts';
import { runs } from '../support/settings.ts';
import { compiledRecord, type MemoryFolder } from '../support/build.ts';
import { sourceFiles } from './source-files.ts';
import { project } from '../support/project.ts';

/** The exports of the bundle. */
interface Bundle {
  Resolver: typeof Resolver;
  fetchSource: typeof fetchSource;
}

const entry = `export { Resolver } from '../layers/api/read/resolve.ts'; export { fetchSource } from '../layers/api/read/fetch-source.ts';`;

async function bundled(options: BuildOptions) {
  const result = await build({
    stdin: { contents: entry, resolveDir: project, loader: 'ts' },
    bundle: true,
    minify: true,
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...options,
  });
  return { text: result.outputFiles![0]!.text, inputs: Object.keys(result.metafile!.inputs) };
}

let snapshot: MemoryFolder;
beforeAll(async () => {
  snapshot = (await compiledRecord(fillWithNastyRecord)).files;
});

it('the bundle has nothing of Node, of the schemas or of the build', async () => {
  const { text, inputs } = await bundled({ format: 'esm' });
  expect(text).not.toMatch(/\b(import|require)\s*\(|\bfrom\s*["']|["']node:/);
  for (const input of inputs) expect(input).not.toMatch(/typebox|^(build|data)\/|resources\.ts$/);
  const size = gzipSync(text).length;
  process.stdout.write(`the resolver for a browser: ${text.length} bytes, ${size} gzipped\n`);
  expect(size).toBeLessThan(38_000);
});

it('random requests have the same answers with web globals only', async () => {
  const { text } = await bundled({ format: 'iife', globalName: 'bundle' });
  const asked: string[] = [];
  const web = {
    TextEncoder,
    TextDecoder,
    URL,
    URLSearchParams,
    Request,
    Response,
    Headers,
    ReadableStream,
    AbortController,
  };
  const context = vm.createContext({ ...web, crypto, performance, setTimeout, clearTimeout, queueMicrotask });
  vm.runInContext(text, context);
  const { Resolver: BundledResolver, fetchSource: bundledSource } = vm.runInContext(
    'bundle',
    context,
  ) as Bundle;
  const source = bundledSource('https://cdn.example/awards/', async (input) => {
    const path = String(input).replace('https://cdn.example/awards/', '');
    asked.push(path);
    const bytes = snapshot.files.get(path);
    return bytes ? new Response(bytes as Uint8Array<ArrayBuffer>) : new Response('none', { status: 404 });
  });
  const failures: unknown[] = [];
  const inBrowser = new BundledResolver(source, { onError: (error) => failures.push(error) });
  const inNode = new Resolver(snapshot);
  await fc.assert(
    fc.asyncProperty(anyRequest(nasty), async (request) => {
      const [there, here] = await Promise.all(
        [inBrowser, inNode].map((resolver) => resolver.answer({ method: 'GET', ...request })),
      );
      expect(there!.status).toBe(here!.status);
      expect(there!.headers).toEqual(here!.headers);
      expect(Buffer.from(there!.body!).equals(Buffer.from(here!.body!))).toBe(true);
    }),
    { numRuns: runs(200) },
  );
  expect(failures).toEqual([]);
  expect(asked.every((path) => path === 'manifest.json' || path.startsWith('shards/'))).toBe(true);
});

it('answers without Web Crypto, as in a page without TLS', async () => {
  const { text } = await bundled({ format: 'iife', globalName: 'bundle' });
  const context = vm.createContext({ TextEncoder, TextDecoder });
  vm.runInContext(text, context);
  const bundle = vm.runInContext('bundle', context) as Bundle;
  const request = { method: 'GET', path: '/api/movies', queryString: 'limit=2' };
  const [there, here] = await Promise.all(
    [new bundle.Resolver(snapshot), new Resolver(snapshot)].map((resolver) => resolver.answer(request)),
  );
  expect([there!.status, there!.headers]).toEqual([200, here!.headers]);
});

it('answers a web Request with a web Response of the same status, headers and body', async () => {
  const resolver = new Resolver(snapshot);
  const ask = (target: string, init?: RequestInit) =>
    resolver.fetch(new Request(`https://awards.example${target}`, init));
  const found = await ask('/api/movies?limit=2&title=%3C');
  expect(found.status).toBe(200);
  const list = await ask('/api/movies?limit=2#fragment');
  expect(list.headers.get('Link')).toMatch(/^<\/api\/movies\?limit=2&page=1>; rel="first"/);
  const text = await list.text();
  expect(Number(list.headers.get('Content-Length'))).toBe(Buffer.byteLength(text));
  const unchanged = await ask('/api/movies?limit=2', {
    headers: { 'If-None-Match': list.headers.get('ETag')! },
  });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  const head = await ask('/api/movies?limit=2', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
  expect((await ask('/api/movies', { method: 'POST', body: '{}' })).status).toBe(405);
  expect((await ask('/api/films')).status).toBe(404);
});

it('what makes pages is small, and has nothing of Node or of the browser', async () => {
  const contents = `export { SitePages } from '../layers/build/site/explorer/site-pages.ts';`;
  const { text, inputs } = await bundled({
    stdin: { contents, resolveDir: project, loader: 'ts' },
    format: 'esm',
  });
  expect(text).not.toMatch(/\brequire\s*\(|node:/);
  for (const input of inputs) expect(input).not.toMatch(/typebox|explorer\/browser\.ts|\.css$/);
  const size = gzipSync(text).length;
  process.stdout.write(`pages with the resolver: ${text.length} bytes, ${size} gzipped\n`);
  expect(size).toBeLessThan(90_000);
});

it('every component of the explorer names its JSX runtime, as Deno demands', () => {
  const components = sourceFiles('build/site/explorer').filter(({ path }) => path.endsWith('.tsx'));
  const without = components.filter(
    ({ text }) => !text.startsWith('/** @jsxRuntime automatic @jsxImportSource preact */\n'),
  );
  expect(components.length).toBeGreaterThan(10);
  expect(without.map(({ path }) => path)).toEqual([]);
});
