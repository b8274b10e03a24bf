/** The text of a page: a head, a place for its program, and no script or style of its own. */
import { pagePolicy } from '../../../api/contract/site.ts';

export interface Head {
  title: string;
  description: string;
  /** Addresses of style sheets, in order. */
  styles: readonly string[];
  /** Address of the program; a page without one only shows its text. */
  program?: string | undefined;
  /** Addresses of what the program imports. */
  imports?: readonly string[];
}

/** @param body HTML that stands where the program will be */
export function pageHtml({ title, description, styles, program, imports = [] }: Head, body: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // Before anything is loaded, for hosts that send no headers.
    `<meta http-equiv="Content-Security-Policy" content="${escaped(pagePolicy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
