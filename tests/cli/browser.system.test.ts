/** The promise: the resolver needs nothing but web globals, and gives the same bytes with them. A browser runs the table of tests/conformance. */
import vm from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { fetchSource } from '../../api/read/fetch-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { anyRequest } from '../oracle/queries.ts';
import { nasty } from '../oracle/questions.ts';
import { compiledRecord } from '../support/build.ts';
import { project } from '../support/project.ts';
import { runs } from '../support/settings.ts';

const web = { TextEncoder, TextDecoder, URL, URLSearchParams, Request, Response, Headers, AbortController };

it.each([
  ['all that a page has', { ...web, crypto, performance, setTimeout, clearTimeout, queueMicrotask }],
  // As in a page without TLS: it has no Web Crypto.
  ['the least', { TextEncoder, TextDecoder }],
])('random requests have the same answers as in Node, with %s', async (name, globals) => {
  const contents = `export { Resolver } from './api/read/resolve.ts'; export { fetchSource } from './api/read/fetch-source.ts';`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: project, loader: 'ts' },
    ...{
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'bundle',
      write: false,
      metafile: true,
    },
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((input) => /typebox|^(build|data)\/|resources\.ts$/.test(input))).toEqual([]);
  const context = vm.createContext(globals);
  vm.runInContext(outputFiles[0]!.text, context);
  const bundle = vm.runInContext('bundle', context) as {
    Resolver: typeof Resolver;
    fetchSource: typeof fetchSource;
  };
  const { files } = await compiledRecord(fillWithNastyRecord);
  const root = 'https://cdn.example/awards/';
  const overHttp = bundle.fetchSource(root, async (input) => {
    const bytes = files.files.get(String(input).replace(root, ''));
    return bytes ? new Response(bytes as Uint8Array<ArrayBuffer>) : new Response('none', { status: 404 });
  });
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const there = new bundle.Resolver(name === 'the least' ? files : overHttp, { onError });
  const here = new Resolver(files);
  await fc.assert(
    fc.asyncProperty(anyRequest(nasty), async (request) => {
      const [one, two] = await Promise.all(
        [there, here].map((own) => own.answer({ method: 'GET', ...request })),
      );
      expect([one!.status, one!.headers]).toEqual([two!.status, two!.headers]);
      expect(Buffer.from(one!.body!).equals(Buffer.from(two!.body!))).toBe(true);
    }),
    { numRuns: runs(100) },
  );
  expect(failures).toEqual([]);
});
