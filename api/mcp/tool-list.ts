/** The tools of /mcp, as tools/list has them. Short: a model reads the list before each conversation. */
import { countKeys } from '../contract/parameters.ts';

type Schema = Readonly<{ [member: string]: unknown }>;

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; properties: { [argument: string]: Schema }; required?: readonly string[] };
  outputSchema: Schema;
  annotations: { readOnlyHint: true; openWorldHint: false };
}

const text = { type: 'string' };
const number = { type: 'integer' };
const yes = { type: 'boolean' };
const about = (schema: Schema, description: string): Schema => ({ ...schema, description });
const list = { type: 'array', items: { type: 'object' } };
const outputOf = (properties: Schema, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

const ofRecord = { winner: yes, category: text, character: text };
const paging = { limit: number, page: number };
const years = { year: about(number, 'ceremony year'), yearStart: number, yearEnd: number };
const recordOutput = outputOf({ page: text, record: { type: 'object' }, nominations: list, honors: list }, [
  'page',
  'record',
  'nominations',
]);
const listOutput = outputOf({ page: text, data: list }, ['page', 'data']);

function tool(
  name: string,
  title: string,
  description: string,
  properties: ListedTool['inputSchema']['properties'],
  outputSchema: Schema,
  required: readonly string[] = [],
): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    outputSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

export const toolList: readonly ListedTool[] = [
  tool(
    'search',
    'Search the record',
    'Finds films, people, companies, ceremonies, categories and songs, and the nominations that are meant. Takes names, titles, IMDb ids, a category with a year ("best actress 1998"), nicknames, typing mistakes.',
    { query: text },
    outputOf({ results: list, nominations: list }, ['results']),
    ['query'],
  ),
  tool(
    'fetch',
    'Read a record',
    'One record as text. The id is that of a result of search, such as movies/3669.',
    { id: text },
    outputOf({ id: text, title: text, text, url: text }, ['id', 'title', 'text', 'url']),
    ['id'],
  ),
  tool(
    'film_awards',
    'Awards of a film',
    'What a film was nominated for and won, with honors. Needs title ("Titanic", "Little Women (1933)"), imdb_id or id. An exact title comes first; other films of the title are named.',
    {
      title: text,
      filmYear: about(number, 'chooses among films of a title'),
      imdb_id: text,
      id: number,
      ...ofRecord,
    },
    recordOutput,
  ),
  tool(
    'person_awards',
    'Awards of a person or company',
    'What a person or company was nominated for and won, with honors. Needs name, imdb_id or id.',
    { name: text, imdb_id: text, id: number, movie: text, ...ofRecord, yearStart: number, yearEnd: number },
    recordOutput,
  ),
  tool(
    'ceremony',
    'Nominations of a ceremony',
    'Needs number (1 is the first) or year (of the ceremony, usually the year after its films). With winner=true the winners; category is part of a name, such as "actress" or "best picture".',
    { number, year: number, ...ofRecord, ...paging },
    recordOutput,
  ),
  tool(
    'nominations',
    'List nominations',
    'Nominations by any filters, newest last; sort=-year for the newest first.',
    {
      nominee: about(text, 'part of a name'),
      movie: about(text, 'part of a title'),
      ...ofRecord,
      ...years,
      filmYear: number,
      official: yes,
      is_song: yes,
      sort: text,
      ...paging,
    },
    listOutput,
  ),
  tool(
    'ranking',
    'Rankings',
    'Who or what has most nominations or wins: films (top-movies), people (top-nominees; no companies) or countries. unrewarded: most nominations without a win. Official ones, unless official is sent.',
    {
      ranking: { type: 'string', enum: ['top-movies', 'top-nominees', 'countries'] },
      sort: { type: 'string', enum: ['nominations', 'wins', 'unrewarded'] },
      ...years,
      genre: about(text, 'of films'),
      category: about(text, 'of people'),
      category_group: text,
      known_for_department: text,
      limit: number,
    },
    listOutput,
    ['ranking'],
  ),
  tool(
    'count',
    'Count nominations',
    'How many nominations, in groups. entries and wins are as the press counts; official ones, unless official is sent.',
    {
      by: { type: 'string', enum: countKeys },
      nominee: text,
      movie: text,
      winner: yes,
      category: text,
      ...years,
      filmYear: number,
      official: yes,
      is_song: yes,
    },
    listOutput,
    ['by'],
  ),
];

export const toolNames: readonly string[] = toolList.map(({ name }) => name);
