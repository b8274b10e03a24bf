/** The messages about faults, mistyped names, names of categories, and requests that ask for much. */
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { findRecord } from '../../api/mcp/find-record.ts';
import { takingTurns } from '../../api/read/node-source.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import { SnapshotWatch } from '../../api/read/source.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { answerAt } from '../records/build.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { type Parameter, routes } from '../records/oracle/parameters.ts';
import {
  compiled,
  documentAt,
  expectSameAnswer,
  mistakes,
  notFoundWith,
} from '../records/oracle/questions.ts';

let nasty: Awaited<ReturnType<typeof compiled>>;
let sample: Awaited<ReturnType<typeof compiled>>;
beforeAll(async () => {
  nasty = await compiled(fillWithNastyRecord);
  sample = await compiled(fillWithSample);
});

/** The faults, a line each. */
async function faultsOf(target: string): Promise<string[]> {
  const { status, errors } = await documentAt(nasty.resolver, target);
  expect(status, target).toBe(400);
  return (errors as { parameter: string; message: string }[]).map(
    ({ parameter, message }) => `${parameter}: ${message}`,
  );
}

const fields = routes.get('/api/nominations')!.parameters.get('fields')!.keys.join(', ');

it.each<[target: string, ...faults: string[]]>([
  [
    'movies?sort=titel&fields=id,tilte,runtim&format=cvs&include=count',
    'sort: sort has an unknown key "titel"; did you mean "title"?',
    'fields: fields has an unknown key "tilte"; did you mean "title"?, and an unknown key "runtim"; did you mean "runtime"?',
    'format: format has an unknown value "cvs"; did you mean "csv"?',
    'include: include has an unknown key "count"; did you mean "counts"?',
  ],
  [
    'nominations?WINNER=true&catagory=x&sort=YEAER&fields=q,ID,',
    'WINNER: unknown parameter "WINNER"; did you mean "winner"?',
    'catagory: unknown parameter "catagory"; did you mean "category"?',
    'sort: sort has an unknown key "YEAER"; did you mean "year"?',
    `fields: fields has an unknown key "q"; this address takes ${fields}, and an unknown key "ID"; did you mean "id"?, and an empty key`,
  ],
  ['songs?sort=-titel', 'sort: sort has an unknown key "-titel"; did you mean "-title"?'],
  [
    'search?q=ann&sort=name',
    'sort: sort has an unknown key "name"; this address takes relevance, -relevance, year, -year, id, -id',
  ],
  [
    'nominees?fields=counts,nominations',
    'fields: fields leaves nothing: include must add nominations or counts',
  ],
  ['categories?format=ndjson&limit=5', 'limit: limit cannot be combined with format=ndjson'],
  [
    'movies?include=details',
    'include: include has the key "details", which needs "nominations" at this address',
  ],
  [
    'categories?sort=id',
    'sort: unknown parameter "sort"; this address takes page, limit, ids, year, yearStart, yearEnd, category_name, category_group, fields, format, bom',
  ],
  [
    'movies?filmYearStart=1950&filmYearEnd=1940',
    'filmYearStart: filmYearStart 1950 is after filmYearEnd 1940',
  ],
  // What other services call a parameter.
  [
    'movies?imdb_id=tt1&tmdb_id=1&per_page=5&offset=10&Order_By=id',
    'imdb_id: unknown parameter "imdb_id"; did you mean "filmindex_id"?',
    'tmdb_id: unknown parameter "tmdb_id"; did you mean "moviedb_id"?',
    'per_page: unknown parameter "per_page"; did you mean "limit"?',
    'offset: unknown parameter "offset"; did you mean "page"?',
    'Order_By: unknown parameter "Order_By"; did you mean "sort"?',
  ],
  [
    'nominees?tmdb_id=1&embed=counts',
    'tmdb_id: unknown parameter "tmdb_id"; did you mean "moviedb_person_id"?',
    'embed: unknown parameter "embed"; did you mean "include"?',
  ],
  [
    'nominations?actor=a&startYear=1990&max_results=3&won=true',
    'actor: unknown parameter "actor"; did you mean "nominee"?',
    'startYear: unknown parameter "startYear"; did you mean "yearStart"?',
    'max_results: unknown parameter "max_results"; did you mean "limit"?',
    'won: unknown parameter "won"; did you mean "winner"?',
  ],
  [
    'movies?name=a&since=1990&release_year=1990',
    'name: unknown parameter "name"; did you mean "title"?',
    'since: unknown parameter "since"; did you mean "yearStart"?',
    'release_year: unknown parameter "release_year"; did you mean "filmYear"?',
  ],
  ['nominees?actress=a', 'actress: unknown parameter "actress"; did you mean "name"?'],
  ['songs?singer=a', 'singer: unknown parameter "singer"; did you mean "artist"?'],
  ['categories?name=a', 'name: unknown parameter "name"; did you mean "category_name"?'],
  ['search?query=ann&q=ann', 'query: unknown parameter "query"; did you mean "q"?'],
  [
    'categories?q=a&constructor=1',
    'q: unknown parameter "q"; /api/search?q=… searches all texts, this address takes page, limit, ids, year, yearStart, yearEnd, category_name, category_group, fields, format, bom',
    'constructor: unknown parameter "constructor"; this address takes page, limit, ids, year, yearStart, yearEnd, category_name, category_group, fields, format, bom',
  ],
  ['movies?page=1&page=2', 'page: page is given more than once'],
  ['movies?ids=1&ids=x', 'ids: ids must be positive whole numbers separated by commas'],
  ['movies?ids=1&ids=', 'ids: ids must be positive whole numbers separated by commas'],
  ['movies?filmindex_ids=tt1,,tt2', 'filmindex_ids: filmindex_ids must be ids separated by commas'],
  [
    `songs?sort=${'c'.repeat(60)}`,
    `sort: sort has an unknown key "${'c'.repeat(60)}"; this address takes id, -id, title, -title, artist, -artist, year, -year`,
  ],
  // A name of more than 60 characters is cut between characters, not within a surrogate pair.
  [
    `songs/1?fields=${'a'.repeat(59)}🎬bc`,
    `fields: fields has an unknown key "${'a'.repeat(59)}🎬…"; this address takes ${routes.get('/api/songs/{id}')!.parameters.get('fields')!.keys.join(', ')}`,
  ],
])('the messages about %s', async (target, ...faults) => {
  expect(await faultsOf(`/api/${encodeURI(target)}`)).toEqual(faults);
});

