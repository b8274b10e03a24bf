/** Every list of films for media tools holds what the record says, as JSON and as RSS. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { updateRecord } from '../../data/record/edits.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { loadPlainRecord, type PlainRecord } from '../records/record.ts';
import { viewOf } from '../records/oracle/view.ts';
import { build } from '../records/build.ts';
import { markGiven } from '../records/given.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { type Fill, memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

const at = useWorkspace();
const origin = 'https://awards.example';
const update = (connection: Connection, out: string) => build(connection, out, { layers: ['lists'], origin });

interface Entry {
  title: string;
  kind: 'winners' | 'nominees';
  category_id: number | null;
  ceremony_id: number | null;
  films: number;
  json: string;
  rss: string;
}

const read = (out: string, path: string) => readFileSync(join(out, path), 'utf8');
const json = <T>(out: string, path: string) => JSON.parse(read(out, path)) as T;
const entries = (out: string) => json<{ data: Entry[]; count: number }>(out, 'lists/index.json');

/** The films of a list by plain loops: id, and what the list shows. */
function expectedFilms(record: PlainRecord, { kind, category_id, ceremony_id }: Entry) {
  const yearOf = new Map(record.ceremonies.map((it) => [it.id, it.ceremony_year]));
  const own = record.nominations.filter(
    (it) =>
      (kind === 'nominees' || it.winner) &&
      (record.details.get(it.id)!.official || it.ceremony_id === 2) &&
      (category_id === null ? it.ceremony_id === ceremony_id : it.category_id === category_id),
  );
  const latest = (id: number) =>
    own
      .filter((it) => it.movie_id === id)
      .map((it) => [yearOf.get(it.ceremony_id)!, it.ceremony_id] as const)
      .sort(([a, one], [b, other]) => b - a || other - one)[0]!;
  const films = record.movies
    .filter((it) => it.filmindex_id !== null && own.some(({ movie_id }) => movie_id === it.id))
    .map((it) => ({ ...it, latest: latest(it.id) }))
    .sort((a, b) => b.latest[0] - a.latest[0] || b.latest[1] - a.latest[1] || a.id - b.id);
  return films
    .filter((it, place) => films.findIndex((other) => other.filmindex_id === it.filmindex_id) === place)
    .map(({ id, title, filmindex_id, poster_path, release_date }) => ({
      id,
      years: viewOf(record).filmYears(id)!,
      shown: {
        title,
        imdb_id: filmindex_id,
        ...(poster_path !== null && { poster_url: poster_path }),
        year: release_date === null ? viewOf(record).filmYear(id)! : Number(release_date.slice(0, 4)),
      },
    }));
}

/** As XML can hold it. */
const inXml = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

