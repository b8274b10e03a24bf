/** Builds without files, for many sequences: the compiler and the pages layer, which may be several snapshots behind. */
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { pagesLayer } from '../../build/layers/pages/layer.ts';
import type { LayerFile } from '../../build/layers/layer.ts';
import { compileSnapshot } from '../../build/snapshot/compile.ts';
import { changesSince } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { compileInMemory, MemoryFolder } from '../support/build.ts';
import { type Fill, memoryDatabase } from './databases.ts';
import type { Harness } from './harness.ts';
import { expectSameTree, type Tree } from './tree.ts';

/** The paths of pages contain their group, so that a wrong group is a difference. */
const pageName = ({ path, group }: LayerFile): string => `${path} in ${group}`;

export class MemoryHarness implements Harness {
  readonly database: Buffer;
  readonly #built: MemoryFolder;
  /** Files of all snapshots since restore(). */
  #archive = new MemoryFolder();
  #reader = new Reader(this.#archive);
  /** Files of the current snapshot. */
  #current = new Set<string>();
  #pages = new Map<string, Uint8Array>();
  /** The snapshot of the pages. */
  #pagesOf: Snapshot | undefined;
  #builds = 0;

  constructor(database: Buffer, built: MemoryFolder) {
    this.database = database;
    this.#built = built;
  }

  static async of(fill: Fill): Promise<MemoryHarness> {
    const connection = memoryDatabase(fill);
    const harness = new MemoryHarness(connection.serialize(), await compileInMemory(connection));
    connection.close();
    return harness;
  }

  restore(): void {
    const shards = [...this.#built.files].filter(([path]) => !/^(api|layers)\//.test(path));
    this.#archive = new MemoryFolder(shards);
    this.#current = new Set(this.#archive.files.keys());
    this.#reader = new Reader(this.#archive, { cacheBytes: 64 * 1024 * 1024 });
    this.#pagesOf = undefined;
  }

  async build(connection: Connection, since: number): Promise<void> {
    const changes = changesSince(connection, since, 2000)!;
    const before = await this.#reader.reload();
    if (this.#pagesOf === undefined) {
      this.#pages = await pagesOf(before);
      this.#pagesOf = before;
    }
    const put = (path: string, bytes: Uint8Array) => {
      this.#archive.files.set(path, bytes);
      this.#current.add(path);
    };
    const { manifest, replaced } = await compileSnapshot(connection, put, { changes, before });
    for (const path of replaced) this.#current.delete(path);
    put(manifestPath, manifest);
    this.#builds += 1;
    if (this.#builds % 3 === 0) await this.#updatePages();
  }

  async expectClean(connection: Connection): Promise<void> {
    await this.#updatePages();
    const clean = new Map(
      [...(await compileInMemory(connection)).files].filter(([path]) => !/^(api|layers)\//.test(path)),
    );
    const current = [...this.#current].map((path) => [path, this.#archive.files.get(path)!] as const);
    expectSameTree(treeOf(current), treeOf(clean));
    const manifest = parseManifest(clean.get(manifestPath)!)!;
    const snapshot = new Reader(new MemoryFolder(clean)).snapshotOf(manifest);
    expectSameTree(treeOf(this.#pages), treeOf(await pagesOf(snapshot)));
  }

  async #updatePages(): Promise<void> {
    const after = await this.#reader.reload();
    for await (const file of pagesLayer.affected!(this.#pagesOf!, after)) {
      const bytes = await file.content();
      if (bytes === undefined) this.#pages.delete(pageName(file));
      else this.#pages.set(pageName(file), (bytes as Uint8Array).slice());
    }
    this.#pagesOf = after;
  }
}

async function pagesOf(snapshot: Snapshot): Promise<Map<string, Uint8Array>> {
  const pages = new Map<string, Uint8Array>();
  for await (const file of pagesLayer.all(snapshot))
    pages.set(pageName(file), ((await file.content()) as Uint8Array).slice());
  return pages;
}

const treeOf = (files: Iterable<readonly [string, Uint8Array]>): Tree =>
  new Map([...files].map(([path, bytes]) => [path, Buffer.from(bytes)]));
