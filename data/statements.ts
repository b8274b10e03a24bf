/** Prepared statements that are used again and again: preparing one takes longer than most of them run. */
import type { Statement } from 'better-sqlite3';
import type { Connection } from './open.ts';

const statements = new WeakMap<Connection, Map<string, Statement>>();

/** A service uses some dozens. Each set of fields that an editor changes has a statement of its own, of about 35 KB. */
const maxStatements = 256;

/**
 * The statement with this SQL, prepared once for a connection. Not for iterate(), which keeps it busy. All callers with one SQL
 * text share the statement: they agree on pluck(). At `maxStatements` all are dropped, and prepared again at their next use.
 */
export function prepared<Parameters extends unknown[], Row = unknown>(
  connection: Connection,
  sql: string,
): Statement<Parameters, Row> {
  const own = statements.get(connection) ?? new Map<string, Statement>();
  statements.set(connection, own);
  let statement = own.get(sql);
  if (statement === undefined) {
    if (own.size === maxStatements) own.clear();
    statement = connection.prepare(sql);
    own.set(sql, statement);
  }
  return statement as unknown as Statement<Parameters, Row>;
}
