/** A stage without files, for many sequences: the compiler alone, from the changes of the log. */
import { expect } from 'vitest';
import { Backlog } from '../../build/snapshot/backlog.ts';
import { compile } from '../../build/snapshot/compile.ts';
import { bareDocuments } from '../../build/snapshot/documents.ts';
import { Staging } from '../../build/snapshot/staging.ts';
import { changesSince } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { compileInMemory, MemoryOutput } from '../answers/memory-source.ts';
import { type Fill, memoryDatabase } from './databases.ts';
import type { Stage } from './model.ts';
import { expectSameTree, type Tree } from './tree.ts';

export class MemoryStage implements Stage {
  readonly database: Buffer;
  readonly #built: MemoryOutput;
  #output = new MemoryOutput();
  /** Kept from build to build, as the writer's is. */
  #staging = new Staging(this.#output);
  readonly #backlog = new Backlog();
  #builds = 0;

  constructor(database: Buffer, built: MemoryOutput) {
    this.database = database;
    this.#built = built;
  }

  static async of(fill: Fill): Promise<MemoryStage> {
    const connection = memoryDatabase(fill);
    const stage = new MemoryStage(connection.serialize(), await compileInMemory(connection));
    connection.close();
    return stage;
  }

  restore(): void {
    this.#output = new MemoryOutput();
    this.#backlog.clear();
    for (const [path, bytes] of this.#built.files) this.#output.put(path, bytes);
    this.#staging = new Staging(this.#output);
  }

  async build(connection: Connection, since: number): Promise<void> {
    const changes = changesSince(connection, since, 2000)!;
    const incremental = { changes, before: await this.#staging.inFolder() };
    // Some owe their pages, as the writer's do, to be worked off only after another build.
    this.#builds += 1;
    const backlog = this.#builds % 3 === 0 ? undefined : this.#backlog;
    if (!backlog) await this.#workOff();
    await compile({
      connection,
      output: this.#output,
      documents: bareDocuments,
      staging: this.#staging,
      incremental,
      backlog,
    });
  }

  async #workOff(): Promise<void> {
    expect(await this.#backlog.workOff(this.#output, () => Infinity)).toBe(true);
  }

  async expectClean(connection: Connection): Promise<void> {
    await this.#workOff();
    expectSameTree(treeOf(this.#output), treeOf(await compileInMemory(connection)));
  }
}

const treeOf = ({ files }: MemoryOutput): Tree =>
  new Map([...files].map(([path, bytes]) => [path, Buffer.from(bytes)]));
