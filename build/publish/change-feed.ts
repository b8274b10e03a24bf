/** The feed of publishes, in Atom (RFC 4287). Its bytes follow from the index of changes. */
import type { ChangeIndex } from '../../api/contract/answers.ts';
import { changeFeedPath, changeIndexPath, dayOf, isYearFile } from '../../api/contract/history.ts';
import { escapedXml } from '../../api/contract/text.ts';
import { counted } from '../../data/system/messages.ts';

/** Entries of the feed. */
const maxEntries = 100;

/** @param origin scheme and host of the site; '' makes relative links, which a reader resolves */
export function feedText({ oldest, data }: ChangeIndex, origin: string): string {
  const link = (path: string, relation: string, type: string) =>
    `<link rel="${relation}" type="${type}" href="${escapedXml(`${origin}${path}`)}"/>`;
  const single = data.filter(({ path }) => !isYearFile(path.slice(1)));
  const entries = single.slice(0, maxEntries).map((row) => {
    const what = [
      row.added && `${counted(row.added, 'record')} added`,
      row.changed && `${counted(row.changed, 'record')} changed`,
      row.removed && `${counted(row.removed, 'record')} removed`,
    ].filter(Boolean);
    const nothing = row.added === null ? 'what changed is not known' : 'no public field changed';
    const title = `${dayOf(row.published_at)}: ${what.join(', ') || nothing}`;
    return [
      '<entry>',
      `<id>urn:film-awards:publish:${row.published_at}:${row.snapshot}</id>`,
      `<title>${escapedXml(title)}</title>`,
      `<updated>${row.published_at}</updated>`,
      link(row.path, 'alternate', 'application/json'),
      `<summary>From snapshot ${row.previous} to ${row.snapshot}.</summary>`,
      '</entry>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<id>urn:film-awards:changes</id>',
    '<title>Film Awards: changes of the record</title>',
    '<author><name>Film Awards</name></author>',
    `<updated>${data[0]?.published_at ?? oldest.published_at}</updated>`,
    link(`/${changeFeedPath}`, 'self', 'application/atom+xml'),
    link(`/${changeIndexPath}`, 'alternate', 'application/json'),
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}
