/**
 * Promise: where some nominations are not official, the site agrees with itself and with the API: a list by most nominations or
 * wins is in the order of the numbers that its rows show, and what a record has won is one sentence everywhere.
 */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { useInProcess } from '../support/running-service.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

/** Two films and people with three nominations each; one of the first is not official. A film won three times, only by write-in votes. */
function fill(connection: Connection): void {
  fillWithTinyRecord(connection);
  connection.exec(`
    DELETE FROM nominations;
    INSERT INTO movies (id, title) VALUES (4, 'Write-ins');
    INSERT INTO nominees (id, name, filmindex_id) VALUES (5, 'Ann Writer', 'nm0000005');
    UPDATE movies SET filmindex_id = 'tt000000' || id WHERE id > 1;
    INSERT INTO nominations (ceremony_id, category_id, movie_id, nominee_id, winner, official) VALUES
      (1, 1, 1, 1, 1, 1), (1, 2, 1, 1, 1, 0), (2, 1, 1, 1, 0, 1),
      (1, 1, 2, 4, 1, 1), (1, 2, 2, 4, 0, 1), (2, 1, 2, 4, 0, 1),
      (2, 2, 3, 2, 0, 0),
      (2, 2, 4, 5, 1, 0), (1, 1, 4, 5, 1, 0), (1, 2, 4, 5, 1, 0);`);
}

const running = useInProcess({}, fill, ['site', 'by-imdb']);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const bodyAt = async (path: string) => String((await running.service.ask(path)).body);
/** The text of each row of a list. */
async function rowsAt(path: string): Promise<string[]> {
  const [, list = ''] = /<section id="results"[^>]*>([\s\S]*?)<\/section>/.exec(await bodyAt(path)) ?? [];
  return [...list.matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)].map(([, row]) => textOf(row!));
}

describe.each(['/movies', '/nominees'])('%s', (path) => {
  it.each([
    ['', /(\d+) nomination/, -1],
    ['sort=-entries', /(\d+) nomination/, -1],
    ['sort=entries', /(\d+) nomination/, 1],
    ['sort=%2Dentries', /(\d+) nomination/, -1],
    ['sort=-wins', /Won (\d+) of/, -1],
    ['sort=wins', /Won (\d+) of/, 1],
  ])('?%s is in the order of the numbers in its rows', async (query, number, sign) => {
    const rows = await rowsAt(`${path}?${query}`);
    const numbers = rows.map((row) => Number(number.exec(row)?.[1] ?? 0));
    expect(new Set(numbers).size, rows.join('\n')).toBeGreaterThan(1);
    expect(numbers, rows.join('\n')).toEqual([...numbers].sort((a, b) => sign * (a - b)));
  });

  it('by most nominations has all records once, page by page, and says how the API sorts', async () => {
    const pages = await Promise.all([1, 2].map((page) => rowsAt(`${path}?limit=2&page=${page}`)));
    expect(pages.flat()).toEqual((await rowsAt(path)).slice(0, 4));
    expect(await bodyAt(path)).toContain('The API sorts by all nominations');
    expect(await bodyAt(`${path}?sort=-id`)).not.toContain('The API sorts by all nominations');
  });
});

it.each([
  ['tt0000004', '/movies/4', '/movies', '/search?q=write-ins', 'Won 3 awards without an official nomination'],
  ['tt0211915', '/movies/1', '/movies', '/search?q=amelie', undefined],
  ['nm0000001', '/nominees/1', '/nominees', '/search?q=ann', undefined],
  ['nm0000005', '/nominees/5', '/nominees', '/search?q=ann', undefined],
])('%s is told in the sentence of its file: on its page, in lists, in the search', async (...row) => {
  const [imdbId, path, list, search, expected] = row;
  const { summary } = JSON.parse(await bodyAt(`/by-imdb/${imdbId}.json`)) as { summary: string };
  if (expected !== undefined) expect(summary).toBe(expected);
  const { headers } = await running.service.ask(path);
  const page = String(headers.location ?? path);
  const html = await bodyAt(page);
  expect(textOf(/<p class="tally">(.*?)<\/p>/.exec(html)![1]!).replace(/ · [\d–]+$/, '')).toBe(summary);
  expect(/<meta name="description" content="[^:"]*: ([^"]*)"/.exec(html)![1]).toMatch(
    new RegExp(`^${summary.replaceAll(/[()]/g, '\\$&')}[.,]`),
  );
  const rowIn = async (address: string, pattern: RegExp) => {
    const rows = [...(await bodyAt(address)).matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)];
    const [, own] = rows.find(([, inner]) => inner!.includes(`href="${page}"`))!;
    return textOf(pattern.exec(own!)![1]!);
  };
  expect(await rowIn(list, /<span class="numbers">(.*)<\/span>/)).toBe(summary);
  expect((await rowIn(search, /<span class="detail"[^>]*>(.*?)<\/span>/)).split(' · ').at(-1)).toBe(summary);
});
