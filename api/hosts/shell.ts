/** The shell: index.html as a host of plain files serves it, into which a server puts the parts of a page. */
import { escapedHtml, imageOriginsMeta, pageDataId } from '../contract/site.ts';
import type { HtmlParts } from '../read/html.ts';

const titlePattern = /<title>[^<]*<\/title>/;
const descriptionPattern = /<meta name="description" content="[^"]*">/;
const bodyPattern = /<div id="app">[\s\S]*<\/div>(?=<\/body>)/;
const originsPattern = new RegExp(`<meta name="${imageOriginsMeta}" content="([^"]*)">`);

/** Whether a text is a shell. A host may answer with a page of its own. */
export const isShell = (text: string): boolean => bodyPattern.test(text);

/** Other hosts that the pages of a shell may show posters of. */
export function imageOriginsIn(shell: string): string[] {
  const content = originsPattern.exec(shell)?.[1] ?? '';
  return content
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .split(' ')
    .filter(Boolean);
}

/** The page as HTML. */
export function filledShell(shell: string, { title, description, head, body, data }: HtmlParts): string {
  const put = (text: string, pattern: RegExp, value: string) => text.replace(pattern, () => value);
  let html = shell;
  html = put(html, titlePattern, `<title>${escapedHtml(title)}</title>`);
  html = put(html, descriptionPattern, `<meta name="description" content="${escapedHtml(description)}">`);
  html = put(html, /<\/head>/, `${head}</head>`);
  return put(
    html,
    bodyPattern,
    `<div id="app">${body}</div><script type="application/json" id="${pageDataId}">${data}</script>`,
  );
}
