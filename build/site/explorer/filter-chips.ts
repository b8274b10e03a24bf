/** The filters that an address sets, each in words and with the address without it. */
import type { ParameterName } from '../../../api/contract/parameters.ts';
import { parseId } from '../../../api/contract/query-string.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { ceremonyTitle, number, together } from '../shared/format.ts';
import { changed } from './addresses.ts';
import { described } from './filter-words.ts';
import type { Visit } from './parts.tsx';
import { rangeParameters, rangesIn, rangeText, yearKinds } from './year-range.ts';

export interface Chip {
  text: string;
  /** The address of the page without the filter. */
  without: string;
}

/** More records are a number. */
const maxNamed = 3;

/** How the records of an id are called; undefined for one that is not there. */
const namers: Partial<
  Record<ParameterName, [one: string, many: string, (snapshot: Snapshot) => Promise<Namer>]>
> = {
  category_ids: [
    'Category',
    'categories',
    async (snapshot) => {
      const table = await snapshot.table('categories');
      return (id) => table.name.values[table.row(id)];
    },
  ],
  ceremony_ids: [
    'Ceremony',
    'ceremonies',
    async (snapshot) => {
      const table = await snapshot.table('ceremonies');
      return (id) => {
        const row = table.row(id);
        return row < 0
          ? undefined
          : ceremonyTitle({ show_title: table.show_title[row]!, ceremony_year: table.year[row]! });
      };
    },
  ],
  movie_ids: [
    'Film',
    'films',
    async (snapshot) => {
      const table = await snapshot.table('titles');
      return (id) => table.text.values[table.row(id)];
    },
  ],
  nominee_ids: [
    'Nominee',
    'nominees',
    async (snapshot) => {
      const table = await snapshot.table('names');
      return (id) => table.text.values[table.row(id)];
    },
  ],
};
type Namer = (id: number) => string | null | undefined;

/** "Category: Best Picture", or "5 films". */
async function namedIds(snapshot: Snapshot, name: ParameterName, value: string): Promise<string> {
  const ids = value.split(',').map((text) => parseId(text.trim()));
  const [one, many, namerOf] = namers[name] ?? ['Record', 'records', async () => () => undefined];
  const namer = await namerOf(snapshot);
  const names = ids.length > maxNamed ? [] : ids.flatMap((id) => (id && namer(id)) ?? []);
  return names.length > 0 ? `${one}: ${together(names.map(String))}` : `${number(ids.length)} ${many}`;
}

/** Parameters that select no records. */
const isFilter = (name: string) => !['page', 'limit', 'sort', 'q', 'kind'].includes(name);

/** @param names the parameters of the API that the page takes */
export async function chipsOf(visit: Visit, names: readonly ParameterName[]): Promise<Chip[]> {
  const { path, query, snapshot } = visit;
  const words = described(path);
  const kinds = yearKinds(path, names);
  const ofRange = rangeParameters(kinds);
  const own = names.filter((name) => query.has(name) && isFilter(name) && !ofRange.includes(name));
  const chips = own.map(async (name): Promise<Chip> => {
    const value = query.get(name)!;
    const label = words[name]?.label ?? 'Record';
    const chosen = words[name]?.select?.find(([choice]) => choice === value)?.[1];
    const text = /(^|_)ids$/.test(name)
      ? await namedIds(snapshot, name, value)
      : (chosen ?? `${label}: ${value}`);
    return { text, without: changed(path, query, { [name]: undefined }) };
  });
  const years = rangesIn(query, kinds).map((range) => ({
    text: rangeText(range),
    without: changed(path, query, withoutOf(rangeParameters([range.kind]))),
  }));
  return [...(await Promise.all(chips)), ...years];
}

const withoutOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
