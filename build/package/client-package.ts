/**
 * Makes film-awards-client: the client of film-awards alone, without dependencies and native code. It has the
 * modules that the client imports, the used parts of the packages that they import, and their declarations.
 * docs/deploy.md
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { build } from 'esbuild';
import fastGlob from 'fast-glob';
import {
  client,
  importsOf,
  manifestOfProject,
  packageOf,
  project,
  scriptOf,
  writeDeclarations,
} from './sources.ts';

/** Folder of the parts of other packages. */
const vendor = 'vendor';

/** Writes the package into an empty or missing folder. */
export async function writeClientPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  /** Module of another package → the names that are imported from it. */
  const foreign = new Map<string, Set<string>>();
  const waiting = [`${client}.ts`];
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const script = await scriptOf(path);
    for (const target of importsOf(script)) {
      const own = posix.join(posix.dirname(path), target).replace(/\.js$/, '.ts');
      if (!target.startsWith('.')) collectNames(script, target, foreign);
      else if (!seen.has(own)) {
        seen.add(own);
        waiting.push(own);
      }
    }
    write(folder, path.replace(/\.ts$/, '.js'), withVendored(script, path, foreign.keys()));
  }
  for (const [module, names] of foreign) await vendorModule(folder, module, [...names].sort());
  writeDeclarations(folder);
  inlineSchemaTypes(folder);
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(project, name), join(folder, name));
  copyFileSync(join(project, 'build/package/client-readme.md'), join(folder, 'README.md'));
  write(folder, 'package.json', `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @throws Error for another form of import than `import { a, b } from` and `import a from` */
function collectNames(script: string, module: string, foreign: Map<string, Set<string>>): void {
  const found = new RegExp(`^import (?:\\{([^}]*)\\}|\\w+) from "${module}";$`, 'm').exec(script);
  if (!found) throw new Error(`the client imports ${module} in another form than names or the default`);
  const [, own = 'default'] = found;
  const names = foreign.get(module) ?? new Set();
  for (const name of own.split(',')) names.add(name.trim());
  foreign.set(module, names);
}

const vendoredPath = (module: string) => `${vendor}/${module.replace(/^@/, '').replace(/\.js$/, '')}.js`;

/** The script with relative paths instead of the names of other packages. */
function withVendored(script: string, path: string, modules: Iterable<string>): string {
  let text = script;
  for (const module of modules) {
    const relative = posix.relative(posix.dirname(path), vendoredPath(module));
    text = text.replaceAll(` from "${module}";`, ` from "${relative}";`);
  }
  return text;
}

/** Writes the used part of another package, and its license. */
async function vendorModule(folder: string, module: string, names: readonly string[]): Promise<void> {
  const contents = `export { ${names.join(', ')} } from ${JSON.stringify(module)};`;
  await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    // The client runs in browsers, too: the entry of lru-cache for Node imports a module of Node.
    conditions: ['browser'],
    mainFields: ['module', 'main'],
    outfile: join(folder, vendoredPath(module)),
    logLevel: 'silent',
  });
  const source = join(project, 'node_modules', packageOf(module));
  const [license = ''] = fastGlob.sync('LICEN[SC]E*', { cwd: source });
  const text = readFileSync(join(source, license), 'utf8');
  write(folder, vendoredPath(module).replace(/\.js$/, '.LICENSE'), text);
}

/** Replaces the declarations of typebox, which takes 7 MB, by those of the used types. */
function inlineSchemaTypes(folder: string): void {
  for (const path of fastGlob.sync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8');
    const relative = posix.relative(posix.dirname(path), `${vendor}/schema-types.js`);
    write(folder, path, text.replaceAll("from 'typebox'", `from '${relative}'`));
  }
  const types = readFileSync(join(project, 'build/package/schema-types.d.ts'), 'utf8');
  // Declarations use them as members of the default export.
  write(folder, `${vendor}/schema-types.d.ts`, `${types}\nexport * as default from './schema-types.js';\n`);
}

function manifest(): object {
  const { name, common } = manifestOfProject();
  return {
    name: `${name}-client`,
    ...common,
    description: 'Typed client of the Film Awards Data Service, over HTTP or over its static files.',
    type: 'module',
    sideEffects: false,
    main: `./${client}.js`,
    types: `./${client}.d.ts`,
    exports: {
      '.': { types: `./${client}.d.ts`, default: `./${client}.js` },
      './package.json': './package.json',
    },
    files: ['api', vendor, 'CHANGELOG.md'],
  };
}
