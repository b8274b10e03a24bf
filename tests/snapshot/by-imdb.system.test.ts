/** The promise: the file of an IMDb id is the record that the API answers for it, with a summary, and follows every change. */
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { type ApiProblem, createClient } from '../../api/client/index.ts';
import { type ByImdbIndex, documentSchemas } from '../../api/contract/answers.ts';
import {
  summaryTemplates,
  unofficialTemplates,
  unofficialWinTemplates,
} from '../../api/contract/award-summary.ts';
import type { Honor, Nomination } from '../../api/contract/resources.ts';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Connection } from '../../data/database/open.ts';
import { updateRecord } from '../../data/record/edits.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { answerAt, build, verify } from '../records/build.ts';
import { type Fill, memoryDatabase } from '../records/databases.ts';
import { markGiven } from '../records/given.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { countsOf } from '../records/oracle/oracle.ts';
import { type View, viewOf } from '../records/oracle/view.ts';
import { loadPlainRecord } from '../records/record.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree } from '../records/tree.ts';
import { faultsBySchema } from '../support/openapi-described.ts';
import { builtFolder, expectProblem, inProcess } from '../support/running-service.ts';
import { startStaticHost } from '../support/static-host.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const layers = ['by-imdb'] as const;
const poster = 'https://image.example/1.jpg';

interface ByImdb {
  id: number;
  counts: { entries: number; wins: number };
  official_counts: { entries: number; wins: number; unofficial: number; unofficial_wins: number };
  nominations: Nomination[];
  honors: Honor[];
  summary: string;
}

/** The official entries of a record, and the others. */
function officialCounts(view: View, { nominations }: ByImdb): ByImdb['official_counts'] {
  const all = countsOf(view, nominations);
  const isOfficial = ({ id }: Nomination) => view.record.details.get(id)!.official;
  const { entries, wins } = countsOf(view, nominations.filter(isOfficial));
  return { entries, wins, unofficial: all.entries - entries, unofficial_wins: all.wins - wins };
}

/** In words of its own. */
function expectedSummary({ entries, wins, unofficial, unofficial_wins }: ByImdb['official_counts']): string {
  if (entries === 0 && unofficial_wins > 0)
    return `Won ${unofficial_wins} award${unofficial_wins === 1 ? '' : 's'} without an official nomination`;
  const nominations = `${entries} nomination${entries === 1 ? '' : 's'}`;
  const text = wins === 0 ? `${nominations}, no win` : `Won ${wins} of ${nominations}`;
  const rest = unofficial_wins > 0 ? `, of which ${unofficial_wins} won` : '';
  return (
    (entries === 0 ? 'No nominations' : text) + (unofficial > 0 ? ` (${unofficial} not official${rest})` : '')
  );
}

/** Shared ids, ids of any length, a value that may not be passed on, and texts that only a program without checks stores. */
function fillWithOddIds(connection: Connection): void {
  fillWithNastyRecord(connection);
  connection.exec('UPDATE nominations SET official = 0 WHERE winner = 0 AND id % 2 = 0');
  // A person who won several awards, and none by an official nomination.
  connection.exec('UPDATE nominations SET official = 0, winner = 1 WHERE nominee_id = 65536');
  updateRecord(connection, 'movies', 27, { poster_path: poster });
  markGiven(connection, 'movies', 27, ['poster_path'], 'tmdb');
  connection.pragma('ignore_check_constraints = ON');
  const ids = [...[20, 21].map((digits) => `tt${'1'.repeat(digits)}`), 'tt', 'tt1/../x', 'TT1', 'tt1\n', ''];
  const insert = connection.prepare("INSERT INTO movies (id, title, filmindex_id) VALUES (?, 'x', ?)");
  for (const [i, id] of ids.entries()) insert.run(5000 + i, id);
}

const records: [string, Fill][] = [
  ['the nasty record', fillWithOddIds],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.02, seed: 8 })],
  ['the sample', fillWithSample],
];

