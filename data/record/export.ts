/** The record as a database file for download: the public tables only. Equal records give equal bytes. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { TSchema } from 'typebox';
import { isNullable, presentSchema, publishedFields } from '../../api/contract/bodies.ts';
import { detailNames } from '../../api/contract/fields.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { downloadSchemas, resourceSchemas, type Source } from '../../api/contract/resources.ts';
import type { Connection } from '../database/open.ts';
import { forEachResource, prepareInsert } from './records.ts';

/** "FilA". */
const applicationId = 0x46_69_6c_41;
const exportVersion = 5;

/** Resources whose records refer to no other. */
const plainResources = ['ceremonies', 'categories', 'movies', 'nominees', 'songs'] as const;

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

interface Described {
  type?: string;
  description?: string;
}

/** CREATE TABLE with a column for each member of the schemas, and its description as a comment. */
function tableOf(resource: (typeof plainResources)[number]): string {
  const fields = Object.entries<TSchema>({
    ...resourceSchemas[resource].properties,
    ...downloadSchemas[resource],
  });
  const lines = fields.map(([name, schema], i) => {
    const { type, description = '' }: Described = presentSchema(schema);
    const column = `${name} ${type === 'integer' ? 'INTEGER' : 'TEXT'}`;
    const notNull = isNullable(schema) ? '' : ' NOT NULL';
    const rule = name === 'id' ? ' PRIMARY KEY' : notNull;
    const comma = i < fields.length - 1 ? ',' : '';
    return `  ${column}${rule}${comma} -- ${type === 'array' ? 'JSON array: ' : ''}${description}`;
  });
  return `CREATE TABLE ${resource} (\n${lines.join('\n')}\n) STRICT;\n\n`;
}

export class RecordExport {
  readonly #connection: Connection;
  readonly #inserts: Record<ResourceName, ReturnType<typeof prepareInsert>>;
  readonly #insertDetails: ReturnType<typeof prepareInsert>;

  /** @param sources of the records, for the table `about` */
  constructor(sources: readonly Source[]) {
    const connection = new Database(':memory:');
    this.#connection = connection;
    connection.pragma('foreign_keys = ON');
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${exportVersion}`);
    connection.exec('BEGIN');
    connection.exec(plainResources.map(tableOf).join('') + script('export.sql'));
    const about = connection.prepare(
      'INSERT INTO about (name, title, gives, licence, holder, address) VALUES (@name, @title, @gives, @licence, @holder, @address)',
    );
    for (const source of sources) about.run(source);
    this.#inserts = forEachResource((table) =>
      prepareInsert(connection, table, [
        ...new Set([...publishedFields(table), ...Object.keys(downloadSchemas[table] ?? {})]),
      ]),
    );
    this.#insertDetails = prepareInsert(connection, 'details', ['nomination_id', ...detailNames]);
  }

  /**
   * Adds a record as the service shows it, a nomination with its details. The records it refers to come
   * first.
   */
  add(resource: ResourceName, record: Readonly<Record<string, unknown>>): void {
    this.#inserts[resource](record);
    if (resource === 'nominations') this.#insertDetails({ ...record, nomination_id: record.id });
  }

  /** Commits the records and their indexes. @returns the bytes of the file */
  finish(): Buffer {
    this.#connection.exec(script('export-indexes.sql'));
    this.#connection.exec('COMMIT');
    return this.#connection.serialize();
  }

  close(): void {
    this.#connection.close();
  }
}
