/**
 * Makes the package that people install: JavaScript for every module that the command line and the client need, declarations
 * of the client, data files, and the finished site. `npm run package` writes it to package/, and `npm pack ./package` packs it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import fastGlob from 'fast-glob';
import { makeSite, siteCode } from '../layers/site/layer.ts';
import { shipSite } from '../layers/site/shipped-site.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const client = 'api/client/index';
/** What the commands of the package run. */
export const program = 'build/cli/main.js';

/** What only the project itself or the build of the site needs. */
const left = [
  'api/{edge,cloudflare}/**',
  'api/contract/openapi/**',
  'build/package/**',
  // Of the site, the renderer of pages alone.
  'build/site/{docs,edit,public}/**',
  'build/site/**/*.css',
  'build/site/*.ts',
  'build/site/explorer/{browser.tsx,browser-record.ts,pages/year-plot.ts}',
  'build/site/shared/{offline,offline-cache}.ts',
  'build/layers/site/{bundle,site-cache}.ts',
  'build/cli/{reference,cli-reference,preview,web-servers}.ts',
  '**/*.d.ts',
];

/** A quoted name of a source file, also where it is only text: workers, and entries of fingerprints. */
const sourceName = /(["'])((?:\.{1,2}\/)[\w./-]+)\.tsx?\1/g;
/** Workers load TypeScript in the project. */
const tsxRegistration = /^import \{ register \} from 'tsx\/esm\/api';$|^register\(\);$/gm;
const imported = /(?:^|\n)(?:import|export)\s[^'"]*?["']([^'"]+)["']|\bimport\(["']([^'"]+)["']\)/g;

/** Writes the package into an empty or missing folder. */
export async function writePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const packages = new Set<string>();
  for (const path of fastGlob.sync('{api,build,data}/**/*', { cwd: project, ignore: left }).sort()) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (!/\.(tsx?|mjs)$/.test(path)) {
      copyFileSync(join(project, path), target);
      continue;
    }
    const text = await scriptOf(path);
    for (const [, first, second] of text.matchAll(imported)) packages.add(packageOf(first ?? second!));
    writeFileSync(target.replace(/\.tsx?$/, '.js'), text);
  }
  writeDeclarations(folder);
  shipSite(join(folder, 'build/layers/site'), { code: siteCode(), files: await makeSite() });
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    copyFileSync(join(project, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(packages), undefined, 2)}\n`);
}

/** The JavaScript of a source file. */
async function scriptOf(path: string): Promise<string> {
  const source = readFileSync(join(project, path), 'utf8');
  if (path.endsWith('.mjs'))
    return source.replaceAll(tsxRegistration, '').replaceAll(sourceName, '$1$2.js$1');
  const loader = path.endsWith('.tsx') ? 'tsx' : 'ts';
  const { code } = await transform(source, { loader, format: 'esm', target: 'node20' });
  const text = code.replaceAll(sourceName, '$1$2.js$1');
  return path === program.replace('.js', '.ts') ? `#!/usr/bin/env node\n${text}` : text;
}

/** The name of a package, or of a module of the project or of Node. */
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** Declarations of the client and of all that it exports. */
function writeDeclarations(folder: string): void {
  const words = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'],
    ...['--rootDir', project, '--outDir', folder, '--module', 'nodenext', '--target', 'es2023'],
    ...['--lib', 'es2023,dom,dom.iterable', '--types', 'node', '--resolveJsonModule', '--strict'],
    ...['--exactOptionalPropertyTypes', '--skipLibCheck', '--stripInternal'],
  ];
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...words, join(project, `${client}.ts`)], { stdio: 'inherit' });
  for (const path of fastGlob.sync('**/*.d.ts', { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(sourceName, '$1$2.js$1'));
  }
}

/** package.json of the package. @param imported names of packages and modules */
function manifest(imported: ReadonlySet<string>): object {
  const { name, version, license, description, engines, dependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as Record<string, string> & { dependencies: Record<string, string> };
  return {
    ...{ name, version, license, description, engines },
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePackage(join(project, 'package'));
