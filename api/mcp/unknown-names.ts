/** Says why an answer is empty: names that nothing on record has, with what is nearest. */
import { unknownName } from '../contract/nearest.ts';
import { shortened } from '../contract/problems.ts';
import { countsPath, listPath } from '../contract/routes.ts';
import { findRecords } from '../../build/site/explorer/search.ts';
import { CallFault, type Values } from './arguments.ts';
import { type Context, read } from './reading.ts';

/**
 * Filters by texts: the list that has the text, the name of the filter there, and the key of counts that has
 * all texts.
 */
const textFilters = {
  nominee: ['nominees', 'name', undefined],
  movie: ['movies', 'title', undefined],
  category: ['nominations', 'category', 'category'],
  category_group: ['categories', 'category_group', 'category_group'],
  genre: ['movies', 'genre', 'genre'],
  known_for_department: ['nominees', 'known_for_department', 'department'],
} as const;

/**
 * Answers a question about the nominations that some filters select. If there are none, and `category` is the
 * name of no category but of a group, such as "acting", it asks for the group.
 * @param group the filter of the question that takes a group
 * @throws CallFault that names a filter whose text is not on record, with the nearest texts
 */
export async function orMeant<T extends { data: readonly unknown[] }>(
  context: Context,
  query: Values,
  group: 'category_ids' | 'category_group',
  ask: (query: Values) => Promise<T>,
): Promise<T> {
  const found = await ask(query);
  if (found.data.length > 0) return found;
  const unknown = await unknownFilter(context, query);
  if (unknown === undefined) return found;
  const [name, text] = unknown;
  if (name === 'category') {
    const { data } = await read(context, listPath('categories'), { category_group: text });
    const { category: _, ...others } = query;
    const value = group === 'category_group' ? text : data.map(({ id }) => id).join();
    if (data.length > 0) return orMeant(context, { ...others, [group]: value }, group, ask);
  }
  throw new CallFault(await faultOf(context, name, text));
}

/** The first filter that selects nothing by itself. */
async function unknownFilter(context: Context, query: Values) {
  for (const name of Object.keys(textFilters) as (keyof typeof textFilters)[]) {
    const text = query[name];
    const [list, filter] = textFilters[name];
    if (text === undefined) continue;
    const { data } = await read(context, listPath(list), { [filter]: text, limit: '1' });
    if (data.length === 0) return [name, text] as const;
  }
  return undefined;
}

async function faultOf(context: Context, name: keyof typeof textFilters, text: string): Promise<string> {
  if (name === 'nominee') return nothingNamed(context, 'nominees', text);
  if (name === 'movie') return nothingNamed(context, 'movies', text);
  const { data } = await read(context, countsPath, { by: textFilters[name][2] });
  const labels = data.flatMap(({ label }) => (label === null ? [] : [String(label)]));
  if (labels.length === 0) return `nothing on record has a ${name}`;
  return unknownName(name, text, labels, 'the record has');
}

/** The resources whose records a call names; the fields tell records of one name apart. */
export const namedResources = {
  movies: { one: 'film', title: 'title', fields: 'id,title' },
  nominees: { one: 'person or company', title: 'name', fields: 'id,name,known_for_department' },
} as const;
export type NamedResource = keyof typeof namedResources;

/** That no record has a title or a name, with the nearest ones. */
export async function nothingNamed(context: Context, resource: NamedResource, sent: string): Promise<string> {
  const { one, title } = namedResources[resource];
  const { groups } = await context.record.answered((snapshot) => findRecords(snapshot, sent));
  const hits = groups.flatMap((group) => group.hits).filter((hit) => hit.resource === resource);
  const near = hits.slice(0, 5).map(({ label, detail, id: own }) => `${label} (${detail}; id ${own})`);
  const hint = near.length > 0 ? `; the nearest: ${near.join(', ')}` : '';
  return `there is no ${one} with the ${title} "${shortened(sent)}"${hint}`;
}
