/** The tools search and fetch, in the shapes that connectors of assistants ask for. */
import { resourceNames, type ResourceName } from '../contract/names.ts';
import { shortened } from '../contract/problems.ts';
import { listPath } from '../contract/routes.ts';
import { findRecords, type Finding } from '../../build/site/explorer/search.ts';
import { CallFault } from './arguments.ts';
import { linesOfPage } from './page-lines.ts';
import { type Context, read, type Row, type ToolAnswer } from './reading.ts';
import { recordText } from './record-text.ts';

const idPattern = new RegExp(`(?:^|/)(${resourceNames.join('|')})/([1-9]\\d{0,15})(?!\\d)`);
const imdbPattern = /(?:^|\/)(tt|nm|co)(\d{5,})(?:$|[/?#])/i;
/** Lines of a page that search shows. fetch shows all. */
const linesShown = 10;

/**
 * The records and pages that words name.
 * @param nominationsAt reads the nominations that are meant, from an address of the API
 */
export async function found(
  context: Context,
  query: string,
  nominationsAt: (address: string) => Promise<{ page: string; data: readonly Row[] }>,
): Promise<ToolAnswer> {
  const finding = await context.record.answered((snapshot) => findRecords(snapshot, query));
  const hits = finding.groups.flatMap(({ title, hits: own }) => own.map((hit) => ({ ...hit, kind: title })));
  const all = await Promise.all(hits.map((hit) => resultOf(context, hit)));
  const results = all.filter((own) => own !== undefined);
  // If a page such as a ranking answers the question, a list of nominations would not add to it.
  const isAnswered = results.some(({ id }) => !idPattern.test(id));
  const isListed = finding.nominations !== '' && !isAnswered;
  const meant = isListed ? await nominationsAt(finding.nominations) : undefined;
  const structured = {
    results,
    ...(finding.isNear && { near: true }),
    ...(finding.note !== undefined && { note: finding.note }),
    ...(meant && meant.data.length > 0 && { page: meant.page, nominations: meant.data }),
  };
  return { lines: [], structured, text: JSON.stringify(structured) };
}

type Hit = Finding['groups'][number]['hits'][number] & { kind: string };

async function resultOf(context: Context, { href, label, detail, kind }: Hit) {
  const url = context.origin + href;
  const [, resource, id] = idPattern.exec(href) ?? [];
  if (resource !== undefined)
    return {
      id: `${resource}/${id}`,
      title: label,
      url,
      text: [kind, detail].filter(Boolean).join(', '),
    };
  const page = await linesOfPage(context, href);
  if (page === undefined) return undefined;
  const { lines } = page;
  const more = lines.length > linesShown ? [`and ${lines.length - linesShown} more: see fetch`] : [];
  const text = [...lines.slice(0, linesShown), ...more].join('; ');
  return { id: href.slice(1), title: label, url, text };
}

/**
 * One record, or one page that search finds, as text.
 * @param sent an id of a result of search, an address of the record, or an IMDb id
 */
export async function oneRecord(context: Context, sent = ''): Promise<ToolAnswer> {
  const place = sent.trim().replace(context.origin, '').replace(/^\//, '');
  const meant = await recordMeant(context, place);
  if (meant) {
    const [name, number] = meant;
    const { title, text, href } = await recordText(context, name, number);
    return documentOf(`${name}/${number}`, title, text, context.origin + href, name);
  }
  const page = place === '' ? undefined : await linesOfPage(context, `/${place}`);
  if (page === undefined) throw new CallFault('id must be one that search gives, such as movies/3669');
  const { title, lines } = page;
  return documentOf(place, title, [title, ...lines].join('\n'), `${context.origin}/${place}`, 'pages');
}

function documentOf(id: string, title: string, text: string, url: string, kind: string): ToolAnswer {
  const structured = { id, title, text, url, metadata: { kind } };
  return { lines: [], structured, text: JSON.stringify(structured) };
}

/** The record that an id or an address names. */
async function recordMeant(context: Context, place: string): Promise<[ResourceName, number] | undefined> {
  const [, name, number] = idPattern.exec(place) ?? [];
  const resource = resourceNames.find((own) => own === name);
  if (resource) return [resource, Number(number)];
  const [, kind, digits] = imdbPattern.exec(place) ?? [];
  if (kind === undefined) return undefined;
  const list = kind.toLowerCase() === 'tt' ? 'movies' : 'nominees';
  const { data } = await read(context, listPath(list), { filmindex_id: kind.toLowerCase() + digits });
  const [record] = data;
  if (!record) throw new CallFault(`there is no record with the IMDb id "${shortened(place)}"`);
  return [list, record.id as number];
}