it.each([
  ['movies?ids=1&ids=3', 'movies?ids=1,3'],
  ['movies?ids=1,3&limit=2&ids=%202', 'movies?ids=1,3,2&limit=2'],
  ['movies?include=counts&include=nominations', 'movies?include=counts,nominations'],
  ['movies/1?fields=id&fields=title&include=counts', 'movies/1?fields=id,title&include=counts'],
  ['nominees?filmindex_ids=nm1&filmindex_ids=nm0000002', 'nominees?filmindex_ids=nm1,nm0000002'],
])('a list with a parameter for each item is one list: %s', async (repeated, joined) => {
  const [one, other] = await Promise.all(
    [repeated, joined].map((target) => documentAt(sample.resolver, `/api/${target}`)),
  );
  expect(one).toEqual(other);
  expect(one).not.toHaveProperty('errors');
});

it('an answer names the first fifty faults, and a required parameter as missing only if it is', async () => {
  const wrong = (count: number) => Array.from({ length: count }, (_, at) => `wrong${at}=1`).join('&');
  expect(await faultsOf(`/api/movies?${wrong(4000)}`)).toHaveLength(50);
  const faults = await faultsOf(`/api/search?${wrong(50)}&q=ann`);
  expect(faults.filter((fault) => /^wrong\d+: unknown parameter/.test(fault))).toHaveLength(50);
  expect(await faultsOf(`/api/search?${wrong(50)}`)).toEqual(faults);
  expect((await faultsOf(`/api/search?${wrong(49)}`)).at(-1)).toBe('q: q is required');
});

