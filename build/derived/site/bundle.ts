/**
 * Bundles the site: programs and styles under names with a content hash, the pages that load them, the service worker and
 * the files of public/. The same sources give the same bytes in every folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { explorerPage, notFoundPage } from '../../site/shared/hosting.ts';
import { contentHash } from '../../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../../api/contract/text.ts';
import { nodeDigest } from '../../../api/read/node-source.ts';
import { referenceHtml } from '../../site/docs/reference.tsx';
import { notFoundHtml } from '../../site/explorer/render.tsx';
import { shareKinds, sharePicture } from '../../site/explorer/share-pictures.ts';
import { pageHtml, type SitePage, sitePages } from './pages.ts';

type Files = Map<string, Uint8Array>;

const folder = fileURLToPath(new URL('../../', import.meta.url));
const publicFolder = new URL('../../site/public/', import.meta.url);
const sharedStyle = { name: 'style', source: 'site/shared/style.css' };
/** Output folder for esbuild; nothing is written to it. */
const outputFolder = 'site-files';

const options = {
  absWorkingDir: folder,
  assetNames: 'assets/[name]-[hash]',
  bundle: true,
  charset: 'utf8',
  chunkNames: 'assets/[name]-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
  minify: true,
  outdir: outputFolder,
  platform: 'browser',
  // Names packages by their links, so that the bytes do not depend on where they are installed.
  preserveSymlinks: true,
  target: 'es2022',
  tsconfigRaw: {},
  write: false,
} satisfies BuildOptions;

const noScript =
  '<noscript><main class="no-script"><p>This page needs JavaScript. <a href="/docs">The reference</a> says how to read the record without it.</p></main></noscript>';
/** For programs that show or read links to the site. Pages do not need them offline. */
const notForReaders: ReadonlySet<string> = new Set([
  'llms.txt',
  ...shareKinds.map((kind) => sharePicture(kind).path.slice(1)),
]);
/** Page file → its body, for pages whose content is known when the site is made. */
const bodies: Readonly<Record<string, () => string>> = {
  'docs/index.html': () =>
    referenceHtml(readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')),
};
const notFoundTitle = 'There is nothing here';

/** @returns path below the root → bytes */
export async function bundleSite(): Promise<Files> {
  try {
    const files = await bundlePages(sitePages);
    const publicFiles = readdirSync(publicFolder).sort(byCodeUnit);
    const put = (name: string) => files.set(name, readFileSync(new URL(name, publicFolder)));
    for (const name of publicFiles.filter((own) => !notForReaders.has(own))) put(name);
    files.set('service-worker.js', await bundleWorker(files));
    for (const name of publicFiles.filter((own) => notForReaders.has(own))) put(name);
    return files;
  } finally {
    // Ends the child process of esbuild.
    await stop();
  }
}

async function bundlePages(pages: readonly SitePage[]): Promise<Files> {
  const result = await build({
    ...options,
    entryPoints: [
      { in: sharedStyle.source, out: sharedStyle.name },
      ...pages.map(({ program, name }) => ({ in: program, out: name })),
    ],
    entryNames: 'assets/[name]-[hash]',
    publicPath: '/',
    splitting: true,
  });
  const outputs: Outputs = new Map(
    Object.entries(result.metafile.outputs).map(([path, output]) => [addressIn(path), output]),
  );
  const pathOf = (path: string) => relative(folder + outputFolder, path).replaceAll('\\', '/');
  const files = new Map(result.outputFiles.map(({ path, contents }) => [pathOf(path), contents]));
  const style = addressOf(outputs, sharedStyle.source);
  const put = (file: string, html: string) => files.set(file, new TextEncoder().encode(html));
  for (const page of pages) {
    const program = addressOf(outputs, page.program);
    const own = outputs.get(program)?.cssBundle;
    const styles = own === undefined ? [style] : [style, addressIn(own)];
    const imports = importsOf(outputs, program);
    put(page.file, pageHtml({ ...page, program, styles, imports }, bodies[page.file]?.() ?? noScript));
    if (page.file === explorerPage) {
      const head = { title: notFoundTitle, description: notFoundTitle, styles };
      put(notFoundPage, pageHtml(head, notFoundHtml()));
    }
  }
  return files;
}

/** Tells the worker which files to cache, and their version: the hash of their names and hashes. */
async function bundleWorker(files: Files): Promise<Uint8Array> {
  const paths = [...files.keys()].sort(byCodeUnit);
  const named = paths.map((path) => `${path} ${contentHash(files.get(path)!, nodeDigest)}\n`).join('');
  const version = contentHash(new TextEncoder().encode(named), nodeDigest);
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['site/service-worker.ts'],
    define: { ...options.define, site: JSON.stringify({ version, paths }) },
  });
  return outputFiles[0]!.contents;
}

/** By address. */
type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

const addressIn = (output: string): string => output.slice(outputFolder.length);

function addressOf(outputs: Outputs, source: string): string {
  for (const [address, { entryPoint }] of outputs) if (entryPoint === source) return address;
  throw new Error(`esbuild made no file of ${source}`);
}

/** Everything that a program imports statically, for preloading. */
function importsOf(outputs: Outputs, program: string): string[] {
  const found = new Set([program]);
  // A set yields what is added while it is iterated.
  for (const address of found)
    for (const { kind, path } of outputs.get(address)!.imports)
      if (kind === 'import-statement' && outputs.has(addressIn(path))) found.add(addressIn(path));
  return [...found].slice(1);
}
