/** Whether the record holds together: SQLite's own shell does not enforce foreign keys, so a reference may be broken. */
import type { Connection } from './open.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal naming the first record that refers to one that is not there */
export function refuseBrokenReferences(connection: Connection): void {
  const broken = connection
    .prepare<[], { table: string; rowid: number; parent: string }>(
      'SELECT "table", rowid, parent FROM pragma_foreign_key_check',
    )
    .get();
  if (broken === undefined) return;
  const { table, rowid, parent } = broken;
  throw new Refusal(
    `the database is inconsistent: ${table} ${rowid} refers to a record of ${parent} that is not there`,
  );
}
