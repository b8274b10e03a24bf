/** @jsxRuntime automatic @jsxImportSource preact */
/** Texts in CommonMark, and items in a line. */
import { Marked } from 'marked';
import type { ComponentChildren } from 'preact';

const marked = new Marked({ gfm: true });

/** Paragraphs and tables. */
export function Prose({ text }: { text: string }) {
  const html = (marked.parse(text) as string).replaceAll(
    /<table>[\s\S]*?<\/table>/g,
    (table) => `<div class="scrolling" tabindex="0" role="group" aria-label="Table">${table}</div>`,
  );
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function Inline({ text }: { text: string }) {
  return <span dangerouslySetInnerHTML={{ __html: marked.parseInline(text) as string }} />;
}

/** Items separated by commas. */
export const commas = <T,>(items: readonly T[], show: (item: T) => ComponentChildren): ComponentChildren =>
  items.map((item, i) => [i > 0 && ', ', show(item)]);
