/**
 * The tools of /mcp. Each asks the API, and hands its documents on unchanged, with the addresses of the pages
 * that show them. Arguments have the names and the rules of the parameters of the API, so a new filter is a
 * new argument.
 */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { unknownName } from '../contract/nearest.ts';
import { type Accepted, rankingNames } from '../contract/addresses.ts';
import { type ParameterName, parameters } from '../contract/parameters.ts';
import { type ProblemDocument, shortened } from '../contract/problems.ts';
import { countsPath, listPath, rankingPath, rootPath, routeAt, searchPath } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { fold } from '../contract/text.ts';
import { anyId, valueSchema } from '../contract/value-schemas.ts';
import { rankingHref, recordHref, withQuery } from '../../build/site/explorer/addresses.ts';
import type { Resolver } from '../read/resolve.ts';

/** Answers a request to the API. */
export type Ask = Resolver['answer'];
type Schema = ReturnType<typeof valueSchema>;

/** Name → value of a query or of the arguments of a call, as text. */
type Values = Readonly<Record<string, string>>;

/** What a tool works with. */
interface Context {
  ask: Ask;
  /** Scheme and host of the site. */
  origin: string;
}

interface ApiDocument {
  /** Path and query. */
  address: string;
  text: string;
}

interface Tool {
  title: string;
  description: string;
  /** The parameters of the API that the tool takes. The first row that has a name describes it. */
  accepted: readonly Accepted[];
  /** Arguments that are no parameters. */
  own?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** What the API has, and lines that say where the site shows it. */
  find(values: Values, context: Context): Promise<{ lines: string[]; documents: ApiDocument[] }>;
}

/** Why a call has no answer, for the model. */
class CallFault extends Error {}

const withValues = (path: string, values: Values): string =>
  withQuery(path, String(new URLSearchParams(values)).replaceAll('%2C', ','));
const parsedBody = ({ body }: Awaited<ReturnType<Ask>>): unknown =>
  JSON.parse(new TextDecoder().decode(body ?? undefined));

/** Reads a document of the API. @throws CallFault with the detail of a problem */
async function read({ ask }: Context, path: string, query: Values): Promise<ApiDocument> {
  const address = withValues(path, query);
  const { status, body } = await ask({ method: 'GET', ...splitTarget(address) });
  const text = new TextDecoder().decode(body ?? undefined).trimEnd();
  if (status !== 200) throw new CallFault((JSON.parse(text) as ProblemDocument).detail);
  return { address, text };
}

/** Lines about a list: the page of the site that shows it, and how many records are on further pages. */
function linesOf({ text }: ApiDocument, path: string, { by: _, ...query }: Values, { origin }: Context) {
  const { data, pagination } = JSON.parse(text) as {
    data: unknown[];
    pagination?: { total: number; page: number; hasNextPage: boolean };
  };
  const lines = [`Page: ${origin}${withValues(path, query)}`];
  if (pagination && pagination.total > data.length) {
    const page = String(pagination.page + 1);
    const next = `; page ${page} has the next ones: ${origin}${withValues(path, { ...query, page })}`;
    lines.push(`${data.length} of ${pagination.total} are here${pagination.hasNextPage ? next : ''}`);
  }
  return lines;
}

/** A tool of one document. @param addressOf the paths of the API and of the page that shows the same */
const documentTool = (
  addressOf: (values: Values) => { path: string; page: string },
  texts: Omit<Tool, 'find'>,
): Tool => ({
  ...texts,
  async find(values, context) {
    const { path, page } = addressOf(values);
    const isSent = (name: string) => texts.own?.[name] === undefined;
    const query = Object.fromEntries(Object.entries(values).filter(([name]) => isSent(name)));
    const document = await read(context, path, query);
    return { lines: linesOf(document, page, query, context), documents: [document] };
  },
});

type Candidate = { id: number } & Readonly<Record<string, string | number>>;

/** Other matches that an answer names. */
const maxOthers = 10;
/**
 * Nominations in an answer about a record, unless the call has another limit: all of nearly every film and
 * person.
 */
const nominationsShown = 50;
/** A title without case, accents and article. */
const comparable = (title: unknown): string => fold(String(title)).replace(/^(the|an?) /, '');

interface RecordRow {
  resource: 'movies' | 'nominees' | 'ceremonies';
  /** The filter of nominations by such records. */
  filter: ParameterName;
  /** What one is called. */
  one: string;
  /** The member of a record that is its title. */
  title: string;
  /** Argument → the parameter of the list that finds by it. */
  keys: Readonly<Record<string, ParameterName>>;
}

