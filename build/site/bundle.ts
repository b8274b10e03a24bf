/**
 * Makes the files of the site: programs and styles under names with a content hash, the pages that load them, the service worker,
 * the files of public/, the OpenAPI document, error documents for hosts of plain files, and the rules that those hosts read. The
 * same sources give the same bytes in every folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { openapiText } from '../../api/contract/openapi/document.ts';
import { problemDocument } from '../../api/contract/problems.ts';
import { openapiPath } from '../../api/contract/routes.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { referenceHtml } from './docs/reference.tsx';
import { notFoundHtml } from './explorer/render.tsx';
import { shareKinds, sharePicture } from './explorer/share-pictures.ts';
import {
  escapedHtml,
  explorerPage,
  hostRules,
  notFoundPage,
  policyElement,
  robotsPath,
  robotsRules,
} from './shared/hosting.ts';

type Files = Map<string, Uint8Array>;

const folder = fileURLToPath(new URL('../', import.meta.url));
const publicFolder = new URL('public/', import.meta.url);
const sharedStyle = { name: 'style', source: 'site/shared/style.css' };
/** Output folder for esbuild; nothing is written to it. */
const outputFolder = 'site-files';

interface SitePage {
  /** Path below the root. */
  file: string;
  /** Name of its program and style under assets/. */
  name: string;
  /** Source of the program, below build/. */
  program: string;
  title: string;
  description: string;
}

const sitePages: readonly SitePage[] = [
  {
    file: 'index.html',
    name: 'explorer',
    program: 'site/explorer/browser.tsx',
    title: 'Film Awards',
    description: 'A century of film awards: nominations, winners, films, people, ceremonies and songs.',
  },
  {
    file: 'docs/index.html',
    name: 'docs',
    program: 'site/docs/main.ts',
    title: 'Reference of the film awards service',
    description: 'Every request and every answer of the film awards service, to read and to try.',
  },
];

const editor: SitePage = {
  file: 'edit/index.html',
  name: 'edit',
  program: 'site/edit/main.tsx',
  title: 'Edit the film awards',
  description: 'Correct and add records of the film awards.',
};

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
    referenceHtml(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')),
};
const notFoundTitle = 'There is nothing here';

/** @returns path below the root → bytes, without origins of posters */
export async function makeSite(): Promise<Files> {
  const encoder = new TextEncoder();
  const notFound = problemDocument('unknown-address', 'there is nothing at this address');
  return new Map([
    ['404.json', encoder.encode(`${JSON.stringify(notFound)}\n`)],
    [openapiPath.slice(1), encoder.encode(openapiText())],
    [robotsPath.slice(1), encoder.encode(robotsRules)],
    ...(await bundleSite()),
    ...hostRules([]),
  ]);
}

async function bundleSite(): Promise<Files> {
  try {
    const files = await bundlePages();
    const publicFiles = readdirSync(publicFolder).sort(byCodeUnit);
    const put = (name: string) => files.set(name, readFileSync(new URL(name, publicFolder)));
    for (const name of publicFiles.filter((own) => !notForReaders.has(own))) put(name);
    files.set('service-worker.js', await bundleWorker(files));
    for (const name of publicFiles.filter((own) => notForReaders.has(own))) put(name);
    for (const [path, bytes] of await bundleEditor()) files.set(path, bytes);
    return files;
  } finally {
    // Ends the child process of esbuild.
    await stop();
  }
}

async function bundlePages(): Promise<Files> {
  const result = await build({
    ...options,
    entryPoints: [
      { in: sharedStyle.source, out: sharedStyle.name },
      ...sitePages.map(({ program, name }) => ({ in: program, out: name })),
    ],
    entryNames: 'assets/[name]-[hash]',
    publicPath: '/',
    splitting: true,
  });
  const outputs: Outputs = new Map(
    Object.entries(result.metafile.outputs).map(([path, output]) => [addressIn(path), output]),
  );
  const files = new Map(result.outputFiles.map(({ path, contents }) => [pathOf(path), contents]));
  const style = addressOf(outputs, sharedStyle.source);
  const put = (file: string, html: string) => files.set(file, new TextEncoder().encode(html));
  for (const page of sitePages) {
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

/** The editor shares no file with the other pages: it is served, but not published, and the worker leaves it alone. */
async function bundleEditor(): Promise<Files> {
  const { file, name, program } = editor;
  const result = await build({
    ...options,
    entryPoints: [{ in: program, out: name }],
    entryNames: 'edit/[name]-[hash]',
  });
  const outputs = new Map(
    Object.entries(result.metafile.outputs).map(([path, own]) => [addressIn(path), own]),
  );
  const own = addressOf(outputs, program);
  const head = { ...editor, program: own, styles: [addressIn(outputs.get(own)!.cssBundle!)] };
  const files = result.outputFiles.map(({ path, contents }) => [pathOf(path), contents] as const);
  return new Map([[file, new TextEncoder().encode(pageHtml(head, noScript))], ...files]);
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

/** The path of an output file below the root. */
const pathOf = (path: string): string => relative(folder + outputFolder, path).replaceAll('\\', '/');

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

interface Head {
  title: string;
  description: string;
  /** Addresses of style sheets, in order. */
  styles: readonly string[];
  /** Address of the program, if the page has one. */
  program?: string;
  /** Addresses of the modules that the program imports. */
  imports?: readonly string[];
}

/** A page without inline scripts and styles. @param body HTML shown until the program runs */
function pageHtml({ title, description, styles, program, imports = [] }: Head, body: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // For hosts that send no headers; it must precede everything that is loaded.
    policyElement([]),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapedHtml(title)}</title>`,
    `<meta name="description" content="${escapedHtml(description)}">`,
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="manifest" href="/app.webmanifest">',
    ...styles.map((address) => `<link rel="stylesheet" href="${address}">`),
    ...imports.map((address) => `<link rel="modulepreload" href="${address}">`),
    ...(program === undefined ? [] : [`<script type="module" src="${program}"></script>`]),
    '</head>',
    `<body><div id="app">${body}</div></body>`,
    '</html>',
    '',
  ].join('\n');
}