function expectedFeed(
  { title, category_id, ceremony_id }: Entry,
  films: ReturnType<typeof expectedFilms>,
): string {
  const topic = category_id === null ? `ceremonies/${ceremony_id}` : `categories/${category_id}`;
  const items = films.map(
    ({ id, shown, years }) =>
      `<item><title>${inXml(shown.title)} (${years})</title>` +
      `<link>https://www.imdb.com/title/${inXml(shown.imdb_id!)}/</link>` +
      `<guid isPermaLink="false">${inXml(shown.imdb_id!)}</guid>` +
      `<comments>${origin}/movies/${id}</comments></item>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
<channel>
<title>${inXml(title)}</title>
<link>${origin}/${topic}</link>
<description>Films of ${inXml(title)}, newest first.</description>
${items.join('')}</channel>
</rss>
`;
}

function testLists(fill: Fill, out: string): void {
  let record: PlainRecord;
  beforeAll(async () => {
    const connection = memoryDatabase(fill);
    record = loadPlainRecord(connection);
    await update(connection, out);
  });

  it('the index names the lists of every category and ceremony, each once', () => {
    const { data, count } = entries(out);
    expect(count).toBe(2 * (record.categories.length + record.ceremonies.length));
    expect(new Set(data.flatMap((it) => [it.json, it.rss])).size).toBe(2 * count);
    expect(new Set(data.map((it) => `${it.category_id} ${it.ceremony_id} ${it.kind}`)).size).toBe(count);
    for (const it of data)
      expect([it.json, it.rss].join(' ')).toMatch(/^(\/lists\/[a-z0-9-]+\/\w+\.(json|rss) ?){2}$/);
  });

  it('each list holds the films with a known id, newest first, each once; its feed holds the same', () => {
    for (const entry of entries(out).data) {
      const expected = expectedFilms(record, entry);
      expect(json(out, entry.json), entry.title).toEqual(expected.map(({ shown }) => shown));
      expect(entry.films).toBe(expected.length);
      expect(read(out, entry.rss)).toBe(expectedFeed(entry, expected));
    }
  });
}

it('nominations that are not official are in no list, but those of the second ceremony', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  connection.exec("UPDATE movies SET filmindex_id = 'tt' || id; UPDATE nominations SET official = 0");
  await update(connection, at('unofficial'));
  const listed = (path: string) => json<unknown[]>(at('unofficial'), `lists/${path}.json`).length;
  expect(['ceremony-1', 'ceremony-2'].map((own) => listed(`${own}/nominees`))).toEqual([0, 2]);
  expect(['ceremony-1', 'ceremony-2'].map((own) => listed(`${own}/winners`))).toEqual([0, 1]);
  expect(['actress', 'ecriture'].map((own) => listed(`${own}/nominees`))).toEqual([1, 1]);
});

describe('the nasty record', () => testLists(fillWithNastyRecord, at('nasty')));
describe('a generated record', () =>
  testLists((connection) => generateRecord(connection, { scale: 0.03, seed: 8 }), at('generated')));

it('a new name moves the lists of a category; categories of one slug keep lists of their own', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const slugs = async (sql: string) => {
    connection.exec(sql);
    await update(connection, at('slugs'));
    return entries(at('slugs')).data.flatMap((it) => (it.category_id ? it.json.split('/')[2]! : []));
  };
  expect(await slugs('')).toEqual(['actress', 'ecriture', 'music-original-song'].flatMap((it) => [it, it]));
  expect(await slugs("UPDATE categories SET category_name = 'ACTRESS!' WHERE id = 3")).toEqual(
    ['actress', 'ecriture', 'actress-3'].flatMap((it) => [it, it]),
  );
  await slugs("UPDATE categories SET category_name = 'Actor' WHERE id = 1");
  expect(() => read(at('slugs'), 'lists/actress-3/winners.json')).toThrow('ENOENT');
});

it('a feed shows the film years as the source writes them, a list for programs the year of the release', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  connection.exec("UPDATE ceremonies SET film_years = '1927/28' WHERE id = 1");
  await update(connection, at('years'));
  // The film of the second ceremony keeps the years of its first.
  for (const topic of ['ceremony-1', 'ceremony-2', 'actress', 'ecriture']) {
    const titles = read(at('years'), `lists/${topic}/nominees.rss`).match(/(?<=<item><title>)[^<]+/g);
    expect([topic, titles]).toEqual([topic, ['Amélie (1927/28)']]);
    expect(json(at('years'), `lists/${topic}/nominees.json`)).toMatchObject([{ year: 2001 }]);
  }
});

it('a poster and a date that may not be passed on are not in a list, and come when they may be', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const poster = 'https://image.example/1.jpg';
  updateRecord(connection, 'movies', 1, { poster_path: poster, release_date: '2001-05-06' });
  const shown = async () => {
    await update(connection, at('restricted'));
    return json<object[]>(at('restricted'), 'lists/actress/winners.json');
  };
  const film = { title: 'Amélie', imdb_id: 'tt0211915' };
  expect(await shown()).toEqual([{ ...film, poster_url: poster, year: 2001 }]);
  markGiven(connection, 'movies', 1, ['poster_path', 'release_date'], 'tmdb');
  // The year of the films that its ceremony honored.
  expect(await shown()).toEqual([{ ...film, year: 1928 }]);
  connection.exec('DELETE FROM given');
  expect(await shown()).toEqual([{ ...film, poster_url: poster, year: 2001 }]);
});
