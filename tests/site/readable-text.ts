/** A page as its readers take it: a line for each block, with headings, links, fields and the text that is seen. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

/** Elements within a line; each other element begins a line. */
const inline =
  /^(a|abbr|b|bdi|em|i|img|small|span|strong|sub|sup|time|wbr|mark|td|th|svg|g|line|path|rect|text|title)$/;

/** Attributes that say what a reader can do, or what a part is called. */
const shownAttributes = [
  'type',
  'name',
  'value',
  'placeholder',
  'min',
  'max',
  'checked',
  'selected',
  'hidden',
];

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g);
  return new Map([...found].map(([, name, value]) => [name!, decoded(value ?? '')]));
}

function field(name: string, attributes: ReadonlyMap<string, string>): string {
  const shown = [...attributes].filter(([each]) => shownAttributes.includes(each));
  return `[${[name, ...shown.map(([each, value]) => (value === '' ? each : `${each}=${value}`))].join(' ')}]`;
}

/** What a tag adds to the text. */
function textOfTag(name: string, tag: string): string {
  const attributes = attributesOf(tag);
  const label = attributes.get('aria-label');
  const won = /\bwon\b/.test(attributes.get('class') ?? '') ? '(won) ' : '';
  if (name === 'img') return ` [image ${attributes.get('alt')}] `;
  if (/^(input|select|option|button|textarea)$/.test(name))
    return `\n${field(name, attributes)} ${label ?? ''} `;
  if (name === 'form') return `\nform ${attributes.get('action') ?? ''}\n`;
  if (/^h\d$/.test(name)) return `\n${'#'.repeat(Number(name[1]))} `;
  if (name === 'td' || name === 'th') return ` | ${won}`;
  return `${inline.test(name) ? '' : '\n'}${label ? `{${label}} ` : ''}${won}`;
}

/**
 * @param html of a page or a part of it
 * @returns its lines: of a list or a table the first two items, of a long choice its length
 */
export function readableText(html: string): string {
  const links: string[] = [];
  return decoded(
    html
      .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
      .replaceAll(/((<(li|tr|option)\b.*?<\/\3>){2})(<\3\b.*?<\/\3>)+/g, '$1(more) ')
      .replaceAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g, (_, end: string, name: string, tag: string) => {
        if (name === 'a' && end === '') links.push(attributesOf(tag).get('href') ?? '');
        if (name === 'a') return end ? ` <${links.pop()}> ` : textOfTag(name, tag);
        // Styles set the parts of a line apart.
        if (end && /^(span|svg|text|title)$/.test(name)) return ' ';
        if (end) return inline.test(name) ? '' : '\n';
        return textOfTag(name, tag);
      }),
  )
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[,.;:)]( |$))/g, '')
        .replace(/^ ?\| /, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}
