/**
 * Brings the records that a source names up to date. To keep the changes of editors, a field changes only where the record
 * still has what sources gave last (table `imported`), or the default where no source gave anything; a value of an editor that a
 * source came to give as well is the source's from then on. The number of an entry is the exception: it has a meaning in the
 * source only, and follows it wherever ceremony and category do.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../open.ts';
import { columnDefaults } from '../records.ts';

/** Counts of the records that a source names. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

/** SQL: the records of a table as `r`, each with the memory of imports as `i`, if there is one. */
export const withMemory = (table: ResourceName): string =>
  `${table} AS r LEFT JOIN imported AS i ON i.resource = '${table}' AND i.record_id = r.id`;

/** SQL: the value that sources gave last; NULL also where they gave none. */
export const lastGiven = (field: string): string => `(i.fields ->> '${field}')`;

/** SQL: a field as sources know it: the value they gave last, or else the current one. */
export const asGiven = (field: string): string =>
  `iif(json_type(i.fields, '$.${field}') IS NULL, r.${field}, ${lastGiven(field)})`;

/** Adds and changes the records of a staged table, and remembers what the source gave. */
export function mergeRecords(connection: Connection, table: ResourceName, fields: readonly string[]): Tally {
  const defaults = columnDefaults(connection, table);
  const list = fields.join(', ');
  const value = (field: string) => `coalesce(s.${field}, ${defaults.get(field)})`;
  const isTaken = (field: string) =>
    field === 'entry'
      ? 'r.entry IS NOT s.entry AND r.ceremony_id = s.ceremony_id AND r.category_id = s.category_id'
      : `s.${field} IS NOT ${lastGiven(field)} AND r.${field} IS coalesce(${lastGiven(field)}, ${defaults.get(field)})
         AND r.${field} IS NOT ${value(field)}`;
  const isUnknown = (field: string) =>
    `s.${field} IS NOT ${lastGiven(field)} OR json_type(i.fields, '$.${field}') IS NULL`;
  const staged = `source_${table} AS s`;

  connection.exec(
    `INSERT INTO ${table} (id, ${list}) SELECT id, ${fields.map(value).join(', ')} FROM ${staged} WHERE is_new ORDER BY id`,
  );
  const { changes: changed } = connection
    .prepare(
      `UPDATE ${table} AS r SET ${fields.map((field) => `${field} = iif(${isTaken(field)}, ${value(field)}, r.${field})`).join(', ')}
       FROM ${staged} LEFT JOIN imported AS i ON i.resource = '${table}' AND i.record_id = s.id
       WHERE r.id = s.id AND NOT s.is_new AND (${fields.map(isTaken).join(' OR ')})`,
    )
    .run();
  connection.exec(
    `UPDATE imported AS i SET fields = json_set(i.fields, ${fields.map((field) => `'$.${field}', s.${field}`).join(', ')})
     FROM ${staged} WHERE i.resource = '${table}' AND i.record_id = s.id AND NOT s.is_new
       AND (${fields.map(isUnknown).join(' OR ')});
     INSERT INTO imported (resource, record_id, fields, added)
     SELECT '${table}', s.id, json_object(${fields.map((field) => `'${field}', s.${field}`).join(', ')}), s.is_new
     FROM ${staged} WHERE NOT EXISTS (SELECT 1 FROM imported WHERE resource = '${table}' AND record_id = s.id)
     ORDER BY s.id`,
  );
  const { named, added } = connection
    .prepare<[], { named: number; added: number }>(
      `SELECT count(*) AS named, total(is_new) AS added FROM ${staged}`,
    )
    .get()!;
  return { added, changed, unchanged: named - added - changed };
}

/** Treats values of nominations as given before by the source, so that giving them again changes nothing. */
export function rememberFields(
  connection: Connection,
  values: readonly { id: number; field: string; value: number }[],
): void {
  const statement = connection.prepare<unknown[]>(
    `INSERT INTO imported (resource, record_id, fields, added) VALUES ('nominations', ?, json_object(?, CAST(? AS INTEGER)), 0)
     ON CONFLICT DO UPDATE SET fields = json_patch(fields, excluded.fields)`,
  );
  for (const { id, field, value } of values) statement.run(id, field, value);
}