describe.each(records)('%s', (name, fill) => {
  it('has a file for each IMDb id, with the answer of the API and its summary', async () => {
    const connection = memoryDatabase(fill);
    await build(connection, at(name), { layers });
    const plain = loadPlainRecord(connection);
    const { movies, nominees } = plain;
    const ids = [...movies, ...nominees].flatMap(({ filmindex_id: id }) =>
      id !== null && /^(tt|nm|co)\d{1,20}$/.test(id) ? [id] : [],
    );
    const files = readTree(at(`${name}/by-imdb`));
    const index = JSON.parse(files.get('index.json')!.toString()) as ByImdbIndex;
    files.delete('index.json');
    expect(faultsBySchema('/components/schemas/ByImdbIndex', index)).toEqual([]);
    const listed: ByImdbIndex['data'] = {};
    expect(files.size).toBeGreaterThan(10);
    expect([...files.keys()].sort()).toEqual([...new Set(ids)].sort().map((id) => `${id}.json`));
    const resolver = new Resolver(fileSource(at(name)));
    for (const [file, bytes] of files) {
      const id = file.replace('.json', '');
      const list = id.startsWith('tt') ? 'movies' : 'nominees';
      const include = list === 'movies' ? 'nominations,counts,film_year' : 'nominations,counts';
      const { body } = await answerAt(resolver, `/api/${list}?filmindex_id=${id}&include=${include}`);
      const [record] = (JSON.parse(new TextDecoder().decode(body!)) as { data: ByImdb[] }).data;
      const official_counts = officialCounts(viewOf(plain), record!);
      const honors = plain.honors.filter((honor) =>
        list === 'movies' ? honor.movie_id === record!.id : honor.nominee_ids.includes(record!.id),
      );
      const expected = { ...record, honors, official_counts, summary: expectedSummary(official_counts) };
      expect(bytes.toString()).toBe(JSON.stringify(expected));
      listed[id] = [record!.id, official_counts.entries, official_counts.wins];
      expect(faultsBySchema('/components/schemas/RecordByImdb', expected), file).toEqual([]);
    }
    expect(index).toEqual({ data: listed, count: files.size });
    expect(Object.keys(index.data)).toEqual(Object.keys(index.data).sort());
  });
});

it('the first of two records has the id; what may not be passed on is there as in the API', () => {
  const file = readTree(at('the nasty record/by-imdb')).get('tt0211915.json')!;
  expect(JSON.parse(file.toString())).toMatchObject({ id: 27, poster_path: poster });
});

it('an honor is in the file of its film and of each of its people', () => {
  const files = [...readTree(at('the nasty record/by-imdb'))].filter(([file]) => file !== 'index.json');
  const having = files.flatMap(([file, bytes]) => {
    const { id, honors } = JSON.parse(bytes.toString()) as ByImdb;
    const of = file.startsWith('tt') ? 'film' : 'person';
    return honors.map((honor) => `${honor.id} of ${of} ${id}`);
  });
  expect(having.sort()).toEqual([
    ...['1 of film 27', '1 of person 1', '1 of person 25', '255 of person 9007199254740991'],
    ...['256 of person 77', '8192 of film 24', '8192 of person 7', '8194 of film 1', '8194 of person 1'],
  ]);
});

