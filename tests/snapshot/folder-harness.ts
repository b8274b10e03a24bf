/** Builds on disk with all layers, as users have them; then `verify`, and a clean build into another folder. */
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { revision } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { build, verify } from '../support/build.ts';
import { copyRows, type Fill, memoryDatabase } from './databases.ts';
import type { Harness } from './harness.ts';
import { expectSameTree, readTree, type Tree, writeTree } from './tree.ts';

const layers = layerNames;

export class FolderHarness implements Harness {
  readonly database: Buffer;
  readonly #folder: string;
  readonly #tree: Tree;

  constructor(database: Buffer, folder: string) {
    this.database = database;
    this.#folder = folder;
    this.#tree = readTree(folder);
  }

  static async of(fill: Fill, folder: string): Promise<FolderHarness> {
    const connection = memoryDatabase(fill);
    await build(connection, folder, { layers });
    const harness = new FolderHarness(connection.serialize(), folder);
    connection.close();
    return harness;
  }

  restore(): void {
    writeTree(this.#folder, this.#tree);
  }

  async build(connection: Connection, since: number): Promise<void> {
    const { scope, reason } = await build(connection, this.#folder, { layers });
    expect(scope, reason).toBe(revision(connection) > since ? 'changes' : 'nothing');
  }

  async expectClean(connection: Connection): Promise<void> {
    const { differences, snapshot } = await verify(connection, this.#folder, layers);
    expect(differences).toEqual([]);
    // The shards of the snapshot before go when the layers no longer need them: with the next build.
    const { files, ...report } = await build(connection, this.#folder, { layers });
    expect(report).toMatchObject({ scope: 'nothing', snapshot, rendered: 0 });
    expect(files.filter(({ action, path }) => action !== 'removed' || !path.startsWith('shards/'))).toEqual(
      [],
    );
    await this.#expectSameElsewhere(connection);
  }

  /** Builds a database that was never built into a folder that did not exist. */
  async #expectSameElsewhere(connection: Connection): Promise<void> {
    const clean = memoryDatabase((empty) => copyRows(connection, empty));
    const folder = `${this.#folder}-elsewhere`;
    await build(clean, folder, { layers });
    clean.close();
    expectSameTree(readTree(this.#folder), readTree(folder));
    rmSync(folder, { recursive: true });
  }
}
