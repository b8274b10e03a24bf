/** Where the bench works: one folder for everything, made at the start and removed at the very end; and the records in it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../support/build.ts';
import { openDatabase } from '../../data/open.ts';
import { loadPlainRecord, type PlainRecord } from '../oracle/record.ts';
import { realRecordPath } from '../real-record.ts';
import { runAwards } from './children.ts';
import { makeSqlDatabase } from './sql-database.ts';

/** A record, with everything made from it; each is made when first asked for. */
export interface World {
  name: string;
  database: string;
  record(): PlainRecord;
  /** Folder of its snapshot. */
  tree(): Promise<string>;
  /** The database of the SQL alternative. */
  sqlDatabase(): string;
}

export class Workplace {
  readonly root = mkdtempSync(join(tmpdir(), 'awards-bench-'));
  readonly #worlds = new Map<string, Promise<World>>();
  #folders = 0;

  /** A path in the workplace that does not exist yet: nothing is deleted in between, which would slow the next writes. */
  newPath(name: string): string {
    this.#folders += 1;
    return join(this.root, `${this.#folders}-${name}`);
  }

  /** The public record where it lies beside the project, else an invented one of its size. */
  main(): Promise<World> {
    return existsSync(realRecordPath)
      ? this.#world('the public record', () => ['import', realRecordPath])
      : this.generated(1);
  }

  /** An invented record, every field set. */
  generated(scale: number): Promise<World> {
    return this.#world(`a generated record, scale ${scale}`, () => [
      'generate',
      '--scale',
      String(scale),
      '--seed',
      '1',
    ]);
  }

  /** Removes everything. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #world(name: string, command: () => string[]): Promise<World> {
    const world = this.#worlds.get(name) ?? this.#make(name, command());
    this.#worlds.set(name, world);
    return world;
  }

  async #make(name: string, command: string[]): Promise<World> {
    const database = this.newPath('awards.db');
    await runAwards([...command, '--db', database]);
    return {
      name,
      database,
      record: once(() => withDatabase(database, loadPlainRecord)),
      tree: once(async () => {
        const out = this.newPath('snapshot');
        await withDatabase(database, (connection) => build(connection, out));
        return out;
      }),
      sqlDatabase: once(() => {
        const file = this.newPath('alternative.db');
        makeSqlDatabase(database, file);
        return file;
      }),
    };
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function withDatabase<T>(file: string, work: (connection: ReturnType<typeof openDatabase>) => T): T {
  const connection = openDatabase(file, { mustExist: true });
  const result = work(connection);
  if (result instanceof Promise) return result.finally(() => connection.close()) as T;
  connection.close();
  return result;
}