/** A tool that finds one record, and its nominations by the filters of their list. */
function recordTool(
  { resource, filter, one, title, keys }: RecordRow,
  texts: Pick<Tool, 'title' | 'description'>,
): Tool {
  const list = routeAt(listPath(resource));
  const nominations = routeAt('/api/nominations');
  const include = list.includes.filter((name) => name !== 'nominations' && name !== 'details').join();
  const limit = { ...valueSchema('limit'), default: nominationsShown };
  /** Of the search for it: those with most nominations first. */
  const sort = list.sorts?.find((name) => name === '-entries');
  const shape = { fields: `id,${title}`, format: 'ndjson', ...(sort && { sort }) };
  const own = Object.entries(keys).map(([key, parameter]) => [
    key,
    parameter === 'ids'
      ? { ...anyId, description: `Id of the ${one}.` }
      : { ...valueSchema(parameter, list), description: parameters[parameter].description },
  ]);
  return {
    ...texts,
    accepted: [
      {
        ...nominations,
        // A call is about one record.
        parameters: nominations.parameters.filter(
          (name) => parameters[name].kind !== 'ids' && name !== 'fields' && keys[name] === undefined,
        ),
      },
    ],
    own: { ...Object.fromEntries(own), limit: { ...limit, description: parameters.limit.description } },
    async find(values, context) {
      const given = Object.keys(keys).filter((key) => values[key] !== undefined);
      const [key = ''] = given;
      if (given.length !== 1) throw new CallFault(`one of ${Object.keys(keys).join(', ')} is needed`);
      const { [key]: value = '', ...filters } = values;
      const query = { [keys[key]!]: value };
      const { text } = await read(context, listPath(resource), { ...query, ...shape });
      const candidates = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Candidate);
      const isSame = (record: Candidate) => comparable(record[title]) === comparable(value);
      const found = candidates.find(isSame) ?? candidates[0];
      if (!found) throw new CallFault(await nothingFound(context, key, value));
      const ids = String(found.id);
      const selected = { [filter]: ids, limit: String(nominationsShown), ...filters };
      const record = await read(context, listPath(resource), { ids, ...(include && { include }) });
      const awards = await read(context, listPath('nominations'), selected);
      const others = candidates.filter((candidate) => candidate !== found);
      const named = others.slice(0, maxOthers).map((it) => `${it[title]} (id ${it.id})`);
      if (others.length > maxOthers)
        named.push(`and more: ${context.origin}${withValues(`/${resource}`, query)}`);
      const page = recordHref(resource, found.id, found[title]);
      const lines = [
        `${one} ${ids}, ${found[title]}: ${context.origin}${page}`,
        ...(named.length > 0 ? [`Other matches: ${named.join(', ')}`] : []),
        ...linesOf(awards, '/nominations', selected, context),
      ];
      return { lines, documents: [record, awards] };
    },
  };

  async function nothingFound({ ask }: Context, key: string, value: string): Promise<string> {
    const searched = splitTarget(withValues(searchPath, { q: value }));
    const answer = key === title ? parsedBody(await ask({ method: 'GET', ...searched })) : {};
    const { suggestions = [] } = answer as { suggestions?: string[] };
    const similar = suggestions.length > 0 ? `; similar words on record: ${suggestions.join(', ')}` : '';
    return `there is no ${one} with the ${key} "${shortened(value)}"${similar}`;
  }
}

const citing = 'Cite the page that the answer names.';

