/** A strict reader of RSS 2.0: it throws at anything that is not well-formed XML, or not what RSS asks for. */

interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  elements: Element[];
  text: string;
}

export interface Feed {
  title: string;
  link: string;
  description: string;
  items: { title: string; link: string; guid: string; isPermaLink: boolean }[];
}

const character = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function fail(what: string, near = ''): never {
  throw new Error(`not RSS: ${what} ${near.slice(0, 80)}`);
}

function decoded(text: string): string {
  if (/[<>]/.test(text)) fail('a bare bracket in', text);
  return text.replace(
    /&([^;&]*;?)/g,
    (all, name: string) => entities[name.replace(/;$/, '')] ?? fail('the entity', all),
  );
}

/** The one element of a document. */
function parse(xml: string): Element {
  if (!xml.startsWith(declaration)) fail('no declaration', xml);
  if (!character.test(xml)) fail('a character that XML cannot have');
  const root: Element = { name: '', attributes: new Map(), elements: [], text: '' };
  const open = [root];
  const pieces = xml.slice(declaration.length).match(/<[^>]*>|[^<]+/g) ?? [];
  for (const piece of pieces) {
    const current = open.at(-1)!;
    const closing = /^<\/([a-z]+)>$/i.exec(piece)?.[1];
    const opening = /^<([a-z]+)((?: [a-z]+="[^"<]*")*)>$/i.exec(piece);
    if (closing !== undefined) {
      if (closing !== current.name) fail(`${closing} closes ${current.name}`);
      open.pop();
    } else if (opening) {
      const attributes = [...opening[2]!.matchAll(/([a-z]+)="([^"]*)"/gi)];
      const element: Element = {
        name: opening[1]!,
        attributes: new Map(attributes.map(([, name, value]) => [name!, decoded(value!)])),
        elements: [],
        text: '',
      };
      current.elements.push(element);
      open.push(element);
    } else if (piece.startsWith('<')) fail('the tag', piece);
    else current.text += decoded(piece);
  }
  if (open.length > 1) fail(`${open.at(-1)!.name} is not closed`);
  if (root.elements.length !== 1 || root.text.trim() !== '') fail('more than one element');
  return root.elements[0]!;
}

/** The text of the only child element of a name. */
function childText({ elements, name }: Element, child: string): string {
  const own = elements.filter((element) => element.name === child);
  if (own.length !== 1 || own[0]!.elements.length > 0) fail(`${own.length} times ${child} in ${name}`);
  return own[0]!.text;
}

function address(text: string): string {
  if (!/^https?:\/\/[^\s]+$/.test(text) || !URL.canParse(text)) fail('the link', text);
  return text;
}

/** Reads a feed. @throws Error if it is not strictly RSS 2.0 */
export function readFeed(xml: string): Feed {
  const rss = parse(xml);
  if (rss.name !== 'rss' || rss.attributes.get('version') !== '2.0' || rss.elements.length !== 1)
    fail('the root', rss.name);
  const channel = rss.elements[0]!;
  const others = channel.elements.filter(
    ({ name }) => !['title', 'link', 'description', 'item'].includes(name),
  );
  if (channel.name !== 'channel' || others.length > 0) fail('the channel', channel.name);
  const items = channel.elements
    .filter(({ name }) => name === 'item')
    .map((item) => ({
      title: childText(item, 'title'),
      link: address(childText(item, 'link')),
      guid: childText(item, 'guid'),
      isPermaLink:
        item.elements.find(({ name }) => name === 'guid')!.attributes.get('isPermaLink') !== 'false',
    }));
  if (new Set(items.map(({ guid }) => guid)).size !== items.length) fail('a guid twice');
  return {
    title: childText(channel, 'title'),
    link: address(childText(channel, 'link')),
    description: childText(channel, 'description'),
    items,
  };
}