it('a list whose address is too long for a header has no Link', async () => {
  const linkOf = async (query: string) =>
    (await answerAt(nasty.resolver, `/api/nominations?${query}`)).headers.Link;
  expect(await linkOf('ids=1,2,3')).toContain('rel="first"');
  expect(await linkOf(`ids=${Array.from({ length: 1000 }, (_, at) => 10_000 + at)}`)).toBeUndefined();
});

it('a search for many words, some of them again and again, finds the right matches', async () => {
  const q = 'ac in le ro actor a leading role '.repeat(15).trim().replaceAll(' ', '+');
  for (const page of [1, 2, 3])
    await expectSameAnswer(sample.resolver, sample.record, {
      path: '/api/search',
      queryString: `limit=67&page=${page}&q=${q}`,
    });
});

it('a search takes sixteen different words, and each of them as often as the address has room', async () => {
  const words = Array.from('abcdefghijklmnop', (letter) => `${letter}a`);
  const q = (...all: string[]) => `/api/search?q=${all.join('+')}`;
  expect((await documentAt(sample.resolver, q(...words, ...words, 'ÁA'))).data).toEqual([]);
  expect(await faultsOf(q(...words, 'qa'))).toEqual(['q: q has more than 16 different words']);
});

it('a text of combining marks alone is refused as an empty one is', async () => {
  const isText = ({ kind }: Parameter) => ['part', 'folded', 'category', 'exact'].includes(kind);
  const asked = [...routes].flatMap(([address, { parameters }]) =>
    [...parameters].filter(([, own]) => isText(own)).map(([name]) => ({ address, name })),
  );
  expect(asked.length).toBeGreaterThan(15);
  for (const { address, name } of asked)
    for (const value of ['', '%CC%81', '%CC%81%CC%A7'])
      expect(await faultsOf(`${address}?${name}=${value}`)).toContain(`${name}: ${name} is empty`);
});

it('a search keeps what it made for the latest words only', async () => {
  const { resolver } = await compiled(fillWithNastyRecord);
  const made = vi.spyOn(MiniSearch, 'loadJS');
  let page = 0;
  const search = async (word: string) => {
    const before = made.mock.calls.length;
    // No page comes from the cache of answers.
    page += 1;
    await documentAt(resolver, `/api/search?q=${word}&page=${page}`);
    return made.mock.calls.length - before;
  };
  expect(await search('the')).toBeGreaterThan(0);
  expect(await search('the')).toBe(0);
  for (let at = 0; at < 600; at += 1) await search(`q${String.fromCharCode(0x4e00 + at)}`);
  expect(await search('the')).toBeGreaterThan(0);
  made.mockRestore();
});

describe('an export', () => {
  const target = { method: 'GET', path: '/api/nominations', queryString: 'format=ndjson' };

  it('leaves the thread to others between its parts', async () => {
    let tasks = 0;
    let isAnswered = false;
    const count = () => {
      tasks += 1;
      if (!isAnswered) setImmediate(count);
    };
    setImmediate(count);
    const { body } = await sample.newResolver().answer(target);
    isAnswered = true;
    expect(body!.length).toBeGreaterThan(300_000);
    expect(tasks).toBeGreaterThan(body!.length / 150_000);
  });

  it('waits while a part of another one is made', async () => {
    const turn = takingTurns();
    const parts: number[] = [];
    let task = 0;
    const makeParts = async () => {
      for (let part = 0; part < 5; part += 1) {
        await turn();
        parts.push(task);
      }
    };
    const all = Promise.all([makeParts(), makeParts(), makeParts()]);
    const count = () => {
      task += 1;
      if (parts.length < 15) setImmediate(count);
    };
    setImmediate(count);
    await all;
    expect(new Set(parts).size).toBe(15);
  });
});

/** The shards that a first search reads. */
async function shardsReadFor(q: string): Promise<string[]> {
  const paths: string[] = [];
  const resolver = sample.newResolver((path) => {
    paths.push(path);
    return sample.read(path);
  });
  await documentAt(resolver, `/api/search?q=${q}`);
  return paths.sort();
}

