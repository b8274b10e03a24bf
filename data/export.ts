/** The record as a database file for download: the public tables only. Equal records give equal bytes. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { ResourceName } from '../api/contract/names.ts';
import type { Connection } from './open.ts';
import { prepareInserts } from './records.ts';

/** "FilA". */
const applicationId = 0x46_69_6c_41;
const exportVersion = 1;

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export class RecordExport {
  readonly #connection: Connection;
  readonly #inserts: ReturnType<typeof prepareInserts>;

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
  }

  /** Adds a record as the service shows it. The records it refers to come first. */
  add(resource: ResourceName, record: Readonly<Record<string, unknown>>): void {
    this.#inserts[resource](record);
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
