/** The shell: index.html as a host of plain files serves it, into which a server puts the parts of a page. */
import { escapedHtml, imageOriginsMeta, pageDataId, pagePolicy } from '../contract/site.ts';
import type { HtmlParts } from '../read/html.ts';

const titlePattern = /<title>[^<]*<\/title>/;
const descriptionPattern = /<meta name="description" content="[^"]*">/;
const policyPattern = /<meta http-equiv="Content-Security-Policy" content="[^"]*">/;
const bodyPattern = /<div id="app">[\s\S]*<\/div>(?=<\/body>)/;
const originsPattern = new RegExp(`<meta name="${imageOriginsMeta}" content="([^"]*)">`);

/** Other hosts that the pages of a shell may show posters of. */
export function imageOriginsIn(shell: string): string[] {
  const content = originsPattern.exec(shell)?.[1] ?? '';
  return content
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .split(' ')
    .filter(Boolean);
}

/** The `style` attributes of a page as one style element: the policy allows that element by its hash, and no attribute. */
export interface PageStyles {
  /** HTML with `data-style` attributes instead. */
  body: string;
  /** Text of the style element; empty for none. */
  css: string;
}

export function extractStyles(body: string): PageStyles {
  const numbers = new Map<string, number>();
  const changed = body.replaceAll(/ style="([^"]*)"/g, (_all, style: string) => {
    // Numbers and names of colours only: nothing that ends the rule or the element.
    if (!/^[\w\s.,:;%()#-]*$/.test(style)) return '';
    const number = numbers.get(style) ?? numbers.size;
    numbers.set(style, number);
    return ` data-style="${number}"`;
  });
  const css = [...numbers].map(([style, number]) => `[data-style="${number}"]{${style}}`).join('');
  return { body: changed, css };
}

/** The page as HTML. @param styleHash SHA-256 of `css` in base64 */
export function filledShell(
  shell: string,
  { title, description, head, data }: HtmlParts,
  { body, css }: PageStyles,
  styleHash: string | undefined,
): string {
  const put = (text: string, pattern: RegExp, value: string) => text.replace(pattern, () => value);
  const style = css === '' ? '' : `<style>${css}</style>\n`;
  const policy = escapedHtml(pagePolicy(imageOriginsIn(shell), styleHash));
  let html = shell;
  html = put(html, policyPattern, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  html = put(html, titlePattern, `<title>${escapedHtml(title)}</title>`);
  html = put(html, descriptionPattern, `<meta name="description" content="${escapedHtml(description)}">`);
  html = put(html, /<\/head>/, `${style}${head}</head>`);
  return put(
    html,
    bodyPattern,
    `<div id="app">${body}</div><script type="application/json" id="${pageDataId}">${data}</script>`,
  );
}
