/**
 * A snapshot is a function of the record alone, and its pages are the answers of the service. The snapshot of a small record
 * with its pages is exactly docs/snapshot-fixture.txt, file by file. When the format or an answer changes on purpose, review
 * the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/snapshot/golden.system.test.ts && git diff docs/snapshot-fixture.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { noteGenerated } from '../../data/record/sources.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { build } from '../records/build.ts';
import { awards } from '../support/processes.ts';
import { runSeed } from '../records/seed.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import {
  type Fill,
  insertRow,
  memoryDatabase,
  rowsOf,
  tableNames,
  writeDatabase,
} from '../records/databases.ts';
import { addressOfPage, faultsOf } from '../records/named-files.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree, type Tree } from '../records/tree.ts';

const golden = new URL('../../docs/snapshot-fixture.txt', import.meta.url);
const at = useWorkspace();

test('the snapshot of the tiny record is the golden tree', async () => {
  await build(memoryDatabase(fillWithTinyRecord), at('golden'));
  const tree = readTree(at('golden'));
  // The fingerprint changes with every change of the code.
  const index = tree
    .get('layers/pages.json')!
    .toString()
    .replace(/"id":"[0-9a-f]{20}","code":"[0-9a-f]{64}"/, '"id":"(hash)","code":"(fingerprint)"');
  tree.set('layers/pages.json', Buffer.from(index));
  // Each file below a heading with its path. Every file is text, and ends with a line break.
  const text = [...tree].map(([path, bytes]) => `=== ${path}\n${bytes.toString()}`).join('');
  if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(golden, text);
  const files = readFileSync(golden, 'utf8').matchAll(/^=== (.+)\n((?:(?!=== ).*\n)*)/gm);
  expectSameTree(tree, new Map([...files].map(([, path, content]) => [path!, Buffer.from(content!)])));
});

/** The pages of records and lists that there must be, by counting rows. */
function expectedPages(connection: Connection): string[] {
  const select = (sql: string) => connection.prepare<[], { value: number; records: number }>(sql).all();
  const numbered = (folder: string, first: string, records: number, limit: number) =>
    Array.from({ length: Math.max(1, Math.ceil(records / limit)) }, (_, i) =>
      i === 0 ? `${first}.json` : `${folder}/pages/${i + 1}.json`,
    );
  return [
    ...tableNames.flatMap((table) => {
      const ids = select(`SELECT id AS value, 0 AS records FROM ${table}`);
      const limit = /^(ceremonies|categories)$/.test(table) ? Number.POSITIVE_INFINITY : 25;
      const pages = numbered(`api/${table}`, `api/${table}`, ids.length, limit);
      return [...pages, ...ids.map(({ value }) => `api/${table}/${value}.json`)];
    }),
  ].sort();
}

async function expectRightPages(fill: Fill, out: string): Promise<void> {
  const connection = memoryDatabase(fill);
  await build(connection, out);
  const tree = readTree(out);
  expect(faultsOf(tree)).toEqual([]);
  const pages = [...tree.keys()].filter((path) => path.startsWith('api/'));
  expect(pages.filter((path) => !path.startsWith('api/stats/')).sort()).toEqual(expectedPages(connection));
  const resolver = new Resolver(fileSource(out), { digest: nodeDigest, cacheBytes: 256 * 1024 * 1024 });
  for (const page of pages) {
    const answer = await resolver.answer({ method: 'GET', ...addressOfPage(page)! });
    expect([answer.status, tree.get(page)!.equals(answer.body!)], page).toEqual([200, true]);
  }
}

const records: [string, Fill][] = [
  ['the nasty record', fillWithNastyRecord],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.012, seed: 3 })],
  ['an empty record', () => {}],
];

test.each(records)(
  'every record and list of %s has its pages, which are the answers of the service',
  (name, fill) => expectRightPages(fill, at(name)),
);

describe('the same record gives the same bytes', () => {
  /** Letters with special rules for lower case in some languages, and texts whose order depends on the language. */
  const words = 'İSTANBUL Iğdır Ängström zebra Zebra ÉCRITURE ss-ß ١٢٣ ÞOR'.split(' ');
  writeDatabase(at('original.db'), (connection) => {
    generateRecord(connection, { scale: 0.006, seed: 5 });
    const rename = connection.prepare('UPDATE movies SET title = ?, genres = ? WHERE id = ?');
    for (const [i, word] of words.entries()) rename.run(word, JSON.stringify([word, 'Drama']), i * 3 + 1);
    connection.exec("UPDATE nominees SET known_for_department = 'IŞIK' WHERE id % 11 = 0");
    connection.exec("UPDATE categories SET category_name = 'ILIŞKI ' || id WHERE id % 5 = 0");
  });
  const layers = ['pages', 'lists', 'by-imdb', 'downloads'] as const;
  const ofSite =
    /^(?!manifest|layers\/[blpd])[^/]+$|^(assets|docs|edit|layers\/site|\.well-known)|^api\/openapi/;
  const original = openDatabase(at('original.db'));
  let expected: Tree;
  beforeAll(async () => {
    await build(original, at('expected'), { layers });
    expected = readTree(at('expected'));
  });

  test('over itself, where no file is written', async () => {
    const report = await build(original, at('expected'), { layers, full: true });
    expect(report).toMatchObject({ scope: 'everything', files: [] });
  });

  test('in another process and folder, in another time zone and language', async () => {
    const folder = at('folder "with" spaces, ümlauts');
    const environment = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
    const { code } = await awards(['build', '--db', at('original.db'), '--out', folder], environment);
    expect(code).toBe(0);
    const files = [...readTree(folder)].filter(([path]) => !ofSite.test(path));
    expectSameTree(new Map(files), expected);
  });

  test('from rows that were inserted in any order, and from pages of another size', async () => {
    writeDatabase(at('disorder.db'), () => {});
    const resized = openDatabase(at('disorder.db'));
    resized.pragma('journal_mode = DELETE');
    resized.pragma('page_size = 512');
    resized.exec('VACUUM');
    resized.close();
    const connection = openDatabase(at('disorder.db'));
    const movie = connection.prepare("INSERT INTO movies (id, title) VALUES (?, 'Deleted')");
    connection.transaction(() => {
      for (let id = 500_000; id < 500_500; id += 1) movie.run(id);
      for (const table of tableNames)
        for (const row of shuffled(rowsOf(original, table))) insertRow(connection, table, row);
      connection.exec('DELETE FROM movies WHERE id >= 500000');
      noteGenerated(connection);
    })();
    await build(connection, at('disorder'), { layers });
    expectSameTree(readTree(at('disorder')), expected);
  });
});

const shuffled = <T>(rows: readonly T[]): T[] =>
  fc.sample(fc.shuffledSubarray([...rows], { minLength: rows.length }), { numRuns: 1, seed: runSeed })[0]!;
