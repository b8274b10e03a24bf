/** The downloads are the whole record, as the service shows it, in every format, and nothing else. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Download, type DownloadIndex, documentSchemas } from '../../api/contract/answers.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { createKey } from '../../data/record/keys.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { faultsBySchema } from '../http/openapi-described.ts';
import { csvOf, ndjsonOf } from '../oracle/files.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { loadPlainRecord, type PlainRecord } from '../oracle/record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { build } from '../support/build.ts';

const at = useWorkspace();
let out: string;
let record: PlainRecord;
let index: DownloadIndex;
let original: Connection;
beforeAll(async () => {
  out = at('dist');
  const connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  // Values that are difficult for programs that read CSV.
  const spell = connection.prepare('UPDATE movies SET tagline = ? WHERE id = ?');
  const taglines = ['=1+1', '-30-', ' spaces ', 'a,b', 'line\r\nbreak', '"', '\ttab', '+@', 'NULL'];
  const ids = connection.prepare<[number], number>('SELECT id FROM movies LIMIT ?').pluck();
  for (const [i, id] of ids.all(taglines.length).entries()) spell.run(taglines[i], id);
  createKey(connection, 'editor', new Date(0));
  await build(connection, out, { layers: ['downloads'] });
  record = loadPlainRecord(connection);
  index = JSON.parse(read('index.json').toString()) as DownloadIndex;
  original = connection;
});
afterAll(() => original.close());

const read = (name: string): Buffer => readFileSync(join(out, 'downloads', name));
const file = (name: string): Download => index.files.find((entry) => entry.name === name)!;

describe.each(resourceNames)('%s', (resource) => {
  it('as NDJSON and as CSV: every record as the service shows it, nominations with their details', () => {
    const rows = record[resource].map((row) =>
      resource === 'nominations' ? { ...row, details: record.details.get(row.id)! } : row,
    );
    expect(read(`${resource}.ndjson`).toString()).toBe(ndjsonOf(rows));
    expect(read(`${resource}.csv`).toString()).toBe(csvOf(resource, rows, new Map()));
    for (const format of ['ndjson', 'csv']) expect(file(`${resource}.${format}`).rows).toBe(rows.length);
  });
});

describe('as SQLite', () => {
  const withDatabase = <T>(work: (database: Database.Database) => T): T => {
    const copy = new Database(read('awards.sqlite'));
    try {
      return work(copy);
    } finally {
      copy.close();
    }
  };

  it('holds the same records, and nominations as the service lists them', () => {
    withDatabase((database) => {
      const { nominations, details, ...others } = record;
      expect({ ...loadPlainRecord(database) }).toEqual(record);
      const listed = database.prepare('SELECT * FROM nominations_listed ORDER BY id').all();
      const asNumbers = nominations.map(({ is_song, winner, ...rest }) => ({
        ...rest,
        is_song: Number(is_song),
        winner: Number(winner),
      }));
      expect(listed).toEqual(asNumbers);
      expect(details.size).toBe(nominations.length);
      const rows = nominations.length + Object.values(others).reduce((sum, { length }) => sum + length, 0);
      expect(file('awards.sqlite').rows).toBe(rows);
    });
  });

  it('has a strict table for each resource and for details, and no other: no keys, receipts or changes', () => {
    withDatabase((database) => {
      const tables = database
        .prepare(
          "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'",
        )
        .all() as { name: string; strict: number }[];
      expect(tables.map(({ name }) => name).sort()).toEqual([...resourceNames, 'details'].sort());
      expect(tables.every(({ strict }) => strict === 1)).toBe(true);
      for (const [resource, schema] of Object.entries(resourceSchemas)) {
        if (resource === 'nominations') continue;
        const derived = resource === 'honors' ? ['ceremony_year', 'movie'] : [];
        const columns = database.pragma(`table_info(${resource})`) as { name: string }[];
        expect(columns.map(({ name }) => name)).toEqual(
          Object.keys(schema.properties).filter((field) => !derived.includes(field)),
        );
      }
      expect(read('awards.sqlite').toString('latin1')).not.toMatch(/api_keys|receipts|\bchanges [(]|editor/);
    });
  });

  it('passes the integrity checks, and an index finds the nominations of a film', () => {
    withDatabase((database) => {
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      expect(database.pragma('foreign_key_list(nominations)')).toHaveLength(5);
      const plan = database
        .prepare('EXPLAIN QUERY PLAN SELECT * FROM nominations WHERE movie_id = 1')
        .all() as { detail: string }[];
      expect(plan[0]!.detail).toMatch(/USING INDEX/);
    });
  });
});

describe('the index', () => {
  it('matches its schema, and names its snapshot', () => {
    expect([...Value.Errors(documentSchemas.DownloadIndex, index)]).toEqual([]);
    expect(faultsBySchema('/components/schemas/DownloadIndex', index)).toEqual([]);
    const { snapshot } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { snapshot: string };
    expect(index.snapshot).toBe(snapshot);
    expect(index.files.map(({ name }) => name)).toEqual([
      ...resourceNames.map((resource) => `${resource}.ndjson`),
      ...resourceNames.map((resource) => `${resource}.csv`),
      'awards.sqlite',
    ]);
  });

  it('has the size and the hash of every file under both names', () => {
    for (const { name, immutable_name, bytes, sha256 } of index.files) {
      for (const content of [read(name), read(immutable_name)]) {
        expect(content.length, name).toBe(bytes);
        expect(createHash('sha256').update(content).digest('hex'), name).toBe(sha256);
      }
      expect(immutable_name).toContain(sha256.slice(0, 20));
    }
  });
});

it('the same record gives the same files, whatever changes the database had before', async () => {
  const connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  const update = () => build(connection, at('again'), { layers: ['downloads'] });
  connection.exec("UPDATE movies SET title = title || '!'; UPDATE movies SET tagline = 'x'");
  await update();
  connection.exec('UPDATE movies SET title = substr(title, 1, length(title) - 1)');
  const spell = connection.prepare('UPDATE movies SET tagline = ? WHERE id = ?');
  const taglines = original.prepare<[], [string | null, number]>('SELECT tagline, id FROM movies').raw();
  for (const row of taglines.all()) spell.run(...row);
  await update();
  connection.close();
  expect(readFileSync(join(at('again'), 'downloads/index.json')).equals(read('index.json'))).toBe(true);
});
