/**
 * A small database of each released schema, as SQL text: tests/records/schemas/N.sql. It has a record, what a
 * source gave, values that an editor changed, keys, and receipts.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { recordBuild, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { createKey, digestOf, revokeKey } from '../../data/record/keys.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { fillWithTinyRecord } from './tiny-record.ts';

const folder = new URL('schemas/', import.meta.url);
const textOf = (schema: number) => new URL(`${schema}.sql`, folder);

/** Numbers of the schemas that have a database, ascending. */
export const keptSchemas = readdirSync(folder)
  .map((name) => Number(name.replace('.sql', '')))
  .sort((a, b) => a - b);

/** Valid in each of the databases. */
export const keptKey = 'the key of the editor';

/** Makes the database of a schema. */
export function restoreKept(schema: number, file: string): void {
  const connection = new Database(file);
  connection.pragma('foreign_keys = OFF');
  connection.exec(readFileSync(textOf(schema), 'utf8')).close();
}

/** Writes the database of the schema that the connection has. */
export function keep(schema: number, connection: Connection): void {
  fillWithTinyRecord(connection);
  const time = new Date('2026-11-22T10:00:00.000Z');
  for (const name of ['editor', 'former']) createKey(connection, name, time);
  revokeKey(connection, 'former', time);
  const digest = connection.prepare('UPDATE api_keys SET digest = ? WHERE name = ?');
  for (const [name, key] of Object.entries({ editor: keptKey, former: 'another key' }))
    digest.run(digestOf(key).toString('hex'), name);
  connection.exec(`
    INSERT INTO honors (id, ceremony_id, class, winner, category_id, category, movie_id, recipients, nominee_ids,
      citation, note) VALUES
      (1, 1, 'Special', 1, NULL, 'HONORARY AWARD', 1, 'Ann', '[1]', 'To Ann.', NULL),
      (2, 2, 'SciTech', 1, NULL, 'PLAQUE', NULL, NULL, '[]', NULL, NULL),
      (3, 1, 'Competitive', 0, 2, 'ÉCRITURE', NULL, 'Ann', '[1]', NULL, 'For no film.');
    UPDATE ceremonies SET film_years = '1927/28' WHERE id = 1;
    INSERT INTO nominees (id, name) VALUES (90, 'Deleted');
    INSERT INTO given (resource, record_id, source, source_id, retrieved_at, fields, added) VALUES
      ('nominees', 90, 'import', NULL, NULL, '{"name":"Deleted"}', 1),
      ('movies', 1, 'import', 'tt0211915', NULL, '{"title":"Amelie"}', 1),
      ('nominees', 1, 'tmdb', '9', '2026-11-20', '{"birthday":"1900-02-28"}', 0);
    DELETE FROM nominees WHERE id = 90;
    INSERT INTO imported (source, digest, revision, title, licence, holder)
      SELECT 'oscars.csv', '${'0'.repeat(64)}', max(seq), 'Our awards', 'CC0-1.0', 'Ann' FROM changes;
    UPDATE lineage SET id = '0123456789abcdef'`);
  const write = { at: time, key: 'editor', resource: 'movies', recordId: 1 } as const;
  addReceipt(connection, {
    ...write,
    action: 'update',
    before: { title: 'Amelie' },
    after: { title: 'Amélie' },
  });
  recordBuild(connection, '/dist', { revision: revision(connection), snapshot: 's', fingerprint: 'f' }, [
    { path: 'manifest.json', action: 'written', cause: 'it names "all"' },
  ]);
  addReceipt(connection, {
    ...write,
    resource: 'nominees',
    recordId: 90,
    action: 'delete',
    before: { name: 'Deleted' },
    after: null,
  });
  writeFileSync(textOf(schema), dumpOf(connection));
}

/** A database as SQL text, its triggers last: they would fill the change log. */
function dumpOf(connection: Connection): string {
  const entries = connection
    .prepare<[], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  const made = (...types: string[]) =>
    entries.filter(({ type }) => types.includes(type)).map(({ sql }) => sql);
  const tables = entries.filter(({ type }) => type === 'table').map(({ name }) => name);
  const rows = ['sqlite_sequence', ...tables].flatMap((table) => {
    const columns = connection
      .prepare('SELECT name FROM pragma_table_info(?)')
      .pluck()
      .all(table) as string[];
    const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `);
    return connection
      .prepare<[], string>(
        `SELECT 'INSERT INTO ${table} VALUES (' || ${values} || ')' FROM ${table} ORDER BY 1`,
      )
      .pluck()
      .all();
  });
  const statements = [
    ...made('table'),
    // Rows would add others.
    ...rows.filter((row) => !row.startsWith('INSERT INTO sqlite_sequence')),
    'DELETE FROM sqlite_sequence',
    ...rows.filter((row) => row.startsWith('INSERT INTO sqlite_sequence')),
    ...made('index', 'trigger'),
    `PRAGMA user_version = ${connection.pragma('user_version', { simple: true })}`,
  ];
  return statements.map((statement) => `${statement};\n`).join('');
}
