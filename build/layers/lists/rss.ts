/** RSS 2.0. */

export interface Channel {
  title: string;
  link: string;
  description: string;
  items: readonly { title: string; link: string; guid: string }[];
}

/** A feed without a date: its bytes depend on its content alone. */
export function rssText({ title, link, description, items }: Channel): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0">',
    '<channel>',
    `<title>${escaped(title)}</title>`,
    `<link>${escaped(link)}</link>`,
    `<description>${escaped(description)}</description>`,
    ...items.map(
      (item) =>
        `<item><title>${escaped(item.title)}</title><link>${escaped(item.link)}</link>` +
        `<guid isPermaLink="false">${escaped(item.guid)}</guid></item>`,
    ),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** Characters that XML 1.0 cannot have, not even escaped. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.replaceAll(impossible, '\ufffd').replaceAll(/[&<>"]/g, (character) => entities[character]!);
