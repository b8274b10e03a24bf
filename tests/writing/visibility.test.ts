/** After a write, GET shows it and everything derived from it, wherever the record appears. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { WritableResource } from '../../api/contract/names.ts';
import { anyGoodRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../settings.ts';
import { anyBody } from './random-bodies.ts';
import { expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();

interface Listing {
  data: Record<string, JsonValue>[];
  pagination: { total: number };
}

const change = async (address: string, body: Record<string, JsonValue>) =>
  expect((await running.service.write('PATCH', address, body)).status).toBe(200);

/** Fails unless a list has rows, and all have the value in the field. */
async function expectOnly(address: string, field: string, value: JsonValue): Promise<void> {
  const { data } = await running.service.read<Listing>(address);
  expect([...new Set(data.map((row) => row[field]))], address).toEqual([value]);
}

const ranking = '/api/stats/top-movies?yearStart=1957&yearEnd=1957';
describe('a new name is shown in lists, pages, rankings and search, and the old one nowhere:', () => {
  it.each([
    {
      of: 'a film',
      sent: ['/api/movies/38', { title: 'Renamed Quokka' }],
      rows: [
        ['/api/movies?title=quokka', 'id', 38],
        ['/api/nominations?movie_ids=38', 'movie', 'Renamed Quokka'],
        ['/api/search?q=quok', 'movie', 'Renamed Quokka'],
      ],
      shown:
        '/api/movies/38 /api/nominations/5 /api/nominees/1 /api/categories/3 /api/songs/1 /api/stats/top-movies',
    },
    {
      of: 'a nominee',
      sent: ['/api/nominees/1', { name: 'Renamed Numbat' }],
      rows: [
        ['/api/nominees?name=numbat', 'id', 1],
        ['/api/nominations?nominee_ids=1', 'nominee', 'Renamed Numbat'],
        ['/api/search?q=numbat', 'nominee_id', 1],
      ],
      shown:
        '/api/nominees/1 /api/nominations/1 /api/movies/1 /api/songs/1 /api/stats/top-nominees?limit=100',
    },
    {
      of: 'a song',
      sent: ['/api/songs/1', { original_title: 'Renamed Bilby' }],
      rows: [
        ['/api/songs?title=bilby', 'id', 1],
        ['/api/nominations?is_song=true&movie_ids=38&nominee_ids=1', 'song_title', 'Renamed Bilby'],
      ],
      shown: '/api/songs/1 /api/nominations/5 /api/movies/38 /api/nominees/2 /api/search?q=the%20the%20song',
    },
    {
      of: 'a year',
      sent: ['/api/ceremonies/2', { ceremony_year: 1957 }],
      rows: [
        ['/api/nominations?year=1957', 'ceremony_id', 2],
        ['/api/search?q=numbat&year=1957', 'ceremony_year', 1957],
      ],
      shown: `/api/ceremonies /api/ceremonies?year=1957 /api/movies?yearStart=1950&yearEnd=1960 ${ranking} /api/nominations?year=1930
        /api/stats/top-nominees?yearEnd=1956 /api/nominations/4 /api/nominees/7 /api/movies/24 /api/songs/1 /api/categories/3`,
    },
  ] as const)('of $of', async ({ sent: [address, body], rows, shown }) => {
    await change(address, body);
    for (const [list, field, value] of rows) await expectOnly(list, field, value);
    await expectShown(running.service, ...shown.split(/\s+/));
  });
});

it('a nomination that is won, moved or added counts in the rankings', async () => {
  const wins = async () => {
    const { data } = await running.service.read<Listing>('/api/stats/top-nominees?limit=100&sort=wins');
    return Number(data.find((row) => row.nominee_id === 7)!.total_wins);
  };
  const before = await wins();
  await change('/api/nominations/4', { winner: true });
  expect(await wins()).toBe(before + 1);
  await change('/api/nominations/4', { nominee_id: 3, movie_id: 45 });
  expect(await wins()).toBe(before);
  const body = { id: 777, ceremony_id: 1, category_id: 1, movie_id: 45, nominee_id: 7, winner: true };
  expect((await running.service.write('POST', '/api/nominations', body)).status).toBe(201);
  expect(await wins()).toBe(before + 1);
  const shown = `/api/stats/top-movies?limit=100 /api/stats/top-nominees?category=actor /api/search?q=nominations /api/movies/45
    /api/movies/24 /api/nominees/7 /api/nominees/3 /api/nominations/777`;
  await expectShown(running.service, ...shown.split(/\s+/));
});

it('the name of a category cannot be written', async () => {
  for (const [method, address, body, status] of [
    ['PATCH', '/api/categories/1', { category_name: 'x' }, 405],
    ['POST', '/api/categories', { category_name: 'x' }, 405],
    ['PATCH', '/api/nominations/1', { category: 'x' }, 422],
  ] as const)
    expect((await running.service.write(method, address, body)).status).toBe(status);
  await expectShown(running.service, '/api/categories', '/api/categories/1', '/api/nominations/1');
});

it('after any change, any request is answered from it', async () => {
  const targets: [WritableResource, number[]][] = [
    ['nominations', [1, 5, 8, 8191, Number.MAX_SAFE_INTEGER]],
    ['ceremonies', [1, 2, 3]],
    ['movies', [1, 3, 38, Number.MAX_SAFE_INTEGER]],
    ['nominees', [1, 3, 77]],
    ['songs', [1, 2, Number.MAX_SAFE_INTEGER]],
  ];
  const anyChange = fc.constantFrom(...targets).chain(([resource, ids]) =>
    fc.record({
      address: fc.constantFrom(...ids).map((id) => `/api/${resource}/${id}`),
      body: anyBody(resource).map(({ id: _, ...rest }) => rest),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anyChange, fc.gen(), async ({ address, body }, gen) => {
      await change(address, body);
      const record = loadPlainRecord(running.service.connection);
      const requests = gen(() => fc.array(anyGoodRequest(record), { minLength: 4, maxLength: 4 }));
      const addresses = requests.map(({ path, queryString }) =>
        queryString ? `${path}?${queryString}` : path,
      );
      await expectShown(running.service, address, ...addresses.filter((it) => /^[\x21-\x7e]*$/.test(it)));
    }),
    { numRuns: runs(25) },
  );
});
