/** The letters of a list in the order of its titles or names, and the pages on which they begin. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { routeAt } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import type { TextColumn } from '../../../api/read/columns.ts';
import { type ColumnName, columnOf } from '../../../api/read/named-columns.ts';
import { rowsOfList } from '../../../api/read/orders.ts';
import { changed } from './addresses.ts';
import { queryIn } from './ask.ts';
import { orderByText } from './filter-words.ts';
import type { Row, Visit } from './parts.tsx';

const textOf: Partial<Record<ResourceName, ColumnName>> = {
  movies: 'titles.text',
  nominees: 'names.text',
  songs: 'songs.title',
};

/** The letter under which a folded text stands; "#" for a number or a sign. */
const letterOf = (folded: string): string => (/^[a-z]/.test(folded) ? folded[0]!.toUpperCase() : '#');
const placeOf = (letter: string): string => `letter-${letter === '#' ? '0' : letter}`;

export const isInOrderOfText = ({ path, query }: Visit): boolean =>
  orderByText[path] !== undefined && query.get('sort') === orderByText[path];

/** The rows of a page, the first of each letter with the place that its link leads to. */
export function withLetters(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const place = placeOf(letterOf(fold(row.label.replace(/^“/, ''))));
    if (seen.has(place)) return row;
    seen.add(place);
    return { ...row, place };
  });
}

/** Each letter with the page on which its first text is. */
export async function lettersIn(
  { path, query, snapshot }: Visit,
  resource: ResourceName,
  asked: URLSearchParams,
): Promise<[href: string, text: string][]> {
  const { page: _, ...parsed } = queryIn(String(asked), routeAt(`/api/${resource}`));
  const { folded } = (await columnOf(snapshot, textOf[resource]!)) as TextColumn;
  const rows = await rowsOfList(snapshot, resource, { ...parsed, page: 1 });
  const pages = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const letter = letterOf(folded[row]!);
    if (!pages.has(letter)) pages.set(letter, Math.floor(at / parsed.limit) + 1);
  }
  return [...pages].map(([letter, page]) => [
    `${changed(path, query, page === 1 ? {} : { page: String(page) })}#${placeOf(letter)}`,
    letter,
  ]);
}
