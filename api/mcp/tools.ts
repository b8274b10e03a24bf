/**
 * What the tools of /mcp answer: lines for people, with the addresses of pages, and the same as structured
 * content. Other arguments than the own ones of a tool are parameters of the API, and have its rules.
 */
import type { ParameterName } from '../contract/parameters.ts';
import { countsPath, listPath, routeAt } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { recordHref } from '../../build/site/explorer/addresses.ts';
import { CallFault, type Values, valuesOf } from './arguments.ts';
import { findRecord, type Match, namesOf } from './find-record.ts';
import { rankingOf, rankingParameters } from './rankings.ts';
import { type Context, read, readAll, type Row, summaryAt, type ToolAnswer, withValues } from './reading.ts';
import { found as foundRecords, oneRecord } from './search-and-fetch.ts';
import { type NamedResource, orMeant } from './unknown-names.ts';

interface Tool {
  takes: readonly string[];
  find(values: Values, context: Context): Promise<ToolAnswer>;
}

/** Nominations in an answer about a record: all of nearly every film and person. */
const nominationsShown = '50';
/** Honors in an answer about a ceremony. */
const honorsShown = '30';

/** Exports have all records at once: no answer for a model. */
const isTaken = (name: ParameterName): boolean => !['format', 'bom', 'fields', 'include'].includes(name);
const filters: readonly string[] = routeAt('/api/nominations').parameters.filter(isTaken);

/** A nomination without what is empty. */
export function compact(nomination: Row): Row {
  const { details, ...own } = nomination as { details?: Row };
  const { character, note, official } = (details ?? {}) as {
    character?: unknown;
    note?: unknown;
    official?: boolean;
  };
  const members = { ...own, character, note, ...(official === false && { official }) };
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== null && value !== undefined && name !== 'is_song',
    ),
  );
}

/** Nominations of a list, with the address of their page, and how many more there are. @throws CallFault */
export const nominationsOf = (context: Context, query: Values, path: string = listPath('nominations')) =>
  orMeant(context, query, 'category_ids', async ({ character, ...asked }) => {
    const page = `${context.origin}${withValues(path.replace('/api', ''), asked)}`;
    if (character !== undefined) {
      // Only roles have characters.
      const selected = { category: 'act', ...without(asked, ['limit', 'page']) };
      const all = await readAll(context, path, { ...selected, include: 'details' });
      const data = all
        .map(compact)
        .filter((own) => fold(String(own.character ?? '')).includes(fold(character)));
      return { page, data: data.slice(0, 100), lines: [`Page: ${page}`] };
    }
    const { data, pagination } = await read(context, path, { ...asked, include: 'details' });
    const lines = [`Page: ${page}`];
    if (pagination && pagination.total > data.length)
      lines.push(
        `${data.length} of ${pagination.total} are here${pagination.hasNextPage ? '; page has the next ones' : ''}`,
      );
    return { page, data: data.map(compact), lines };
  });

/** Names of other matches, for people. */
const othersLine = (others: readonly Match[], more: number): string[] =>
  others.length === 0 ? [] : [`Other matches: ${namesOf(others)}${more > 0 ? `, and ${more} more` : ''}`];

const otherMatch = ({ id, title, year, department, entries, page }: Match): Row => ({
  id,
  title,
  ...(year && { year }),
  ...(department && { department }),
  nominations: entries,
  page,
});

const without = <T extends Row>(values: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))) as T;

function honorsOf(rows: readonly Row[]): Row[] {
  return rows.map(({ id, ceremony_year, class: kind, category, recipients, movie, citation }) =>
    compact({ id, ceremony_year, class: kind, category, recipients, movie, citation }),
  );
}

/**
 * The tool of a film or a nominee.
 * @param named what names the record, besides its ids
 * @param filter selects its nominations
 * @param others filters that say nothing about the nominations of one record
 */
function recordTool(
  resource: NamedResource,
  named: readonly ['title' | 'name', ...string[]],
  filter: 'movie_ids' | 'nominee_ids',
  others: RegExp,
): Tool {
  const [title] = named;
  const own = [...named, 'imdb_id', 'id'];
  return {
    takes: [...own, 'character', ...filters.filter((name) => name !== filter && !others.test(name))],
    async find(values, context) {
      const { record, id, others: matches, more } = await findRecord(context, resource, values);
      const selected = without(values, own);
      const ids = { [filter]: String(id) };
      const nominations = await nominationsOf(context, { ...ids, limit: nominationsShown, ...selected });
      const { data: honors } = await read(context, listPath('honors'), ids);
      const summary = await summaryAt(context, resource, id);
      const page = context.origin + recordHref(resource, id, record[title] as string);
      const year = record.film_year ? ` (${record.film_year})` : '';
      return {
        lines: [
          `${record[title]}${year}: ${page}`,
          summary,
          ...(honors.length > 0 ? [`Honors: ${honors.length}`] : []),
          ...othersLine(matches, more),
          ...nominations.lines.slice(1),
        ],
        structured: {
          page,
          record: { ...compact(record), summary },
          nominations: nominations.data,
          ...(honors.length > 0 && { honors: honorsOf(honors) }),
          ...(matches.length > 0 && { other_matches: matches.map(otherMatch) }),
        },
      };
    },
  };
}

