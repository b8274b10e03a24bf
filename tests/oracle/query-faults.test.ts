/** The messages about include, fields, sort and format name the nearest key, and all faults at once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parametersAt } from '../../api/contract/parameters.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithNastyRecord } from './nasty-record.ts';
import { answerAt, compiledRecord } from '../support/build.ts';

let resolver: Resolver;
beforeAll(async () => {
  const { files } = await compiledRecord(fillWithNastyRecord);
  resolver = new Resolver(files);
});

async function ask(target: string) {
  const { status, body } = await answerAt(resolver, target);
  return { status, document: JSON.parse(new TextDecoder().decode(body!)) as Record<string, unknown> };
}

/** The faults, a line each. */
async function faultsOf(target: string): Promise<string[]> {
  const { status, document } = await ask(target);
  expect(status, target).toBe(400);
  return (document.errors as { parameter: string; message: string }[]).map(
    ({ parameter, message }) => `${parameter}: ${message}`,
  );
}

describe('a fault in', () => {
  it.each<[target: string, faults: string[]]>([
    [
      'movies?sort=titel&fields=id,tilte,runtim&format=cvs&include=count',
      [
        'sort: sort has an unknown key "titel"; did you mean "title"?',
        'fields: fields has an unknown key "tilte"; did you mean "title"?, and an unknown key "runtim"; did you mean "runtime"?',
        'format: format has an unknown value "cvs"; did you mean "csv"?',
        'include: include has an unknown key "count"; did you mean "counts"?',
      ],
    ],
    [
      'nominations?WINNER=true&sort=YEAER&name=x&fields=q,ID,,title',
      [
        'WINNER: unknown parameter "WINNER"; did you mean "winner"?',
        'sort: sort has an unknown key "YEAER"; did you mean "year"?',
        `name: unknown parameter "name"; this address takes ${parametersAt('nominations').join(', ')}`,
        'fields: fields has an unknown key "q"; this address takes id, ceremony_id, ceremony_year, category_id, category, movie_id, movie, nominee_id, nominee, song_id, song_title, is_song, winner, details, and an unknown key "ID"; did you mean "id"?, and an empty key, and an unknown key "title"; this address takes id, ceremony_id, ceremony_year, category_id, category, movie_id, movie, nominee_id, nominee, song_id, song_title, is_song, winner, details',
      ],
    ],
    ['songs?sort=-titel', ['sort: sort has an unknown key "-titel"; did you mean "-title"?']],
    [
      'search?q=ann&sort=name',
      [
        'sort: sort has an unknown key "name"; this address takes relevance, -relevance, year, -year, id, -id',
      ],
    ],
    ['nominations?fields=details', ['fields: fields leaves nothing: include must add details']],
    [
      'nominees?fields=counts,nominations&sort=xxxxxx',
      [
        'sort: sort has an unknown key "xxxxxx"; this address takes id, -id, name, -name, birthday, -birthday, entries, -entries, wins, -wins',
        'fields: fields leaves nothing: include must add nominations or counts',
      ],
    ],
    [
      'movies?format=csv&page=2&limit=10',
      ['page: page cannot be combined with format=csv', 'limit: limit cannot be combined with format=csv'],
    ],
    ['categories?format=ndjson&limit=5', ['limit: limit cannot be combined with format=ndjson']],
    [
      'movies?include=details',
      ['include: include has the key "details", which needs "nominations" at this address'],
    ],
    [
      'songs?include=counts',
      ['include: include has an unknown key "counts"; this address takes details, nominations'],
    ],
    [
      'categories?sort=id',
      [
        'sort: unknown parameter "sort"; this address takes page, limit, ids, year, yearStart, yearEnd, category_name, category_group, fields, format',
      ],
    ],
    ['movies/1?fields=titel', ['fields: fields has an unknown key "titel"; did you mean "title"?']],
    [
      'movies?filmYearStart=1950&filmYearEnd=1940',
      ['filmYearStart: filmYearStart 1950 is after filmYearEnd 1940'],
    ],
    ['movies?filmindex_ids=tt1,,tt2', ['filmindex_ids: filmindex_ids must be ids separated by commas']],
  ])('%s', async (target, faults) => {
    expect(await faultsOf(`/api/${target}`)).toEqual(faults);
  });
});

it('a message cuts a long name between characters, not within a surrogate pair', async () => {
  const name = `${'a'.repeat(59)}🎬`;
  const [fault] = await faultsOf(`/api/movies?${encodeURIComponent(`${name}bc`)}=1`);
  expect(fault).toContain(`unknown parameter "${name}…"`);
  const [keyFault] = await faultsOf(`/api/movies?sort=${encodeURIComponent(`${name}bc`)}`);
  expect(keyFault).toContain(`unknown key "${name}…"`);
});

it('an exported nomination has its details without include, so fields can name them', async () => {
  const { status, body } = await resolver.answer({
    method: 'GET',
    path: '/api/nominations',
    queryString: 'ids=7&fields=details,id&format=csv',
  });
  expect(status).toBe(200);
  const [heading] = new TextDecoder().decode(body!).split('\r\n');
  expect(heading).toBe('id,entry,character,note,official,historical_category,credited_as');
});

it('the song of a nomination without one is left out, also where fields names only it', async () => {
  expect((await ask('/api/nominations/1?fields=song')).document).toEqual({});
  expect(Object.keys((await ask('/api/nominations/7?fields=song,movie')).document)).toEqual([
    'movie',
    'song',
  ]);
});

it.each([
  ['search', 'q', 'q=ann'],
  ['stats/counts', 'by', 'by=year'],
])('%s: fifty faults before a valid %s name these fifty, and no more', async (path, required, valid) => {
  const wrong = (count: number) => Array.from({ length: count }, (_, at) => `wrong${at}=1`).join('&');
  const faults = await faultsOf(`/api/${path}?${wrong(50)}&${valid}`);
  expect(faults).toHaveLength(50);
  expect(faults.filter((fault) => !/^wrong\d+: unknown parameter/.test(fault))).toEqual([]);
  expect(await faultsOf(`/api/${path}?${wrong(50)}`)).toEqual(faults);
  expect((await faultsOf(`/api/${path}?${wrong(49)}`)).at(-1)).toBe(`${required}: ${required} is required`);
});
