/**
 * The record as a database file of its own, for download: the public tables alone. Written in one go from nothing, in one
 * order, so the same records give the same bytes, whatever became of the database they come from.
 */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type ResourceName, resourceNames } from '../api/contract/names.ts';
import type { Connection } from './open.ts';
import { fieldsOf } from './records.ts';

/** For whoever asks what kind of file it is: "FilA". */
const applicationId = 0x46_69_6c_41;
/** Of the export's schema. */
const version = 1;

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** What a nomination stores; what else it shows stands in the records it refers to. */
const nominationFields = ['id', 'ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id', 'winner'];

type Insert = (values: readonly unknown[]) => unknown;

export class RecordExport {
  readonly #connection: Connection;
  readonly #inserts: ReadonlyMap<ResourceName, { fields: readonly string[]; insert: Insert }>;

  /** @param file a name that nothing has yet */
  constructor(file: string) {
    const connection = new Database(file);
    this.#connection = connection;
    // Whoever is interrupted begins again with another file.
    connection.pragma('journal_mode = OFF');
    connection.pragma('synchronous = OFF');
    connection.pragma('foreign_keys = ON');
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${version}`);
    connection.exec('BEGIN');
    connection.exec(script('export.sql'));
    this.#inserts = new Map(
      resourceNames.map((resource) => {
        const fields = resource === 'nominations' ? nominationFields : fieldsOf(resource);
        const statement = connection.prepare(
          `INSERT INTO ${resource} (${fields.join(', ')}) VALUES (${fields.map(() => '?').join(', ')})`,
        );
        return [resource, { fields, insert: (values) => statement.run(values) }];
      }),
    );
  }

  /** Adds a record as the service shows it; those it refers to first. */
  add(resource: ResourceName, record: Readonly<Record<string, unknown>>): void {
    const { fields, insert } = this.#inserts.get(resource)!;
    insert(fields.map((field) => stored(record[field])));
  }

  /** Makes the file whole. */
  finish(): void {
    this.#connection.exec(script('export-indexes.sql'));
    this.#connection.exec('COMMIT');
  }

  close(): void {
    this.#connection.close();
  }
}

function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}
