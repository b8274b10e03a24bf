/** Databases for tests: filled by a function, restored from bytes, or copied in another order of rows. */
import Database from 'better-sqlite3';
import { referencedResources } from '../../api/contract/names.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';

/** Fills an empty database. */
export type Fill = (connection: Connection) => unknown;

export function memoryDatabase(fill: Fill): Connection {
  const connection = openDatabase(':memory:');
  fill(connection);
  return connection;
}

/** Makes a database file. */
export function writeDatabase(file: string, fill: Fill): void {
  inDatabase(file, fill);
}

/** Works on a database file with a connection of its own. */
export function inDatabase<T>(file: string, work: (connection: Connection) => T): T {
  const connection = openDatabase(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** A database in memory from the bytes of `serialize()`, with the settings of every connection. */
export function revive(bytes: Buffer): Connection {
  const connection = new Database(bytes);
  connection.pragma('foreign_keys = ON');
  connection.pragma('recursive_triggers = ON');
  return connection;
}

/** Tables in an order in which their rows can be inserted. */
export const tableNames = [...referencedResources, 'nominations', 'honors'] as const;
export type TableName = (typeof tableNames)[number];
export type Row = Record<string, string | number | null> & { id: number };

export const rowsOf = (connection: Connection, table: TableName): Row[] =>
  connection.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY id`).all();

export function insertRow(connection: Connection, table: TableName, row: Row, verb = 'INSERT'): void {
  const fields = Object.keys(row);
  connection
    .prepare(`${verb} INTO ${table} (${fields.join(', ')}) VALUES (${fields.map(() => '?').join(', ')})`)
    .run(Object.values(row));
}

/** The field of nominations that refers to a table. */
export const referenceTo = (table: TableName): string | undefined =>
  table === 'nominations' || table === 'honors'
    ? undefined
    : `${table.replace('movies', 'movie').replace(/ies$/, 'y').replace(/s$/, '')}_id`;
