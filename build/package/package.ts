/**
 * Makes the packages that people install: `npm run package` writes them below package/, and `npm pack
 * ./package/film-awards` packs one. This one has JavaScript for every module that the command line and the
 * client need, declarations of the client, data files, and the finished site; client-package.ts makes the
 * client alone.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { shippedName, writeSite } from '../derived/site.ts';
import { makeSite } from '../site/bundle.ts';
import { writeClientPackage } from './client-package.ts';
import {
  client,
  importsOf,
  manifestOfProject,
  packageOf,
  program,
  project,
  scriptOf,
  writeDeclarations,
} from './sources.ts';

/** What only the project itself or the build of the site needs. */
const left = [
  // Of the edge, the service itself imports write-forwarding.ts and mcp*.ts.
  'api/edge/{netlify,cloudflare}/**',
  'api/edge/{edge,netlify}-service.ts',
  'build/openapi/**',
  'build/package/**',
  // Of the site, the renderer of pages and the answers of the reference alone.
  'build/site/{edit,public}/**',
  'build/site/docs/{openapi,page,script}.ts',
  'build/site/**/*.css',
  'build/site/*.ts',
  'build/site/explorer/browser.ts',
  'build/cli/cli-reference.ts',
  '**/*.d.ts',
];

/**
 * The files of the project that the package is made from. By suffix: databases in data/ hold keys and
 * receipts.
 */
export const shippedFiles = (cwd: string): string[] =>
  fastGlob.sync('{api,build,data}/**/*.{ts,tsx,mjs,json,sql,tsv,rq,txt}', { cwd, ignore: left }).sort();

/** Writes the package into an empty or missing folder. */
export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const packages = new Set<string>();
  for (const path of shippedFiles(project)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (!/\.(tsx?|mjs)$/.test(path)) {
      copyFileSync(join(project, path), target);
      continue;
    }
    const text = await scriptOf(path);
    for (const imported of importsOf(text)) packages.add(packageOf(imported));
    writeFileSync(target.replace(/\.tsx?$/, '.js'), text);
  }
  writeDeclarations(folder);
  writeSite(join(folder, 'build/derived', shippedName), '', await makeSite());
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    copyFileSync(join(project, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(packages), undefined, 2)}\n`);
}

/** package.json of the package. @param imported names of packages and modules */
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
