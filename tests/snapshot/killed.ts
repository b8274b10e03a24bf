/** Builds to be cut short: a folder with a snapshot, a database that has moved on, and what readers may see meanwhile. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Resolver } from '../../api/read/resolve.ts';
import { build } from '../support/build.ts';
import { verify } from '../../build/snapshot/verify.ts';
import type { Connection } from '../../data/open.ts';
import { memoryDatabase, revive } from './databases.ts';
import { faultsOf } from './named-files.ts';
import { type Answers, ask, expectOneOf, openFolder } from './questions.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, type Tree, writeTree } from './tree.ts';

const edits = `
  UPDATE movies SET title = 'Life of Amélie', genres = '["Drama"]' WHERE id = 1;
  UPDATE nominations SET winner = 1 - winner;
  UPDATE nominees SET name = 'Ann Actress' WHERE id = 2;
  UPDATE nominations SET song_id = NULL;
  DELETE FROM songs;
  INSERT INTO ceremonies (id, ceremony_year) VALUES (7, 1930);
  UPDATE categories SET category_name = 'Écriture (The New)' WHERE id = 2;
`;

/** What is there when a build begins. */
export type Start =
  | 'an empty folder'
  | 'the last snapshot'
  | 'the last snapshot, all of it to be built again';

export class Scene {
  readonly #at: (name: string) => string;
  before: Answers = [];
  after: Answers = [];
  #oldTree: Tree = new Map();
  #newTree: Tree = new Map();
  #database: Buffer = Buffer.alloc(0);

  constructor(at: (name: string) => string) {
    this.#at = at;
  }

  async prepare(): Promise<void> {
    const folder = this.#at('folder');
    const connection = memoryDatabase(fillWithTinyRecord);
    await build(connection, folder);
    this.before = await ask(openFolder(folder));
    this.#oldTree = readTree(folder);
    connection.exec(edits);
    this.#database = connection.serialize();
    await build(connection, folder);
    this.after = await ask(openFolder(folder));
    this.#newTree = readTree(folder);
    connection.close();
    expect(this.after.filter((answer, i) => answer === this.before[i])).toEqual([]);
  }

  /** A copy of the scene to play in. The folder's path is the same each time: the database knows it. */
  async take(start: Start): Promise<Take> {
    const folder = this.#at('folder');
    writeTree(folder, start === 'an empty folder' ? new Map() : this.#oldTree);
    const earlier = openFolder(folder);
    await ask(earlier);
    return new Take(this, this.#database, folder, earlier);
  }

  /** A file with the database of the scene, for other processes. */
  databaseFile(): string {
    const file = this.#at('scene.db');
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    writeFileSync(file, this.#database);
    return file;
  }

  get finished(): Tree {
    return this.#newTree;
  }
}

class Take {
  readonly #scene: Scene;
  readonly folder: string;
  readonly connection: Connection;
  /** Has read the folder before the build began. */
  readonly #earlier: Resolver;

  constructor(scene: Scene, database: Buffer, folder: string, earlier: Resolver) {
    this.#scene = scene;
    this.folder = folder;
    this.connection = revive(database);
    this.#earlier = earlier;
  }

  /** Nobody sees a mixture of two snapshots, or half of one. */
  expectWholeOrNothing(): Promise<void> {
    return expectOneOf(this.folder, this.#earlier, [this.#scene.before, this.#scene.after]);
  }

  /** The next build makes everything right, and leaves nothing behind of the one that was cut short. */
  async expectNextBuildConverges(): Promise<void> {
    await build(this.connection, this.folder, { timeoutMs: 0 });
    expect((await verify(this.connection, this.folder)).differences).toEqual([]);
    const tree = readTree(this.folder);
    expectSameTree(tree, this.#scene.finished);
    expect(faultsOf(tree)).toEqual([]);
    await this.expectWholeOrNothing();
  }

  close(): void {
    this.connection.close();
  }
}
