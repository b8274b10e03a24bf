/** Programs of others read what is served: an RSS parser every feed; sqlite3 and Python every CSV, with all its records. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { needTools, requireTool } from '../support/tools.ts';
import { useService } from './running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const running = useService({}, undefined, ['pages', 'lists']);

const text = async (target: string): Promise<string> => (await running.service.ask(target)).body.toString();
const json = async <T>(target: string): Promise<T> => JSON.parse(await text(target)) as T;

/** The part of rss-parser that is used. */
interface Feed {
  title: string;
  link: string;
  items: { title: string; link: string; guid: string }[];
}
type RssParser = new () => { parseString(xml: string): Promise<Feed> };

it.for([
  ['the nasty record', () => running.built.out],
  ['the sample', () => inject('sample').out],
] as const)(
  'rss-parser reads every feed of %s, with the films of the list in their order',
  async ([_name, out], context) => {
    needTools(context);
    const Parser = requireTool('rss-parser') as RssParser;
    const read = (path: string) => readFileSync(join(out(), path), 'utf8');
    const { data } = JSON.parse(read('lists/index.json')) as {
      data: { json: string; rss: string; films: number }[];
    };
    expect(data.length).toBeGreaterThan(20);
    let films = 0;
    for (const list of data) {
      const { items } = await new Parser().parseString(read(list.rss));
      const expected = JSON.parse(read(list.json)) as {
        title: string;
        imdb_id: string;
        year: number;
      }[];
      const shown = items.map(({ title, guid }) => ({ title, imdb_id: guid }));
      expect(shown, list.rss).toEqual(
        expected.map(({ title, imdb_id, year }) => ({ title: `${title} (${year})`, imdb_id })),
      );
      expect(items).toHaveLength(list.films);
      films += items.length;
    }
    expect(films).toBeGreaterThan(10);
  },
);

const queries = [
  ...resourceNames.map((name) => `/api/${name}?`),
  '/api/nominations?include=details&winner=true&',
  '/api/movies?include=counts,nominations&fields=title,genres,counts,nominations&sort=-title&',
  '/api/nominees?fields=name,birthday&sort=name&',
  '/api/nominees?fields=deathday&',
  '/api/search?q=the&sort=-year&',
];

/** How many records a program finds in a file. */
const readers: [name: string, missing: boolean, (file: string) => Promise<number>][] = [
  [
    'sqlite3 .import --csv',
    spawnSync('sqlite3', ['--version']).status !== 0,
    async (file) => {
      const words = [':memory:', `.import --csv ${file} read`, 'SELECT count(*) FROM read'];
      const { stdout, stderr } = await run('sqlite3', words);
      expect(stderr).toBe('');
      return Number(stdout);
    },
  ],
  [
    'csv of Python',
    spawnSync('python3', ['--version']).status !== 0,
    async (file) => {
      const program =
        'import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline=""), strict=True)); ' +
        'assert all(None not in row and None not in row.values() for row in rows); print(len(rows))';
      return Number((await run('python3', ['-c', program, file])).stdout);
    },
  ],
];

describe.each(readers)('%s', (name, isMissing, count) => {
  it.for(queries)('finds pagination.total records in %sformat=csv', async (query, context) => {
    if (isMissing) return context.skip(`there is no ${name} here`);
    const file = join(temporaryFolder(), 'records.csv');
    writeFileSync(file, await text(`${query}format=csv`));
    const { pagination, data } = await json<{ pagination?: { total: number }; data: unknown[] }>(
      query.slice(0, -1),
    );
    const total = pagination?.total ?? data.length;
    expect(total).toBeGreaterThan(0);
    expect(await count(file), readFileSync(file, 'utf8').slice(0, 300)).toBe(total);
  });
});
