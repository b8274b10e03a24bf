/**
 * Makes the packages that people install: `npm run package` writes them below package/, and `npm pack
 * ./package/film-awards` packs one. This one has the command line compiled, with all packages inside but the
 * native one, the client, data files, and the finished site; client-package.ts makes the client alone.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fastGlob from 'fast-glob';
import { hashOfSources } from '../../data/system/sources.mjs';
import { shippedName, writeSite } from '../derived/site.ts';
import { compile, entries, nativePackage } from '../program/compile.mjs';
import { makeSite } from '../site/bundle.ts';
import { writeClient, writeClientPackage } from './client-package.ts';
import { client, licenses, manifestOfProject, program, project, writeLicenses } from './sources.ts';

/** Files that the program reads beside its code. By suffix: databases in data/ hold keys and receipts. */
export const shippedFiles = (cwd: string): string[] =>
  fastGlob.sync('data/**/*.{sql,tsv,rq}', { cwd }).sort();

/** Writes the package into an empty or missing folder. */
export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { outputFiles, sources } = await compile({
    entries,
    folder,
    hash: hashOfSources(pathToFileURL(project)),
    addressOf: (path) => `new URL(${JSON.stringify(`../../${path}`)}, import.meta.url).href`,
    // The package has the finished site, and no generator.
    external: ['*/site/bundle.ts', '*/generate/generate.ts'],
    // Versions and engines are those of the lock file, whatever installs the package.
    packages: 'bundle',
  });
  for (const { path, text } of outputFiles) {
    const isCommand = path === join(folder, program);
    write(path, isCommand ? `#!/usr/bin/env node\n${text}` : text);
  }
  for (const path of shippedFiles(project)) write(join(folder, path), readFileSync(join(project, path)));
  writeLicenses(folder, [...sources, ...(await writeClient(folder))]);
  writeSite(join(folder, 'build/derived', shippedName), '', await makeSite());
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    write(join(folder, name), readFileSync(join(project, name)));
  write(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

function write(file: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

function manifest(): object {
  const { name, common, dependencies } = manifestOfProject();
  return {
    name,
    ...common,
    type: 'module',
    bin: { 'film-awards': program, awards: program },
    exports: {
      './client': { types: `./${client}.d.ts`, default: `./${client}.js` },
      './package.json': './package.json',
    },
    files: ['api', 'build', 'data', 'vendor', licenses, 'CHANGELOG.md'],
    dependencies: { [nativePackage]: dependencies[nativePackage] },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writePackage(join(project, 'package/film-awards'));
  await writeClientPackage(join(project, 'package/film-awards-client'));
}