it('the summaries have all forms of the table and no other, as the document says', () => {
  const files = records.flatMap(([name]) =>
    [...readTree(at(`${name}/by-imdb`))].flatMap(([file, bytes]) => (file === 'index.json' ? [] : [bytes])),
  );
  const found = files.map((bytes) => JSON.parse(bytes.toString()) as ByImdb);
  const [own, endings] = [summaryTemplates, unofficialTemplates].map((all) => Object.values<string>(all));
  const forms = [...own!, ...Object.values(unofficialWinTemplates)];
  const inGeneral = (text: string) => text.replaceAll(/\d+|\{\w+\}/g, '#');
  const given = found.map(({ summary }) => inGeneral(summary).split(/(?= \()/));
  expect([...new Set(given.map(([form]) => form))].sort()).toEqual(forms.map(inGeneral).sort());
  const ends = new Set(given.flatMap(([, ending]) => ending ?? []));
  expect([...ends].sort()).toEqual(endings!.map(inGeneral).sort());
  for (const name of ['MovieByImdb', 'NomineeByImdb'] as const) {
    const { description } = documentSchemas[name].properties.summary as { description?: string };
    for (const form of [...forms, ...endings!]) expect(description).toContain(`"${form}"`);
  }
  for (const summary of ['Won 11', 'Won 1 of 2 nominations!', ''])
    expect(faultsBySchema('/components/schemas/RecordByImdb', { ...found[0], summary })).not.toEqual([]);
});

it('a media server reads the awards of its library from plain files, by the ids of its own', async () => {
  const host = await startStaticHost(at('the sample'));
  onTestFinished(host.stop);
  const client = createClient({ baseUrl: host.origin });
  // As such a server keeps them beside a film. The sample has a part of the record.
  const library =
    '<id type="imdb">tt0120338</id> <id type="imdb">tt0000000</id> <id type="imdb">nm0000138</id>';
  const asked = [...library.matchAll(/"imdb">(\w+)</g)].map(async ([, id]) => {
    const found = await client.get(`/by-imdb/${id!}.json`).catch((error: ApiProblem) => error);
    return 'summary' in found ? found.summary : found.status;
  });
  expect(await Promise.all(asked)).toEqual(['Won 2 of 2 nominations', 404, 'Won 1 of 2 nominations']);
});

it('a change renders the film and its nominees alone', async () => {
  const [connection, out] = [memoryDatabase(fillWithSample), at('the sample')];
  const { movies, nominees, nominations } = loadPlainRecord(connection);
  const { id } = movies.find((it) => it.title === 'Titanic')!;
  const own = new Set(nominations.flatMap((it) => (it.movie_id === id ? [it.nominee_id] : [])));
  const shown = nominees.filter((it) => own.has(it.id) && it.filmindex_id !== null);
  await build(connection, out, { layers });
  connection.exec("UPDATE movies SET tagline = 'x' WHERE title = 'Titanic'");
  const [report] = (await build(connection, out, { layers })).layers;
  expect(report).toMatchObject({ rendered: 1 + shown.length, files: [{ path: 'by-imdb/tt0120338.json' }] });
});

const film = 'tt0211915';
const sameId = `UPDATE movies SET filmindex_id = '${film}' WHERE id = 2`;
const addHonor = `INSERT INTO honors (ceremony_id, class, category, movie_id, nominee_ids)
  VALUES (1, 'Special', 'A', 1, '[1]')`;
const nomineeGoes = 'DELETE FROM nominees WHERE id = 3';

// Of the tiny record: the ids whose files are written and removed. An edit can need another one before the first build.
test.each<[what: string, edit: string, written: string, removed?: string, before?: string]>([
  ['a biography', "UPDATE nominees SET biography = 'x' WHERE id = 1", 'nm0000001'],
  ['a title', "UPDATE movies SET title = 'x' WHERE id = 1", `co0000003 nm0000001 ${film}`],
  ['the name of a nominee without an id', "UPDATE nominees SET name = 'x' WHERE id = 2", film],
  ['a song', "UPDATE songs SET original_title = 'x'", 'nm4'],
  ['a category', "UPDATE categories SET category_name = 'x' WHERE id = 1", `nm0000001 ${film}`],
  ['a win', 'UPDATE nominations SET winner = 1 WHERE id = 5', `co0000003 ${film}`],
  ['the film of a nomination', 'UPDATE nominations SET movie_id = 3 WHERE id = 5', `co0000003 ${film}`],
  ['entries that part', 'UPDATE nominations SET entry = id WHERE id IN (5, 6)', film],
  ['entries that join', 'UPDATE nominations SET entry = 1', film, '', 'UPDATE nominations SET entry = id'],
  ['a group, by which entries count', "UPDATE categories SET category_group = 'Acting'", film],
  ['a film year', "UPDATE ceremonies SET film_years = '1925/26' WHERE id = 1", film],
  [
    'a competitive honor, and so a film year',
    "INSERT INTO honors (ceremony_id, class, category, movie_id) VALUES (1, 'Competitive', 'A', 1)",
    film,
  ],
  ['an honor of a film and a person', addHonor, `nm0000001 ${film}`],
  ['an honor that goes', 'DELETE FROM honors', `nm0000001 ${film}`, '', addHonor],
  ['the citation of an honor', "UPDATE honors SET citation = 'x'", `nm0000001 ${film}`, '', addHonor],
  ['the people of an honor', "UPDATE honors SET nominee_ids = '[4]'", `nm0000001 nm4 ${film}`, '', addHonor],
  [
    'the film of an honor',
    'UPDATE honors SET movie_id = 4',
    `nm0000001 ${film} tt4`,
    '',
    `${addHonor}; INSERT INTO movies (id, title, filmindex_id) VALUES (4, 'D', 'tt4')`,
  ],
  [
    'the title of the film of an honor',
    "UPDATE movies SET title = 'x' WHERE id = 4",
    'nm0000001 tt4',
    '',
    `INSERT INTO movies (id, title, filmindex_id) VALUES (4, 'D', 'tt4');
     ${addHonor}; UPDATE honors SET movie_id = 4`,
  ],
  [
    'the year of the ceremony of an honor',
    'UPDATE ceremonies SET ceremony_year = 1931 WHERE id = 3',
    `nm0000001 ${film}`,
    '',
    `INSERT INTO ceremonies (id, ceremony_year) VALUES (3, 1932); ${addHonor}; UPDATE honors SET ceremony_id = 3`,
  ],
  [
    'the film year of a film without nominations',
    "UPDATE ceremonies SET film_years = '1925/26' WHERE id = 2",
    'tt4',
    '',
    `INSERT INTO movies (id, title, filmindex_id) VALUES (4, 'D', 'tt4');
     INSERT INTO honors (id, ceremony_id, class, category, movie_id) VALUES (1, 2, 'Competitive', 'A', 4)`,
  ],
  [
    'a competitive honor of a film without nominations',
    "UPDATE honors SET class = 'Competitive'",
    'tt4',
    '',
    `INSERT INTO movies (id, title, filmindex_id) VALUES (4, 'D', 'tt4');
     INSERT INTO honors (id, ceremony_id, class, category, movie_id) VALUES (1, 2, 'Special', 'A', 4)`,
  ],
  ['a venue', "UPDATE ceremonies SET venue = 'x'", ''],
  ['a new id', "UPDATE movies SET filmindex_id = 'tt8' WHERE id = 3", 'tt8'],
  ['another id', "UPDATE movies SET filmindex_id = 'tt8' WHERE id = 1", 'tt8', film],
  ['no id', 'UPDATE movies SET filmindex_id = NULL WHERE id = 1', '', film],
  ['an id that moves', `UPDATE movies SET filmindex_id = NULL WHERE id = 1; ${sameId}`, film],
  ['a second record with the id', sameId, ''],
  ['a first record with the id', "UPDATE nominees SET filmindex_id = 'nm4' WHERE id = 2", 'nm4'],
  ['the first of two goes', 'UPDATE movies SET filmindex_id = NULL WHERE id = 1', film, '', sameId],
  ['the only one goes', `DELETE FROM nominations WHERE id = 5; ${nomineeGoes}`, film, 'co0000003'],
])(
  '%s: the files that show it, as in a clean build',
  async (what, edit, written, removed = '', before = '') => {
    const connection = memoryDatabase(fillWithTinyRecord);
    connection.exec(before);
    await build(connection, at(what), { layers });
    connection.exec(edit);
    const [report] = (await build(connection, at(what), { layers })).layers;
    const list = (action: string) =>
      report!.files
        .flatMap(({ path, action: own }) =>
          own === action && path !== 'by-imdb/index.json' ? [/^by-imdb\/(\w+)\.json$/.exec(path)![1]] : [],
        )
        .sort()
        .join(' ');
    expect([report!.scope, list('written'), list('removed')]).toEqual(['changes', written, removed]);
    expect((await verify(connection, at(what), layers)).differences).toEqual([]);
  },
);

test('an id that no record has is 404 in the words of a record, where the service has the files', async () => {
  const { out, connection } = await builtFolder(fillWithTinyRecord, ['by-imdb']);
  connection.close();
  const { ask, stop } = inProcess(out);
  onTestFinished(stop);
  const { detail, type } = expectProblem((await ask('/by-imdb/tt0000404.json')).body, 404);
  expect([detail, type]).toEqual([
    'there is no record with the IMDb id tt0000404',
    '/docs#problem-no-such-record',
  ]);
  expect(expectProblem((await ask('/by-imdb/titanic.json')).body, 404).type).toBe(
    '/docs#problem-unknown-address',
  );
});
