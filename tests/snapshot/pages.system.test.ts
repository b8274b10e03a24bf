/** Every page is, byte for byte, the answer of the service at the page's address. The manifest and the index name every file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { importRecord } from '../../data/import/import.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { build, compileInMemory } from '../support/build.ts';
import { type Fill, memoryDatabase } from './databases.ts';
import { addressOfPage, faultsOf } from './named-files.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, type Tree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();

/** The pages that differ from the answer of the service, a line each. */
async function wrongPages(tree: Tree, source: Source): Promise<string[]> {
  const resolver = new Resolver(source, { digest: nodeDigest, cacheBytes: 256 * 1024 * 1024 });
  const wrong: string[] = [];
  for (const [file, bytes] of tree) {
    const address = addressOfPage(file);
    if (address === undefined) continue;
    const answer = await resolver.answer({ method: 'GET', ...address });
    if (answer.status !== 200 || !bytes.equals(answer.body!))
      wrong.push(`${file} is not the answer (${answer.status}) at ${address.path}?${address.queryString}`);
  }
  return wrong;
}

/** The pages of a list with one filter, for each of its values. @param sql selects the values with their numbers of records */
function filteredPages(connection: Connection, folder: string, sql: string): string[] {
  const values = connection.prepare<[], { value: number; records: number }>(sql).all();
  return values.flatMap(({ value, records }) =>
    Array.from({ length: Math.max(1, Math.ceil(records / 100)) }, (_, i) =>
      i === 0 ? `api/${folder}/${value}.json` : `api/${folder}/${value}/pages/${i + 1}.json`,
    ),
  );
}

/** The pages of records and lists. */
function expectedPages(connection: Connection): string[] {
  const ids = (table: string) => connection.prepare<[], number>(`SELECT id FROM ${table}`).pluck().all();
  const ofCeremonies = (table: string, value: string) =>
    `SELECT ${value} AS value, count(own.id) AS records FROM ceremonies LEFT JOIN ${table} own
     ON own.ceremony_id = ceremonies.id GROUP BY ${value}`;
  return [
    ...filteredPages(connection, 'nominations/ceremony_ids', ofCeremonies('nominations', 'ceremonies.id')),
    ...filteredPages(connection, 'honors/year', ofCeremonies('honors', 'ceremony_year')),
    'api/movies/sort/-entries.json',
    'api/nominees/sort/-entries.json',
    ...recordAndListPages(ids),
  ];
}

function recordAndListPages(ids: (table: string) => number[]): string[] {
  return ['nominations', 'movies', 'nominees', 'songs', 'ceremonies', 'categories', 'honors'].flatMap(
    (resource) => {
      const records = ids(resource);
      const isUnpaginated = resource === 'ceremonies' || resource === 'categories';
      const pages = isUnpaginated ? 1 : Math.ceil(records.length / 25);
      return [
        `api/${resource}.json`,
        ...records.map((id) => `api/${resource}/${id}.json`),
        ...Array.from({ length: Math.max(0, pages - 1) }, (_, i) => `api/${resource}/pages/${i + 2}.json`),
      ];
    },
  );
}

const listsAndRecords = (tree: Tree) =>
  [...tree.keys()].filter((path) => path.startsWith('api/') && !path.startsWith('api/stats/')).sort();

const records: [string, Fill][] = [
  ['the tiny record', fillWithTinyRecord],
  ['the nasty record', fillWithNastyRecord],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.1, seed: 3 })],
  ['an empty record', () => {}],
];

describe.each(records)('the snapshot of %s', (name, fill) => {
  let connection: Connection;
  let tree: Tree;
  const folder = () => at(name.replaceAll(' ', '-'));
  beforeAll(async () => {
    connection = memoryDatabase(fill);
    await build(connection, folder());
    tree = readTree(folder());
  });
  afterAll(() => connection.close());

  test('has a page for every record and every page of every list', () => {
    expect(listsAndRecords(tree)).toEqual(expectedPages(connection).sort());
  });

  test('has the answer of the service on every page', async () => {
    expect(await wrongPages(tree, fileSource(folder()))).toEqual([]);
  });

  test('is named by the manifest and the index to the last file', () => {
    expect(faultsOf(tree)).toEqual([]);
  });
});

describeWithRealRecord('the snapshot of the real record', () => {
  test('has the answer of the service on every page, and is named to the last file', async () => {
    const connection = memoryDatabase(() => {});
    await importRecord(connection, realRecordPath);
    const output = await compileInMemory(connection);
    const tree = new Map([...output.files].map(([path, bytes]) => [path, Buffer.from(bytes)]));
    expect(faultsOf(tree)).toEqual([]);
    expect(listsAndRecords(tree)).toEqual(expectedPages(connection).sort());
    expect(await wrongPages(tree, output)).toEqual([]);
    connection.close();
  });
});