/** Name → tool, in the order of the list. */
const tools: Readonly<Record<string, Tool>> = {
  search: documentTool(() => ({ path: searchPath, page: '/search' }), {
    title: 'Search nominations',
    description: `Full-text search in film titles, names of people and companies, and categories. All words must match. Returns nominations, best match first, each with the ids of its film, nominee, ceremony and category. Use it for words in any combination, such as "streep supporting", and to find ids. ${citing}`,
    accepted: [routeAt(searchPath)],
  }),
  film_awards: recordTool(
    {
      resource: 'movies',
      filter: 'movie_ids',
      one: 'film',
      title: 'title',
      keys: { title: 'title', imdb_id: 'filmindex_id', id: 'ids' },
    },
    {
      title: 'Awards of a film',
      description: `What a film was nominated for and won. Send one of title, imdb_id and id. Returns the record of the film with its totals, and its nominations; filters select among these. A title may be a part: an exact title is preferred, then the film with most nominations, and the answer names the others. ${citing}`,
    },
  ),
  person_awards: recordTool(
    {
      resource: 'nominees',
      filter: 'nominee_ids',
      one: 'person or company',
      title: 'name',
      keys: { name: 'name', imdb_id: 'filmindex_id', id: 'ids' },
    },
    {
      title: 'Awards of a person or company',
      description: `What a person or company was nominated for and won. Send one of name, imdb_id and id. Returns the record with its totals, and the nominations; filters select among these. A name may be a part: an exact name is preferred, then the one with most nominations, and the answer names the others. ${citing}`,
    },
  ),
  ceremony: recordTool(
    {
      resource: 'ceremonies',
      filter: 'ceremony_ids',
      one: 'ceremony',
      title: 'ceremony_year',
      keys: { number: 'ids', year: 'year' },
    },
    {
      title: 'Nominations of a ceremony',
      description: `A ceremony with its date, place and totals, and its nominations: winner=true selects the winners, category one category. Send one of number (1 is the first ceremony) and year (of the ceremony, usually the year after its films were released). ${citing}`,
    },
  ),
  ranking: documentTool(
    ({ ranking }) => {
      const name = rankingNames.find((own) => own === ranking);
      if (!name) throw new CallFault(`ranking must be one of ${rankingNames.join(', ')}`);
      return { path: rankingPath(name), page: rankingHref(name) };
    },
    {
      title: 'Rankings',
      description: `The films, or the people and companies, with most nominations or wins (sort), optionally of some years, a genre or a kind of category. ${citing}`,
      accepted: rankingNames.map((name) => routeAt(rankingPath(name))),
      own: { ranking: { type: 'string', enum: rankingNames, description: 'What is ranked.' } },
      required: ['ranking'],
    },
  ),
  count: documentTool(() => ({ path: countsPath, page: '/nominations' }), {
    title: 'Count nominations',
    description: `Totals of the nominations that pass the filters, in groups: by year, decade, category, genre, country and so on. Each group has its nominations and wins as the press counts them (entries, wins), single nominations, films and nominees. Use it for questions of how many. ${citing}`,
    accepted: [routeAt(countsPath)],
  }),
};

function argumentsOf({ accepted, own = {} }: Tool): Record<string, Schema> {
  const schemas: Record<string, Schema> = { ...own };
  // Exports have all records at once: no answer for a model.
  for (const address of accepted)
    for (const name of address.parameters.filter((own) => own !== 'format' && own !== 'bom'))
      schemas[name] ??= { ...valueSchema(name, address), description: parameters[name].description };
  return schemas;
}

/** The tools as tools/list has them. */
export const toolList = (): ListedTool[] =>
  Object.entries(tools).map(([name, tool]) => {
    const properties = argumentsOf(tool);
    const isRequired = (own: string) => 'required' in (parameters[own as ParameterName] ?? {});
    const required = [...(tool.required ?? []), ...Object.keys(properties).filter(isRequired)];
    return {
      name,
      title: tool.title,
      description: tool.description,
      inputSchema: {
        type: 'object',
        properties: properties as ListedTool['inputSchema']['properties'],
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    };
  });

export const toolNames: readonly string[] = Object.keys(tools);

/** The arguments of a call as texts of a query string; null is no argument. @throws CallFault */
function valuesOf(tool: Tool, given: Readonly<Record<string, unknown>>): Values {
  const known = Object.keys(argumentsOf(tool));
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const values = Object.entries(given).filter(([, value]) => value !== null);
  const faults = values.flatMap(([name, value]) => {
    if (!known.includes(name)) return unknownName('parameter', name, known, 'this tool takes');
    const items = Array.isArray(value) ? value : [value];
    return items.every(isScalar) ? [] : `${name} must be a text, a number, true, false, or a list of these`;
  });
  if (faults.length > 0) throw new CallFault(faults.slice(0, 5).join('; '));
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

/** The result of a call. A fault is a result, too: the model can repair it. @param name of `toolNames` */
export async function callTool(
  name: string,
  given: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<{ content: { type: 'text'; text: string }[]; isError?: true }> {
  try {
    const tool = tools[name]!;
    const { lines, documents } = await tool.find(valuesOf(tool, given), context);
    const pages = ['movies/{movie_id}', 'nominees/{nominee_id}', 'ceremonies/{ceremony_id}'];
    const about = [
      ...lines,
      `Pages of records: ${pages.map((page) => `${context.origin}/${page}`).join(', ')}`,
      ...documents.map(({ address }) => `Data: ${context.origin}${address}`),
    ];
    const texts = [about.join('\n'), ...documents.map(({ text }) => text)];
    return { content: texts.map((text) => ({ type: 'text', text })) };
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

/** What the record is, for a model; of the sample, what it lacks. */
export async function instructions({ ask }: Context): Promise<string> {
  const about =
    'A century of film awards: nominations, winners, films, people, ceremonies, categories. Read-only. A year is that of the ceremony unless the name says film. An unknown value is null or an empty list.';
  const root = await ask({ method: 'GET', path: rootPath, queryString: '' });
  const { notice } = parsedBody(root) as { notice?: string };
  return notice === undefined ? about : `${about} ${notice}`;
}
