/**
 * Makes the files of the site: a script and a style sheet for each page under names with a content hash, the
 * pages that load them, the service worker, the files of public/, the OpenAPI document, error documents for
 * hosts of plain files, and the rules that those hosts read. The same sources give the same bytes in every
 * folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, stop } from 'esbuild';
import { openapiText } from '../openapi/document.ts';
import { problemDocument } from '../../api/contract/problems.ts';
import { documentationPath, openapiPath, rootPath } from '../../api/contract/routes.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { referenceHtml } from './docs/page.ts';
import { editorBody, messageBody } from './explorer/frame.tsx';
import {
  apiCatalogPath,
  escapedHtml,
  explorerPage,
  hostRules,
  notFoundPage,
  policyElement,
  referenceFile,
  robotsPath,
  robotsRules,
  shellClass,
} from './shared/hosting.ts';

type Files = Map<string, Uint8Array>;

const folder = fileURLToPath(new URL('../', import.meta.url));
const publicFolder = new URL('public/', import.meta.url);
/** Output folder for esbuild; nothing is written to it. */
const outputFolder = 'site-files';

interface SitePage {
  /** Path below the root. */
  file: string;
  /** Source of the script, below build/. It imports the style sheet. */
  program: string;
  /** Where the script and the style sheet are, below the root, without their hash. */
  assets: string;
  title: string;
  description: string;
  body: () => string;
  bodyClass?: string;
}

const sitePages: readonly SitePage[] = [
  {
    file: explorerPage,
    program: 'site/explorer/browser.ts',
    assets: 'assets/explorer',
    title: 'Film Awards',
    description: 'A century of film awards: nominations, winners, films, people, ceremonies and songs.',
    body: () =>
      messageBody(
        'Film Awards',
        'The page is being prepared. This host only stores files, so its pages need JavaScript.',
        'If this stays, scripts do not run here, files of the site are missing, or the site is below a path: it works only at the root of its host.',
      ),
    bodyClass: shellClass,
  },
  {
    file: referenceFile,
    program: 'site/docs/script.ts',
    assets: 'assets/docs',
    title: 'API reference of the film awards',
    description: 'Every request and every answer of the film awards API, to read and to try.',
    body: () => referenceHtml(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')),
  },
  {
    file: 'edit/index.html',
    program: 'site/edit/main.tsx',
    // The editor is served and not published, so it shares no file with other pages.
    assets: 'edit/edit',
    title: 'Edit the film awards',
    description: 'Correct and add records of the film awards.',
    body: editorBody,
  },
];

const options = {
  absWorkingDir: folder,
  // A browser needs a tenth of the package.
  alias: { 'lru-cache': './site/shared/small-cache.ts' },
  bundle: true,
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' },
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  loader: { '.woff2': 'file' },
  logLevel: 'silent',
  minify: true,
  outdir: outputFolder,
  platform: 'browser',
  // Names packages by their links, so that the bytes do not depend on where they are installed.
  preserveSymlinks: true,
  target: 'es2022',
  tsconfigRaw: {},
  write: false,
} satisfies BuildOptions;

const notFoundTitle = 'There is no page at this address';
const notFoundText = 'The address may be mistyped, or what was here was removed. Search for it above.';

/** The APIs of the site as a linkset (RFC 9264). The addresses are relative: the same bytes on every host. */
const apiCatalog = {
  linkset: [
    {
      anchor: rootPath,
      'service-desc': [{ href: openapiPath, type: 'application/json' }],
      'service-doc': [{ href: documentationPath, type: 'text/html' }],
    },
  ],
};

const encoder = new TextEncoder();

/** @returns path below the root → bytes, without origins of posters */
export async function makeSite(): Promise<Files> {
  const notFound = problemDocument('unknown-address', 'there is nothing at this address');
  const files: Files = new Map([
    ['404.json', encoder.encode(`${JSON.stringify(notFound)}\n`)],
    [openapiPath.slice(1), encoder.encode(openapiText())],
    [apiCatalogPath.slice(1), encoder.encode(`${JSON.stringify(apiCatalog)}\n`)],
    [robotsPath.slice(1), encoder.encode(robotsRules)],
    ...hostRules([]),
  ]);
  for (const name of readdirSync(publicFolder).sort(byCodeUnit))
    files.set(name, readFileSync(new URL(name, publicFolder)));
  try {
    for (const page of sitePages) await addPage(files, page);
    files.set('service-worker.js', await bundleWorker(files));
  } finally {
    // Ends the child process of esbuild.
    await stop();
  }
  return files;
}

/** Adds a page with its script and its style sheet. */
async function addPage(files: Files, page: SitePage): Promise<void> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [{ in: page.program, out: page.assets }],
    assetNames: 'assets/[name]-[hash]',
    entryNames: '[dir]/[name]-[hash]',
    // The editor loads its views when they are shown.
    splitting: true,
    chunkNames: `${dirname(page.assets)}/[name]-[hash]`,
  });
  const addresses: string[] = [];
  for (const { path, contents } of outputFiles) {
    const own = relative(folder + outputFolder, path).replaceAll('\\', '/');
    files.set(own, contents);
    if (own.startsWith(`${page.assets}-`) || own.endsWith('.woff2')) addresses.push(`/${own}`);
  }
  const loaded = addresses.sort(byCodeUnit).map(elementFor);
  files.set(page.file, encoder.encode(pageHtml(page, loaded, page.body())));
  if (page.file === explorerPage) {
    const { bodyClass: _, ...head } = { ...page, title: notFoundTitle, description: notFoundText };
    files.set(notFoundPage, encoder.encode(pageHtml(head, loaded, messageBody(notFoundTitle, notFoundText))));
  }
}

/** The element that loads a file. A font is loaded early: the first paint has it, and nothing moves. */
function elementFor(address: string): string {
  if (address.endsWith('.css')) return `<link rel="stylesheet" href="${address}">`;
  if (address.endsWith('.woff2'))
    return `<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`;
  return `<script type="module" src="${address}"></script>`;
}

/**
 * Tells the worker which files the pages of the explorer load, and their version: the hash of their names and
 * hashes.
 */
async function bundleWorker(files: Files): Promise<Uint8Array> {
  const shell = new TextDecoder().decode(files.get(explorerPage));
  const paths = [...files.keys()]
    .filter((path) => path === explorerPage || path === 'icon.svg' || shell.includes(`"/${path}"`))
    .sort(byCodeUnit);
  const named = paths.map((path) => `${path} ${contentHash(files.get(path)!, nodeDigest)}\n`).join('');
  const version = contentHash(encoder.encode(named), nodeDigest);
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['site/service-worker.ts'],
    define: { ...options.define, site: JSON.stringify({ version, paths }) },
  });
  return outputFiles[0]!.contents;
}

/** A page without inline scripts and styles. @param loaded elements of its script and style sheet */
function pageHtml(
  { title, description, bodyClass }: Pick<SitePage, 'title' | 'description' | 'bodyClass'>,
  loaded: readonly string[],
  body: string,
): string {
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
    ...loaded,
    '</head>',
    `<body${bodyClass ? ` class="${bodyClass}"` : ''}>${body}</body>`,
    '</html>',
    '',
  ].join('\n');
}
