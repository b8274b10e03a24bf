/** The prepared statements that write invented records. */
import { type ReferencedResource, referencedResources } from '../../api/contract/names.ts';
import type { RecordOf } from '../../api/contract/resources.ts';
import type { Connection } from '../open.ts';
import { fieldsOf, type NominationRow } from '../records.ts';

const nominationFields = ['id', 'ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id', 'winner'];

export class Inserts {
  /** Records written so far. */
  count = 0;
  readonly #referenced: Record<ReferencedResource, (values: unknown[]) => void>;
  readonly #fields: Record<ReferencedResource, string[]>;
  readonly #nomination: (row: NominationRow) => void;

  constructor(connection: Connection) {
    const prepare = (table: string, fields: readonly string[], values: string) =>
      connection.prepare(`INSERT INTO ${table} (${fields.join(', ')}) VALUES (${values})`);
    const each = <T>(make: (resource: ReferencedResource) => T) =>
      Object.fromEntries(referencedResources.map((name) => [name, make(name)])) as Record<
        ReferencedResource,
        T
      >;
    this.#fields = each(fieldsOf);
    this.#referenced = each((resource) => {
      const fields = this.#fields[resource];
      const statement = prepare(resource, fields, fields.map(() => '?').join(', '));
      return (values) => statement.run(values);
    });
    const statement = prepare(
      'nominations',
      nominationFields,
      nominationFields.map((name) => `@${name}`).join(', '),
    );
    this.#nomination = (row) => statement.run(row);
  }

  record<R extends ReferencedResource>(resource: R, record: RecordOf[R]): void {
    const fields = record as Record<string, unknown>;
    const stored = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : value);
    this.#referenced[resource](this.#fields[resource].map((field) => stored(fields[field])));
    this.count += 1;
  }

  nomination(row: NominationRow): void {
    this.#nomination(row);
    this.count += 1;
  }
}
