/** The promise: the resolver needs nothing of Node, nor Web Crypto, which a page without TLS lacks. Browsers run the table of tests/conformance. */
import vm from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { anyRequest } from '../records/oracle/queries.ts';
import { nasty } from '../records/oracle/questions.ts';
import { compiledRecord } from '../records/build.ts';
import { project } from '../support/project.ts';
import { runs } from '../support/settings.ts';

it('random requests have the same answers as in Node where there is nothing but text encoders', async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { Resolver } from './api/read/resolve.ts';`, resolveDir: project },
    ...{ bundle: true, platform: 'browser', format: 'iife', globalName: 'bundle' },
    ...{ write: false, metafile: true },
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((input) => /typebox|^(build|data)\/|resources\.ts$/.test(input))).toEqual([]);
  const context = vm.createContext({ TextEncoder, TextDecoder });
  vm.runInContext(outputFiles[0]!.text, context);
  const bundle = vm.runInContext('bundle', context) as { Resolver: typeof Resolver };
  const { files } = await compiledRecord(fillWithNastyRecord);
  const failures: unknown[] = [];
  const there = new bundle.Resolver(files, { onError: (error: unknown) => failures.push(error) });
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
