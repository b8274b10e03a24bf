/** The pages of the site, their HTML, and the rules that hosts of plain files apply to them. */
import { contentHash } from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/read/node-source.ts';
import {
  escapedHtml,
  headerRules,
  imageOriginsMeta,
  pageAddresses,
  pagePolicy,
} from '../../site/shared/hosting.ts';
import type { SiteFiles } from './layer.ts';

export interface SitePage {
  /** Path below the root. */
  file: string;
  /** Name of its program and style under assets/. */
  name: string;
  /** Source of the program, below build/. */
  program: string;
  title: string;
  description: string;
}

export const sitePages: readonly SitePage[] = [
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
  {
    file: 'edit/index.html',
    name: 'edit',
    program: 'site/edit/main.tsx',
    title: 'Edit the film awards',
    description: 'Correct and add records of the film awards.',
  },
];

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
export function pageHtml({ title, description, styles, program, imports = [] }: Head, body: string): string {
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

/** The policy of a page, and the origins of posters for its program. */
const policyElement = (imageOrigins: readonly string[]): string =>
  [
    `<meta http-equiv="Content-Security-Policy" content="${escapedHtml(pagePolicy(imageOrigins))}">`,
    ...(imageOrigins.length === 0
      ? []
      : [`<meta name="${imageOriginsMeta}" content="${escapedHtml(imageOrigins.join(' '))}">`]),
  ].join('\n');

/** The version in the service worker, by which it tells the files of one site from those of another. */
const workerVersion = /(?<=\bversion: ?")[0-9a-f]{20}(?=")/;

/** The site with posters from other hosts. @param files of the site without them */
export function withImageOrigins(files: SiteFiles, imageOrigins: readonly string[]): SiteFiles {
  if (imageOrigins.length === 0) return files;
  const changed = new Map([...files, ...hostRules(imageOrigins)]);
  const change = (path: string, replace: (text: string) => string) =>
    changed.set(path, new TextEncoder().encode(replace(new TextDecoder().decode(files.get(path)))));
  for (const path of files.keys())
    if (path.endsWith('.html'))
      change(path, (text) => text.replace(policyElement([]), policyElement(imageOrigins)));
  change('service-worker.js', (text) =>
    text.replace(workerVersion, (version) =>
      contentHash(new TextEncoder().encode([version, ...imageOrigins].join(' ')), nodeDigest),
    ),
  );
  return changed;
}

/**
 * `_headers` and `_redirects`, which Netlify and Cloudflare both read, and `.assetsignore`: what Cloudflare must not upload.
 * @returns path below the root → bytes
 */
export function hostRules(imageOrigins: readonly string[]): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  const pages = new Map(
    [...pageAddresses].map(([address, file]) => [address.replaceAll(/\{(\w+)\}/g, ':$1'), file]),
  );
  // Cloudflare distinguishes an address with a slash at the end.
  const spellings = (address: string) =>
    pages.has(address) && address !== '/' ? [address, `${address}/`] : [address];
  const headers = headerRules(imageOrigins).flatMap(([pattern, fields]) => {
    const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${value}\n`);
    return spellings(pattern).map((own) => `${own}\n${lines.join('')}`);
  });
  // Status 200 shows the page at its address, without a redirect.
  const redirects = [...pages].flatMap(([address, file]) =>
    spellings(address).map((own) => `${own} /${file} 200\n`),
  );
  return new Map([
    ['_headers', encoder.encode(headers.join('\n'))],
    ['_redirects', encoder.encode(redirects.join(''))],
    // Locks and unfinished work of a build.
    ['.assetsignore', encoder.encode('.awards.*\n')],
  ]);
}
