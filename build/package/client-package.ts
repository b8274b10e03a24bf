/**
 * Makes film-awards-client: the client of film-awards alone, without dependencies and native code. It has the
 * client with the used parts of the packages that it imports, and their declarations. docs/deploy.md
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import fastGlob from 'fast-glob';
import {
  client,
  isOfPackage,
  licenses,
  manifestOfProject,
  project,
  writeDeclarations,
  writeLicenses,
} from './sources.ts';

/** Folder of what belongs to other packages: the used parts, and types. */
const vendor = 'vendor';

const options = {
  absWorkingDir: project,
  outbase: project,
  chunkNames: `${vendor}/[name]-[hash]`,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  // The client runs in browsers, too: the entry of lru-cache for Node imports a module of Node.
  conditions: ['browser'],
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Leaves imports of the project's own modules as they are. */
const modulesApart: Plugin = {
  name: 'modules-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: `${path.slice(0, -'.ts'.length)}.js`, external: true },
    );
  },
};

/**
 * Writes the client into a folder: its modules with the used parts of the packages that they import, and
 * their declarations.
 * @returns the paths of all sources below the project
 */
export async function writeClient(folder: string): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    entryPoints: [`${client}.ts`],
    outdir: folder,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs);
  const modules = inputs.filter((path) => !isOfPackage(path));
  // A file for each module, so that bundlers leave out those that a program does not use.
  await build({ ...options, entryPoints: modules, outdir: folder, plugins: [modulesApart] });
  writeDeclarations(folder);
  inlineSchemaTypes(folder);
  return inputs;
}

/** Writes the package into an empty or missing folder. */
export async function writeClientPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  writeLicenses(folder, await writeClient(folder));
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(project, name), join(folder, name));
  copyFileSync(join(project, 'build/package/client-readme.md'), join(folder, 'README.md'));
  write(folder, 'package.json', `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
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
    files: ['api', vendor, licenses, 'CHANGELOG.md'],
  };
}
