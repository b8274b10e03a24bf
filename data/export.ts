/** The record as a database file for download: the public tables only. Equal records give equal bytes. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { ResourceName } from '../api/contract/names.ts';
import type { Connection } from './open.ts';
import { prepareInsert, prepareInserts, storedValue } from './records.ts';

/** "FilA". */
const applicationId = 0x46_69_6c_41;
const exportVersion = 2;

/** Members of a nomination with its details, in the order of the table. */
const detailColumns = ['id', 'entry', 'character', 'note', 'official', 'historical_category'];

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export class RecordExport {
  readonly #connection: Connection;
  readonly #inserts: ReturnType<typeof prepareInserts>;
  readonly #insertDetails: ReturnType<typeof prepareInsert>;

  /** @param file a new file */
  constructor(file: string) {
    const connection = new Database(file);
    this.#connection = connection;
    // No journal: after an interruption the export starts again with another file.
    connection.pragma('journal_mode = OFF');
    connection.pragma('synchronous = OFF');
    connection.pragma('foreign_keys = ON');
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${exportVersion}`);
    connection.exec('BEGIN');
    connection.exec(script('export.sql'));
    this.#inserts = prepareInserts(connection);
    this.#insertDetails = prepareInsert(connection, 'details', ['nomination_id', ...detailColumns.slice(1)]);
  }

  /** Adds a record as the service shows it, a nomination with its details. The records it refers to come first. */
  add(resource: ResourceName, record: Readonly<Record<string, unknown>>): void {
    this.#inserts[resource](record);
    if (resource === 'nominations')
      this.#insertDetails.run(detailColumns.map((name) => storedValue(record[name])));
  }

  /** Commits the records and their indexes. */
  finish(): void {
    this.#connection.exec(script('export-indexes.sql'));
    this.#connection.exec('COMMIT');
  }

  close(): void {
    this.#connection.close();
  }
}
