/**
 * Makes the files of the site from its sources: programs and styles under names that tell their content, the pages that load
 * them, the service worker, and what is taken over as it is. The same sources make the same bytes, wherever they lie.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, stop } from 'esbuild';
import { notFoundPage } from '../../../api/contract/site.ts';
import { contentHash } from '../../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../../api/contract/text.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import { pageHtml } from './html.ts';
import { type SitePage, sitePages } from './pages.ts';

type Files = Map<string, Uint8Array>;

const folder = fileURLToPath(new URL('../../', import.meta.url));
/** Files that are part of the site as they are. */
const publicFolder = new URL('../../site/public/', import.meta.url);
const worker = 'service-worker.js';
/** The style sheet that all pages have. */
const sharedStyle = { name: 'style', source: 'site/shared/style.css' };
/** Where the bundler pretends to write. */
const pretended = 'site-files';

const options = {
  absWorkingDir: folder,
  bundle: true,
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' },
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
  minify: true,
  platform: 'browser',
  // Packages are named by where they are linked, not by where they are kept.
  preserveSymlinks: true,
  target: 'es2022',
  tsconfigRaw: {},
  write: false,
} satisfies BuildOptions;

const noScript =
  '<noscript><p>This page needs JavaScript. The record itself is at <code>/api</code>.</p></noscript>';
const notFound =
  '<main class="page"><h1>There is nothing here</h1><p>The address may be mistyped, or what was here is gone.</p><p><a href="/">Search the film awards</a></p></main>';

/** Path below the root → bytes. */
export async function bundleSite(pages: readonly SitePage[] = sitePages): Promise<Files> {
  try {
    const { files, apart } = await bundledPages(pages);
    for (const name of readdirSync(publicFolder).sort(byCodeUnit))
      files.set(name, readFileSync(new URL(name, publicFolder)));
    files.set(worker, await bundledWorker(files, apart));
    return files;
  } finally {
    // The bundler is a process of its own, and not needed again soon.
    await stop();
  }
}

/** The files of all pages, and for each page that is apart from the others the files that none of those needs. */
async function bundledPages(pages: readonly SitePage[]): Promise<{ files: Files; apart: Apart }> {
  const result = await build({
    ...options,
    entryPoints: [
      { in: sharedStyle.source, out: sharedStyle.name },
      ...pages.map(({ program, name }) => ({ in: program, out: name })),
    ],
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    outdir: pretended,
    publicPath: '/',
    splitting: true,
  });
  const outputs = outputsOf(result.metafile);
  const files = new Map(result.outputFiles.map((file) => [pathOf(file), file.contents]));
  const style = addressOf(outputs, sharedStyle.source);
  const put = (file: string, html: string) => files.set(file, new TextEncoder().encode(html));
  for (const page of pages) {
    const program = addressOf(outputs, page.program);
    const own = outputs.get(program)?.cssBundle;
    put(
      page.file,
      pageHtml(
        {
          ...page,
          program,
          styles: own === undefined ? [style] : [style, addressIn(own)],
          imports: importsOf(outputs, program),
        },
        noScript,
      ),
    );
  }
  const title = 'There is nothing here';
  put(notFoundPage, pageHtml({ title, description: title, styles: [style] }, notFound));
  return { files, apart: filesApart(outputs, pages) };
}

/** Page → the files that it alone needs, of which it is one. */
type Apart = ReadonlyMap<string, readonly string[]>;

function filesApart(outputs: Outputs, pages: readonly SitePage[]): Apart {
  const needs = (page: SitePage) => neededBy(outputs, addressOf(outputs, page.program));
  const common = new Set(pages.filter((page) => !page.isApart).flatMap(needs));
  return new Map(
    pages
      .filter((page) => page.isApart)
      .map((page) => {
        const own = needs(page).filter((address) => !common.has(address));
        return [page.file, [page.file, ...own.map((address) => address.slice(1))].sort(byCodeUnit)];
      }),
  );
}

/** A program with all that it may load, at once or later, and their styles. */
function neededBy(outputs: Outputs, program: string): string[] {
  const found = new Set([program]);
  for (const address of found) {
    const { imports = [], cssBundle } = outputs.get(address) ?? {};
    for (const path of [...imports.map((own) => own.path), ...(cssBundle === undefined ? [] : [cssBundle])])
      found.add(addressIn(path));
  }
  return [...found].filter((address) => outputs.has(address));
}

/** The worker knows which files it keeps, and by their hash which version of the site they are. */
async function bundledWorker(files: Files, apart: Apart): Promise<Uint8Array> {
  const all = [...files.keys()].sort(byCodeUnit);
  const later = new Set([...apart.values()].flat());
  const paths = all.filter((path) => !later.has(path));
  const named = all.map((path) => `${path} ${contentHash(files.get(path)!, nodeDigest)}\n`).join('');
  const version = contentHash(new TextEncoder().encode(named), nodeDigest);
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['site/service-worker.ts'],
    outdir: pretended,
    define: { ...options.define, site: JSON.stringify({ version, paths, apart: Object.fromEntries(apart) }) },
  });
  return outputFiles[0]!.contents;
}

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

const addressIn = (output: string): string => output.slice(pretended.length);
const pathOf = (file: OutputFile): string =>
  relative(`${folder}${pretended}`, file.path).replaceAll('\\', '/');

/** Address → what the bundler says about the file. */
const outputsOf = ({ outputs }: Metafile): Outputs =>
  new Map(Object.entries(outputs).map(([path, output]) => [addressIn(path), output]));

function addressOf(outputs: Outputs, source: string): string {
  for (const [address, { entryPoint }] of outputs) if (entryPoint === source) return address;
  throw new Error(`the bundler made nothing of ${source}`);
}

/** What a program cannot begin without, so that the browser need not find out one after the other. */
function importsOf(outputs: Outputs, address: string): string[] {
  const found = new Set<string>();
  const visit = (output: string): void => {
    for (const { path, kind } of outputs.get(output)?.imports ?? []) {
      const target = addressIn(path);
      if (kind !== 'import-statement' || found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  visit(address);
  return [...found];
}
