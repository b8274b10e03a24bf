/**
 * Promise: where some nominations are not official, the site agrees with itself: a list by most nominations or wins is in the
 * order of the numbers that its rows show.
 */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { useInProcess } from '../support/running-service.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

/** Two films and people with three nominations each; one of the first is not official. A film won only by write-in votes. */
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
      (2, 2, 4, 5, 1, 0);`);
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
    ['sort=-wins', /(\d+) win/, -1],
    ['sort=wins', /(\d+) win/, 1],
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
