/** The package in other projects: a bundle contains only the used parts, and TypeScript finds the types. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { consumerOf, faultsOfTypes } from '../package/consumer.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A project with this package in its node_modules. */
function otherProject(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(project, join(folder, 'node_modules/film-awards'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

async function bundled(contents: string) {
  const result = await build({
    stdin: { contents, resolveDir: otherProject(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const { text } = result.outputFiles[0]!;
  return { text, size: gzipSync(text).length, inputs: Object.keys(result.metafile.inputs) };
}

it.each([
  [
    'one function over HTTP',
    `import { list, httpTransport } from 'film-awards/client'; console.log(list(httpTransport('')));`,
    1500,
  ],
  [
    'all of it over HTTP',
    `import { createClient, httpTransport } from 'film-awards/client'; console.log(createClient(httpTransport('')));`,
    2500,
  ],
])('the bundle of %s is small, without the resolver and packages', async (_name, program, most) => {
  const { text, size } = await bundled(program);
  process.stdout.write(`${_name}: ${text.length} bytes, ${size} gzipped\n`);
  expect(size).toBeLessThan(most);
  expect(text).not.toMatch(/manifest\.json|typebox|SnapshotUnavailable/);
});

it('the bundle for a snapshot runs in a browser and contains no schemas', async () => {
  const program = `import { createClient, fetchSource, snapshotTransport } from 'film-awards/client'; console.log(createClient(snapshotTransport(fetchSource('/'))));`;
  const { text, size } = await bundled(program);
  expect(text).not.toMatch(/typebox|node:/);
  expect(size).toBeLessThan(38_100);
});

it('TypeScript checks the calls in another project', async () => {
  const folder = otherProject();
  const options = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    ...{
      module: 'ESNext',
      moduleResolution: 'Bundler',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
  };
  expect(await faultsOfTypes(folder, consumerOf('film-awards/client'), options)).toBe('');
});