const ceremony: Tool = {
  takes: ['number', 'character', ...filters.filter((name) => name !== 'ceremony_ids')],
  async find(values, context) {
    const { number, year, ...selected } = values;
    if (number === undefined && year === undefined) throw new CallFault('one of number, year is needed');
    const [, digits] = /^(\d+)(st|nd|rd|th)?$/.exec(number ?? '') ?? [];
    if (number !== undefined && digits === undefined) throw new CallFault('number must be a whole number');
    const asked: Values = digits === undefined ? { year: year! } : { ids: digits };
    const { data } = await read(context, listPath('ceremonies'), { ...asked, include: 'counts' });
    const [record, ...others] = data;
    if (!record)
      throw new CallFault(`there is no ceremony with the ${number ? 'number' : 'year'} "${number ?? year}"`);
    const ids = String(record.id);
    const nominations = await nominationsOf(context, {
      ceremony_ids: ids,
      limit: nominationsShown,
      ...selected,
    });
    const isWhole = ['category', 'nominee', 'movie', 'character'].every(
      (name) => selected[name] === undefined,
    );
    const query = { year: String(record.ceremony_year), limit: honorsShown };
    const honors = isWhole ? (await read(context, listPath('honors'), query)).data : [];
    const ownHonors = honors.filter(({ ceremony_id: own }) => own === record.id);
    const page =
      context.origin + recordHref('ceremonies', record.id as number, record.ceremony_year as number);
    return {
      lines: [
        `Ceremony ${ids}, ${record.ceremony_year}: ${page}`,
        ...(others.length > 0
          ? [`Other matches: ${others.map((own) => `number ${own.id}`).join(', ')}`]
          : []),
        ...nominations.lines,
      ],
      structured: {
        page,
        record: compact({ ...record, counts: without(record.counts as Row, ['nominations']) }),
        nominations: nominations.data,
        ...(ownHonors.length > 0 && { honors: honorsOf(ownHonors) }),
      },
    };
  },
};

const nominations: Tool = {
  takes: ['character', ...filters],
  async find(values, context) {
    const { page, data, lines } = await nominationsOf(context, values);
    return { lines, structured: { page, data } };
  },
};

const ranking: Tool = {
  takes: ['ranking', ...rankingParameters],
  async find({ ranking: name, ...values }, context) {
    const { page, rows } = await rankingOf(context, name, values);
    return { lines: [`Page: ${page}`], structured: { page, data: rows } };
  },
};

/** Counts are of official nominations unless a call says otherwise. */
const count: Tool = {
  takes: routeAt(countsPath).parameters,
  find: (given, context) =>
    orMeant(context, given, 'category_ids', async (values) => {
      const { data } = await read(context, countsPath, { official: 'true', ...values });
      const page = context.origin + withValues('/nominations', without(values, ['by']));
      return { data, lines: [`Page: ${page}`], structured: { page, data } };
    }),
};

const search: Tool = {
  takes: ['query', 'q'],
  find(values, context) {
    const query = values.query ?? values.q;
    if (query === undefined) throw new CallFault('query is required');
    return foundRecords(context, query, (address) => {
      const [path = '', text = ''] = address.split('?');
      const asked = Object.fromEntries(new URLSearchParams(text));
      return nominationsOf(context, { ...asked, limit: '10' }, path);
    });
  },
};

const fetchOne: Tool = {
  takes: ['id'],
  find: ({ id }, context) => oneRecord(context, id),
};

/** Name → tool. */
const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['search', search],
  ['fetch', fetchOne],
  // The year of a film chooses among films, as that of its ceremony does.
  ['film_awards', recordTool('movies', ['title', 'filmYear', 'year'], 'movie_ids', /^movie|year|^ceremony/i)],
  ['person_awards', recordTool('nominees', ['name'], 'nominee_ids', /^nominee/)],
  ['ceremony', ceremony],
  ['nominations', nominations],
  ['ranking', ranking],
  ['count', count],
]);

/** The result of a call. A fault is a result, too: the model can repair it. @param name of `toolNames` */
export async function callTool(name: string, given: Readonly<{ [name: string]: unknown }>, context: Context) {
  const textPart = (text: string) => ({ type: 'text', text }) as const;
  try {
    const tool = tools.get(name)!;
    const { lines, structured, text } = await tool.find(valuesOf(given, tool.takes), context);
    const own = JSON.stringify(structured);
    const texts = text === undefined ? [lines.join('\n'), own] : [text];
    return { content: texts.map(textPart), structuredContent: structured };
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return { content: [textPart(error.message)], isError: true };
  }
}
