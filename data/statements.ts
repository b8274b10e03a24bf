/** Prepared statements that are used again and again: preparing one takes longer than most of them run. */
import type { Statement } from 'better-sqlite3';
import type { Connection } from './open.ts';

const statements = new WeakMap<Connection, Map<string, Statement>>();

/** The statement with this SQL, prepared once for a connection. Not for iterate(), which keeps it busy. */
export function prepared<Parameters extends unknown[], Row = unknown>(
  connection: Connection,
  sql: string,
): Statement<Parameters, Row> {
  const own = statements.get(connection) ?? new Map<string, Statement>();
  statements.set(connection, own);
  const statement = own.get(sql) ?? connection.prepare(sql);
  own.set(sql, statement);
  return statement as unknown as Statement<Parameters, Row>;
}
