/** The temporary folder of the bench, and the records in it. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlainRecord, type PlainRecord } from '../oracle/record.ts';
import { realRecordPath } from '../support/real-record.ts';
import { inDatabase } from '../snapshot/databases.ts';
import { project } from './checkout.ts';
import { makeSqlDatabase } from './sql-database.ts';

/** A record, with everything made from it; each is made at its first use. */
export interface World {
  name: string;
  database: string;
  record(): PlainRecord;
  /** The folder that "build" made. */
  tree(): Promise<string>;
  /** The database of the SQL alternative. */
  sqlDatabase(): string;
}

/** The command that fills the database: the public record, or a generated one of its size. */
export const mainRecord = existsSync(realRecordPath) ? ['import', realRecordPath] : generate(1);
export const isReal = mainRecord[0] === 'import';

function generate(scale: number): string[] {
  return ['generate', '--scale', String(scale), '--seed', '1'];
}

export class Workplace {
  readonly root = mkdtempSync(join(tmpdir(), 'awards-bench-'));
  readonly #worlds = new Map<string, Promise<World>>();
  #paths = 0;

  /** A path that does not exist yet. Nothing is deleted before the end: deleting slows the next writes down. */
  newPath(name: string): string {
    this.#paths += 1;
    return join(this.root, `${this.#paths}-${name}`);
  }

  /** A copy of a database that is not open. */
  copy(database: string): string {
    const copy = this.newPath('awards.db');
    copyFileSync(database, copy);
    return copy;
  }

  main(): Promise<World> {
    return isReal ? this.#world('the public record', mainRecord) : this.generated(1);
  }

  /** An invented record, every field set. */
  generated(scale: number): Promise<World> {
    return this.#world(`a generated record, scale ${scale}`, generate(scale));
  }

  /** Removes everything. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #world(name: string, command: readonly string[]): Promise<World> {
    const world = this.#worlds.get(name) ?? this.#make(name, command);
    this.#worlds.set(name, world);
    return world;
  }

  async #make(name: string, command: readonly string[]): Promise<World> {
    const database = this.newPath('awards.db');
    await project.run([...command, '--db', database]);
    return {
      name,
      database,
      record: once(() => inDatabase(database, loadPlainRecord)),
      tree: once(async () => {
        const out = this.newPath('snapshot');
        await project.build(database, out);
        return out;
      }),
      sqlDatabase: once(() => makeSqlDatabase(database, this.newPath('alternative.db'))),
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
