/**
 * Compiles the program: esbuild bundles each entry, with shared chunks. The commands of a checkout run it,
 * with packages outside; the package ships it, with all packages inside but the native one. Plain
 * JavaScript, because it runs before anything is compiled.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOfSources } from '../../data/system/sources.mjs';

const projectUrl = new URL('../../', import.meta.url);
const project = fileURLToPath(projectUrl);

/** What Node starts: the command line, and what data/system/entries.ts names. */
export const entries = ['build/cli/main.ts', 'api/write/writer-worker.ts', 'build/derived/update-process.ts'];

/** The package with native code, which no bundle can have. */
export const nativePackage = 'better-sqlite3';
/** CommonJS packages in a module load the modules of Node by it. */
const requireOfModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Compiled code that no start has used for this long is removed. */
const unusedMs = 7 * 24 * 60 * 60 * 1000;
/** How old the note of the last start may get. */
const noteMs = 60 * 60 * 1000;

/**
 * Files that are beside the sources are found by `import.meta.url`, which a bundle replaces by the address of
 * the source.
 * @param {(path: string) => string} addressOf an expression, for the path of a source below the project
 * @returns {import('esbuild').Plugin}
 */
const sourceAddresses = (addressOf) => ({
  name: 'source-addresses',
  setup({ onLoad, esbuild }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.url')) return undefined;
      const { code } = await esbuild.transform(source, {
        loader: path.endsWith('x') ? 'tsx' : 'ts',
        define: { 'import.meta.url': 'sourceAddress' },
        sourcefile: path,
        sourcemap: 'inline',
        target: 'esnext',
      });
      // On the first line, so that all others keep their numbers.
      const address = addressOf(relative(project, path).replaceAll('\\', '/'));
      return { contents: `const sourceAddress = ${address};${code}`, loader: 'js' };
    });
  },
});

/**
 * Compiles entries of the project.
 * @param {object} options
 * @param {readonly string[]} options.entries paths of sources, two folders below the project
 * @param {string} options.folder path that the code will have
 * @param {string} options.hash of the sources; productCode() is made from it
 * @param {(path: string) => string} options.addressOf as of sourceAddresses()
 * @param {readonly string[]} [options.external] modules of the project that the code does without
 * @param {boolean} [options.sourcemap]
 * @param {'external' | 'bundle'} [options.packages] whether the packages are inside
 * @returns the files, and the paths of all sources below the project
 */
export async function compile({
  entries,
  folder,
  hash,
  addressOf,
  external = [],
  sourcemap = false,
  packages = 'external',
}) {
  // Loaded late: most starts find compiled code.
  const { build, stop } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: [...entries],
    external: [...external, nativePackage],
    outbase: project,
    outdir: folder,
    // Two folders below the program, too: see sourceAddresses().
    chunkNames: 'build/chunks/[name]-[hash]',
    define: { compiledFrom: JSON.stringify(hash) },
    bundle: true,
    // A dynamic import still loads its modules late.
    splitting: true,
    packages,
    ...(packages === 'bundle' && {
      banner: { js: requireOfModules },
      // The main file of jsonc-parser loads others in a way that bundles cannot follow.
      mainFields: ['module', 'main'],
    }),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [sourceAddresses(addressOf)],
  });
  // Ends the child process of esbuild.
  await stop();
  return { outputFiles, sources: Object.keys(metafile.inputs) };
}

/**
 * Compiles the program into a folder from which Node runs it.
 * @param {string} folder that is not there yet
 * @param {{ hash?: string, more?: readonly string[] }} [options] the hash of the sources; further entries
 * @throws Error if it cannot be written, or a source has a fault or changes meanwhile
 */
export async function writeProgram(folder, { hash = hashOfSources(projectUrl), more = [] } = {}) {
  const addressOf = (/** @type {string} */ path) => JSON.stringify(new URL(path, projectUrl).href);
  const all = [...entries, ...more];
  // A copy of the sources may lack it, as the build of an image does.
  const hasGenerator = existsSync(new URL('tools/generate', projectUrl));
  const external = hasGenerator ? [] : ['*/generate/generate.ts'];
  const { outputFiles } = await compile({ entries: all, folder, hash, addressOf, external, sourcemap: true });
  if (hashOfSources(projectUrl) !== hash) throw new Error('the sources changed while they were compiled');
  // Another process may do the same, and this one may be killed: the folder appears when it is whole.
  const unfinished = `${folder}.${randomUUID()}.unfinished`;
  try {
    for (const { path, contents } of outputFiles)
      writeWhole(join(unfinished, relative(folder, path)), contents);
    writeWhole(join(unfinished, 'package.json'), '{ "type": "module" }');
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * @param {string} file
 * @param {string | Uint8Array} contents
 */
function writeWhole(file, contents) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents, { flush: true });
}

/**
 * The compiled program of the sources as they are now; compiles it where that has not been done.
 * @param {string} [cache] folder of compiled programs
 * @returns {Promise<string>} its folder
 * @throws Error if the cache cannot be written
 */
export async function compiledProgram(cache = join(project, 'node_modules/.cache/film-awards')) {
  const hash = hashOfSources(projectUrl);
  // A folder of packages may be shared by checkouts.
  const key = createHash('sha256').update(`${hash} ${project}`).digest('hex').slice(0, 20);
  mkdirSync(cache, { recursive: true });
  // Addresses in source maps are relative to where the files are.
  const folder = join(realpathSync(cache), `program-${key}`);
  const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  if (used === undefined) {
    await writeProgram(folder, { hash });
    removeUnused(cache);
  } else if (Date.now() - used > noteMs) noteUse(folder);
  return folder;
}

/** @param {string} folder */
function noteUse(folder) {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // It belongs to another user.
  }
}

/** @param {string} cache */
function removeUnused(cache) {
  for (const name of readdirSync(cache).filter((name) => name.startsWith('program-'))) {
    const folder = join(cache, name);
    try {
      if (Date.now() - statSync(folder).mtimeMs > unusedMs) rmSync(folder, { recursive: true });
    } catch {
      // Another process removed it, or it belongs to another user.
    }
  }
}
