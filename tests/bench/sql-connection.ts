/** The connection of the SQL alternative, with its prepared statements. */
import Database from 'better-sqlite3';
import type { Query } from '../../api/contract/parameters.ts';
import type { SqlRow } from './sql-rows.ts';

export class SqlConnection {
  readonly #database: Database.Database;
  /** Statements by their text: as many as there are combinations of filters in use. */
  readonly #statements = new Map<string, Database.Statement<unknown[], SqlRow>>();

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true, fileMustExist: true });
    this.#database.pragma('cache_size = -65536');
    this.#database.pragma('mmap_size = 268435456');
  }

  close(): void {
    this.#database.close();
  }

  all(sql: string, ...values: unknown[]): SqlRow[] {
    return this.#prepare(sql).all(...values);
  }

  get(sql: string, ...values: unknown[]): SqlRow | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** The column "total" of the only row. */
  count(sql: string, ...values: unknown[]): number {
    return this.get(sql, ...values)!.total as number;
  }

  #prepare(sql: string): Database.Statement<unknown[], SqlRow> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare<unknown[], SqlRow>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The values of LIMIT and OFFSET. */
export const pageOf = ({ page, limit }: Query): [number, number] => [limit, (page - 1) * limit];
