/**
 * Makes the packages that people install: `npm run package` writes them below package/, and `npm pack
 * ./package/film-awards` packs one. This one has the command line and the client compiled, declarations of
 * the client, data files, and the finished site; client-package.ts makes the
 * client alone.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fastGlob from 'fast-glob';
import { hashOfSources } from '../../data/system/sources.mjs';
import { shippedName, writeSite } from '../derived/site.ts';
import { compile, entries } from '../program/compile.mjs';
import { makeSite } from '../site/bundle.ts';
import { writeClientPackage } from './client-package.ts';
import { client, manifestOfProject, program, project, writeDeclarations } from './sources.ts';

/** Files that the program reads beside its code. By suffix: databases in data/ hold keys and receipts. */
export const shippedFiles = (cwd: string): string[] =>
  fastGlob.sync('data/**/*.{sql,tsv,rq}', { cwd }).sort();

/** Writes the package into an empty or missing folder. */
export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { outputFiles, packages } = await compile({
    entries: [...entries, `${client}.ts`],
    folder,
    hash: hashOfSources(pathToFileURL(project)),
    addressOf: (path) => `new URL(${JSON.stringify(`../../${path}`)}, import.meta.url).href`,
    // The package has the finished site, and no generator.
    external: ['*/site/bundle.ts', '*/generate/generate.ts'],
  });
  for (const { path, text } of outputFiles) {
    const isCommand = path === join(folder, program);
    write(path, isCommand ? `#!/usr/bin/env node\n${text}` : text);
  }
  for (const path of shippedFiles(project)) write(join(folder, path), readFileSync(join(project, path)));
  writeDeclarations(folder);
  writeSite(join(folder, 'build/derived', shippedName), '', await makeSite());
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    write(join(folder, name), readFileSync(join(project, name)));
  write(join(folder, 'package.json'), `${JSON.stringify(manifest(packages), undefined, 2)}\n`);
}

function write(file: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

/** package.json of the package. @param imported names of packages */
function manifest(imported: ReadonlySet<string>): object {
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
    files: ['api', 'build', 'data', 'CHANGELOG.md'],
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([own]) => imported.has(own))),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writePackage(join(project, 'package/film-awards'));
  await writeClientPackage(join(project, 'package/film-awards-client'));
}
