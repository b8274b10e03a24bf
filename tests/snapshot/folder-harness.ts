/** A stage on disk, as users have it: `build` into one folder again and again, then `verify`, then a clean build elsewhere. */
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { build } from '../support/build.ts';
import { verify } from '../../build/snapshot/verify.ts';
import { revision } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { copyRows, type Fill, memoryDatabase } from './databases.ts';
import type { Stage } from './model.ts';
import { expectSameTree, readTree, type Tree, writeTree } from './tree.ts';

export class FolderStage implements Stage {
  readonly database: Buffer;
  readonly #folder: string;
  readonly #tree: Tree;

  constructor(database: Buffer, folder: string) {
    this.database = database;
    this.#folder = folder;
    this.#tree = readTree(folder);
  }

  static async of(fill: Fill, folder: string): Promise<FolderStage> {
    const connection = memoryDatabase(fill);
    await build(connection, folder);
    const stage = new FolderStage(connection.serialize(), folder);
    connection.close();
    return stage;
  }

  restore(): void {
    writeTree(this.#folder, this.#tree);
  }

  async build(connection: Connection, since: number): Promise<void> {
    const { scope, reason } = await build(connection, this.#folder);
    expect(scope, reason).toBe(revision(connection) > since ? 'changes' : 'nothing');
  }

  async expectClean(connection: Connection): Promise<void> {
    const { differences, snapshot } = await verify(connection, this.#folder);
    expect(differences).toEqual([]);
    expect(await build(connection, this.#folder)).toMatchObject({ scope: 'nothing', snapshot, files: [] });
    await this.#expectSameElsewhere(connection);
  }

  /** From a database that was never built, into a folder that was never there. */
  async #expectSameElsewhere(connection: Connection): Promise<void> {
    const clean = memoryDatabase((empty) => copyRows(connection, empty));
    const folder = `${this.#folder}-elsewhere`;
    await build(clean, folder);
    clean.close();
    expectSameTree(readTree(this.#folder), readTree(folder));
    rmSync(folder, { recursive: true });
  }
}