it('a search reads each shard at most once, and for suggestions those of at most three more initials', async () => {
  const words = Array.from({ length: 15 }, (_, at) =>
    String.fromCharCode(97 + (at % 5), 97 + ((at * 7) % 26)),
  );
  const others = (paths: string[]) => paths.filter((path) => !/^shards\/search\/(titles|names)\//.test(path));
  const [many, one] = [await shardsReadFor(`zzzz+${words.join('+')}`), await shardsReadFor('zzzz')];
  expect(others(many)).toEqual(others(one));
  expect(new Set(many).size).toBe(many.length);
  const found = await shardsReadFor('meryl+streep');
  for (const q of ['merryl+streep', 'merylstreep', 'm+manintheironmaskofthebigsleepandacatonahottinroof']) {
    const further = (await shardsReadFor(q)).filter((path) => !found.includes(path));
    expect(further.length, q).toBeLessThanOrEqual(6);
  }
});

it.each(Object.keys(mistakes))('95 of 100 names of the sample are found with %s', async (mistake) => {
  const { asked, missed } = await notFoundWith(mistake, sample.resolver, sample.record, 150);
  expect(asked).toBeGreaterThan(50);
  expect(missed.length / asked, missed.join()).toBeLessThanOrEqual(0.05);
});

async function categoriesFound(resolver: Resolver, category: string): Promise<string[]> {
  const { data } = await documentAt(resolver, `/api/nominations?limit=100&category=${category}`);
  return [...new Set((data as { category: string }[]).map((it) => it.category))];
}

describe('the category parameter takes the names that people use', () => {
  it.each([
    ['Best Actor', ['Actor in a Leading Role']],
    ['best-supporting actress', ['Actress in a Supporting Role']],
    ['Best Movie', ['Best Picture']],
    ['UNIQUE AND ARTISTIC PICTURE', ['Best Picture']],
    // A part of a name is a part: not only the category that it names as a whole.
    ['actor', ['Actor in a Leading Role', 'Actor in a Supporting Role']],
    ['best actor of all', []],
    ['constructor', []],
  ])('%s', async (category, found) => {
    expect(await categoriesFound(sample.resolver, category)).toEqual(found);
  });
});

it('honors are read only where include asks for them, and nominations are not read with them', async () => {
  const readFor = async (target: string) => {
    const families = new Set<string>();
    const resolver = nasty.newResolver(async (path) => {
      families.add(path.split('/').slice(1, -1).join('/'));
      return nasty.read(path);
    });
    expect((await answerAt(resolver, target)).status, target).toBe(200);
    return families;
  };
  for (const address of [
    '/api/movies',
    '/api/movies/1',
    '/api/nominees',
    '/api/nominees/1',
    '/api/ceremonies',
  ]) {
    expect(await readFor(`${address}?include=counts`)).not.toContain('honors');
    const families = await readFor(`${address}?include=honors&fields=id,honors`);
    expect(families).toContain('honors');
    expect(families).not.toContain('nominations');
    expect(await readFor(`${address}?include=honors&fields=id`)).not.toContain('honors');
  }
});

it('the title that an assistant asks for is looked up once where a film has it, else word by word', async () => {
  const lookUps = async (title: string) => {
    let count = 0;
    const answer: Resolver['answer'] = (request) => {
      if (request.queryString.includes('title=')) count += 1;
      return sample.resolver.answer(request);
    };
    const answered: Resolver['answered'] = (work) => sample.resolver.answered(work);
    const { id } = await findRecord({ record: { answer, answered }, origin: '' }, 'movies', { title });
    return { id, count };
  };
  expect(await lookUps('The Shape of Water')).toEqual({ id: 360, count: 1 });
  expect(await lookUps('Shape Of: Water')).toEqual({ id: 360, count: 4 });
});

it('requests within the interval share one look at the manifest', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const look = vi.fn(async () => {});
  const watch = new SnapshotWatch(look, 100);
  const looksAfter = async (milliseconds: number) => {
    now += milliseconds;
    await Promise.all([watch.check(), watch.check()]);
    return look.mock.calls.length;
  };
  expect([await looksAfter(0), await looksAfter(99), await looksAfter(1), await looksAfter(50)]).toEqual([
    1, 1, 2, 2,
  ]);
  clock.mockRestore();
});
