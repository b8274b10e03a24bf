/** Whoever reads after a write sees it, and everything that follows from it, wherever the record shows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WritableResource } from '../../api/contract/names.ts';
import type { JsonValue } from '../../api/write/strict-json.ts';
import { anyGoodRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../settings.ts';
import { anyBody } from './any-bodies.ts';
import { expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();

interface Listing {
  data: Record<string, JsonValue>[];
  pagination: { total: number };
}

/** The only value that a field has in all rows of a list. */
async function only(address: string, field: string): Promise<JsonValue | undefined> {
  const { data } = await running.service.read<Listing>(address);
  expect(data.length, address).toBeGreaterThan(0);
  expect(new Set(data.map((row) => row[field])).size, address).toBe(1);
  return data[0]![field];
}
const total = async (address: string) => (await running.service.read<Listing>(address)).pagination.total;
const change = async (address: string, body: Record<string, JsonValue>) =>
  expect((await running.service.write('PATCH', address, body)).status).toBe(200);

describe('a new name shows in the list, on every page, in the ranking and in the search, and the old one nowhere:', () => {
  it('of a film', async () => {
    await change('/api/movies/38', { title: 'Renamed Quokka' });
    expect(await only('/api/movies?title=quokka', 'id')).toBe(38);
    expect(await running.service.read('/api/movies/38')).toMatchObject({
      title: 'Renamed Quokka',
      nominations: [{ movie: 'Renamed Quokka' }, { movie: 'Renamed Quokka' }, { movie: 'Renamed Quokka' }],
    });
    expect(await only('/api/nominations?movie_ids=38', 'movie')).toBe('Renamed Quokka');
    expect(await only('/api/search?q=quok', 'movie')).toBe('Renamed Quokka');
    expect(await total('/api/search?q=the%20the%20song')).toBe(1);
    const { data } = await running.service.read<Listing>('/api/stats/top-movies?limit=100');
    expect(data.find((row) => row.movie_id === 38)!.movie).toBe('Renamed Quokka');
    await expectShown(
      running.service,
      '/api/nominations/5',
      '/api/nominees/1',
      '/api/categories/3',
      '/api/songs/1',
    );
  });

  it('of a nominee', async () => {
    await change('/api/nominees/1', { name: 'Renamed Numbat' });
    expect(await only('/api/nominees?name=numbat', 'id')).toBe(1);
    expect(await only('/api/nominations?nominee_ids=1', 'nominee')).toBe('Renamed Numbat');
    expect(await only('/api/search?q=numbat', 'nominee_id')).toBe(1);
    const { data } = await running.service.read<Listing>('/api/stats/top-nominees?limit=100');
    expect(data.find((row) => row.nominee_id === 1)!.nominee).toBe('Renamed Numbat');
    await expectShown(
      running.service,
      '/api/nominations/1',
      '/api/movies/1',
      '/api/nominees/1',
      '/api/songs/1',
    );
  });

  it('of a song', async () => {
    await change('/api/songs/1', { original_title: 'Renamed Bilby' });
    expect(await only('/api/songs?title=bilby', 'id')).toBe(1);
    expect(await only('/api/nominations?is_song=true&movie_ids=38&nominee_ids=1', 'song_title')).toBe(
      'Renamed Bilby',
    );
    await expectShown(
      running.service,
      '/api/nominations/5',
      '/api/songs/1',
      '/api/movies/38',
      '/api/nominees/2',
    );
  });

  it('and so does another year of a ceremony', async () => {
    const before = await total('/api/nominations?year=1930');
    await change('/api/ceremonies/2', { ceremony_year: 1957 });
    expect(await total('/api/nominations?year=1930')).toBe(before - 3);
    expect(await only('/api/nominations?year=1957', 'ceremony_id')).toBe(2);
    expect(await total('/api/search?q=numbat&year=1957')).toBe(1);
    await expectShown(
      running.service,
      ...['/api/ceremonies', '/api/ceremonies?year=1957', '/api/movies?yearStart=1950&yearEnd=1960'],
      ...['/api/stats/top-movies?yearStart=1957&yearEnd=1957', '/api/stats/top-nominees?yearEnd=1956'],
      ...['/api/nominations/4', '/api/nominees/7', '/api/movies/24', '/api/songs/1', '/api/categories/3'],
    );
  });
});

it('a nomination that is won, moved or added counts in the rankings from then on', async () => {
  const wins = async () => {
    const { data } = await running.service.read<Listing>('/api/stats/top-nominees?limit=100&sort=wins');
    return data.find((row) => row.nominee_id === 7)!.total_wins;
  };
  const before = await wins();
  await change('/api/nominations/4', { winner: true });
  expect(await wins()).toBe(Number(before) + 1);
  await change('/api/nominations/4', { nominee_id: 3, movie_id: 45 });
  expect(await wins()).toBe(before);
  const body = { id: 777, ceremony_id: 1, category_id: 1, movie_id: 45, nominee_id: 7, winner: true };
  expect((await running.service.write('POST', '/api/nominations', body)).status).toBe(201);
  expect(await wins()).toBe(Number(before) + 1);
  await expectShown(
    running.service,
    ...[
      '/api/stats/top-movies?limit=100',
      '/api/stats/top-nominees?category=actor',
      '/api/search?q=nominations',
    ],
    ...['/api/movies/45', '/api/movies/24', '/api/nominees/7', '/api/nominees/3', '/api/nominations/777'],
  );
});

it('the name of a category cannot be written, neither there nor in a nomination', async () => {
  expect((await running.service.write('PATCH', '/api/categories/1', { category_name: 'x' })).status).toBe(
    405,
  );
  expect((await running.service.write('POST', '/api/categories', { category_name: 'x' })).status).toBe(405);
  expect((await running.service.write('PATCH', '/api/nominations/1', { category: 'x' })).status).toBe(422);
  await expectShown(running.service, '/api/categories', '/api/categories/1', '/api/nominations/1');
});

it('whatever is changed, whatever is read next is answered from it', async () => {
  const targets: [WritableResource, number[]][] = [
    ['nominations', [1, 5, 8, 2047, Number.MAX_SAFE_INTEGER]],
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
      const questions = gen(() => fc.array(anyGoodRequest(record), { minLength: 4, maxLength: 4 }));
      const addresses = questions.map(({ path, queryString }) =>
        queryString ? `${path}?${queryString}` : path,
      );
      await expectShown(running.service, address, ...addresses.filter((it) => /^[\x21-\x7e]*$/.test(it)));
    }),
    { numRuns: runs(25) },
  );
});
