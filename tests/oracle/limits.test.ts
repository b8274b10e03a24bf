/** The messages about faults, mistyped names, names of categories, and requests that ask for much. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Resolver } from '../../api/read/resolve.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { answerAt } from '../support/build.ts';
import { fillWithNastyRecord } from './nasty-record.ts';
import { routes } from './parameters.ts';
import { compiled, documentAt, expectSameAnswer, mistakes, notFoundWith } from './questions.ts';

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
    'sort: unknown parameter "sort"; this address takes page, limit, ids, year, yearStart, yearEnd, category_name, category_group, fields, format',
  ],
  [
    'movies?filmYearStart=1950&filmYearEnd=1940',
    'filmYearStart: filmYearStart 1950 is after filmYearEnd 1940',
  ],
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
  const words = Array.from({ length: 160 }, (_, at) =>
    String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26)),
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
