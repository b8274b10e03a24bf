/** The pages of the site, their HTML, and the rules that hosts of plain files apply to them. */
import { headerRules, imageOriginsMeta, pageAddresses, pagePolicy } from '../../../api/contract/site.ts';

export interface SitePage {
  /** Path below the root. */
  file: string;
  /** Name of its program and style under assets/. */
  name: string;
  /** Source of the program, below build/. */
  program: string;
  title: string;
  description: string;
  /** Cached for offline use only once it was opened: it is large and has few visitors. */
  isLazy?: true;
}

export const sitePages: readonly SitePage[] = [
  {
    file: 'index.html',
    name: 'explorer',
    program: 'site/explorer/main.tsx',
    title: 'Film Awards',
    description: 'A century of film awards: nominations, winners, films, people, ceremonies and songs.',
  },
  {
    file: 'docs/index.html',
    name: 'docs',
    program: 'site/docs/main.ts',
    title: 'Reference of the film awards service',
    description: 'Every request and every answer of the film awards service, to read and to try.',
    isLazy: true,
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
  /** Other hosts that posters may come from. */
  imageOrigins: readonly string[];
}

/** A page without inline scripts and styles. @param body HTML shown until the program runs */
export function pageHtml(head: Head, body: string): string {
  const { title, description, styles, program, imports = [], imageOrigins } = head;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // For hosts that send no headers; it must precede everything that is loaded.
    `<meta http-equiv="Content-Security-Policy" content="${escaped(pagePolicy(imageOrigins))}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...(imageOrigins.length === 0
      ? []
      : [`<meta name="${imageOriginsMeta}" content="${escaped(imageOrigins.join(' '))}">`]),
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
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

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);

/** `_headers` and `_redirects`, which Netlify and Cloudflare both read. @returns path below the root → bytes */
export function hostRules(imageOrigins: readonly string[]): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  const headers = headerRules(imageOrigins).map(([pattern, fields]) => {
    const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  // Status 200 shows the page at its address, without a redirect.
  const redirects = [...pageAddresses].map(
    ([address, file]) => `${address.replaceAll(/\{(\w+)\}/g, ':$1')} /${file} 200\n`,
  );
  return new Map([
    ['_headers', encoder.encode(headers.join('\n'))],
    ['_redirects', encoder.encode(redirects.join(''))],
  ]);
}
