/** What a page of the site lists, as lines: a ranking, a list of records, honors. */
import { listPath } from '../contract/routes.ts';
import { viewOf } from '../../build/site/explorer/addresses.ts';
import {
  recordKinds,
  type RecordKind,
  type RecordKindWords,
} from '../../build/site/explorer/record-kinds.ts';
import { recordLists } from '../../build/site/explorer/records.ts';
import { count, honorTitle, joined, titleCased } from '../../build/site/shared/format.ts';
import { type Context, read } from './reading.ts';
import { rankingOf } from './rankings.ts';

/** Lines of a page. */
const maxLines = '100';

interface PageLines {
  title: string;
  lines: readonly string[];
}

/**
 * The lines of a page; undefined for a page that lists nothing of its own.
 * @param href its address, such as /rankings/top-movies?sort=wins
 * @throws CallFault
 */
export async function linesOfPage(context: Context, href: string): Promise<PageLines | undefined> {
  if (!URL.canParse(href, 'http://site')) return undefined;
  const { pathname, searchParams, hash } = new URL(href, 'http://site');
  const values = Object.fromEntries(searchParams);
  const view = viewOf(pathname);
  if (view.kind === 'ranking') return rankingLines(context, view.ranking, values);
  if (view.kind === 'records') return recordLines(context, hash.slice(1));
  if (view.kind === 'list' && view.resource === 'honors') return honorLines(context, values);
  return undefined;
}

async function rankingLines(context: Context, name: string, values: Readonly<Record<string, string>>) {
  const { title, rows } = await rankingOf(context, name, values);
  const lines = rows.map(({ place, title: own, film_years: years, nominations, wins }) => {
    const named = years === undefined ? own : `${own} (${years})`;
    return `${place}. ${named}: ${count(nominations, 'nomination')}, ${count(wins, 'win')}`;
  });
  return { title, lines };
}

async function recordLines({ record }: Context, kind: string): Promise<PageLines | undefined> {
  const list = (await record.answered(recordLists)).find(({ id }) => id === kind);
  const words: RecordKindWords | undefined = recordKinds[kind as RecordKind];
  if (!list || !words) return undefined;
  const lines = list.rows.map(({ label, detail, numbers }) => joined(label, detail, numbers.join('')));
  return { title: words.title, lines: lines.length > 0 ? lines : [words.unknown ?? ''] };
}

export interface HonorRow {
  ceremony_year: number;
  category: string;
  recipients: string | null;
  movie: string | null;
  citation: string | null;
}

/** "1968 Irving G. Thalberg Memorial Award: Alfred Hitchcock". */
export function honorLine(honor: HonorRow): string {
  const { ceremony_year, category, movie, citation } = honor;
  const title = honorTitle(honor);
  const [film, words] = [movie, citation].map((own) => own !== title && own);
  return joined(`${ceremony_year} ${titleCased(category)}: ${title}`, film, words);
}

async function honorLines(context: Context, values: Readonly<Record<string, string>>): Promise<PageLines> {
  const { data, pagination } = await read<{ data: HonorRow[]; pagination: { total: number } }>(
    context,
    listPath('honors'),
    { limit: maxLines, ...values },
  );
  const lines = data.map(honorLine);
  const more = pagination.total - lines.length;
  return {
    title: count(pagination.total, 'honor'),
    lines: more > 0 ? [...lines, `and ${more} more`] : lines,
  };
}
