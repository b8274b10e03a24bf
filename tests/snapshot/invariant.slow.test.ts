/**
 * At every moment of a build, each file that the manifest or the finished index of a layer names exists with the named bytes;
 * with retention, the files of earlier snapshots exist, too. A build may end at any file operation, for example because the disk
 * is full: readers see the last snapshot or the new one, and the next build makes the folder equal to a clean one.
 */
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DownloadIndex } from '../../api/contract/answers.ts';
import { layerIndexPath } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { changesFiles, installFailingDisk, interceptCalls, writeHalf } from '../support/intercepted-calls.ts';
import { build, verify } from '../records/build.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase, revive } from '../records/databases.ts';
import { faultsOf, hashOf } from '../records/named-files.ts';
import { ask, expectOneOf, openFolder } from '../support/folder-answers.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, pathsIn, readTree, type Tree, writeTree } from '../records/tree.ts';

const at = useWorkspace();
const layers = ['pages', 'downloads'] as const;
const timeout = 1_800_000;
const edits = [
  'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (7, 2, 3, 3, 2)',
  `UPDATE movies SET title = 'Life of Amélie', genres = '["Drama"]' WHERE id = 1`,
  'UPDATE nominations SET winner = 1 - winner, song_id = NULL; DELETE FROM songs',
  `INSERT INTO ceremonies (id, ceremony_year) VALUES (7, 1930);
   UPDATE nominees SET name = 'Ann Actress' WHERE id = 2;
   UPDATE categories SET category_name = 'Écriture (The New)' WHERE id = 2`,
];

/** Looks at a folder before each file operation, in the middle of each write, and at the end. */
class Moments {
  readonly faults = new Set<string>();
  count = 0;
  readonly #folder: string;
  readonly #versions = new Map<string, Buffer>();
  /** Immutable files that a state named: path → hash; undefined if they may go. */
  readonly #earlier: Map<string, string> | undefined;

  constructor(folder: string, retainsFiles: boolean) {
    this.#folder = folder;
    this.#earlier = retainsFiles ? new Map() : undefined;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const { end } = interceptCalls(this.#folder, (call, proceed) => {
      if (!changesFiles(call)) return proceed();
      this.#look();
      if (writeHalf(call)) {
        this.#look();
        // The flag "wx" of the whole write refuses a file that exists.
        rmSync(call.subject);
      }
      return proceed();
    });
    try {
      return await work();
    } finally {
      end();
      this.#look();
    }
  }

  /** Reads each version of a file once. */
  #tree(): Tree {
    const tree = new Map<string, Buffer>();
    for (const path of pathsIn(this.#folder)) {
      const file = join(this.#folder, path);
      const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      const version = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
      const bytes = this.#versions.get(version) ?? readFileSync(file);
      this.#versions.set(version, bytes);
      tree.set(path, bytes);
    }
    return tree;
  }

  #look(): void {
    this.count += 1;
    const tree = this.#tree();
    const unfinished = /is unfinished$|is named by nothing$/;
    const isOfUnfinished = (fault: string) => unfinished.test(fault);
    if (tree.has('manifest.json'))
      for (const fault of faultsOf(finishedOnly(tree)))
        if (!isOfUnfinished(fault)) this.faults.add(`at moment ${this.count}: ${fault}`);
    const index = tree.get('downloads/index.json')?.toString() ?? '{"files":[]}';
    for (const { immutable_name, sha256 } of (JSON.parse(index) as DownloadIndex).files) {
      const bytes = tree.get(`downloads/${immutable_name}`);
      if (!bytes || !sha256.startsWith(hashOf(bytes))) this.faults.add(`${immutable_name} is not ${sha256}`);
    }
    if (!this.#earlier) return;
    for (const [path, hash] of this.#earlier)
      if (hashOf(tree.get(path) ?? '') !== hash) this.faults.add(`at moment ${this.count}: ${path} is gone`);
    const named = (tree.get('manifest.json') ?? '').toString() + index;
    for (const [path, bytes] of tree)
      if (/[0-9a-f]{20}\.\w+$/.test(path) && named.includes(/([0-9a-f]{20})\.\w+$/.exec(path)![1]!))
        this.#earlier.set(path, hashOf(bytes));
  }
}

/** Without the indexes of layers whose files are being changed. */
const finishedOnly = (tree: Tree): Tree =>
  new Map(
    [...tree].filter(([path, bytes]) => !/^layers\/[^/]+$/.test(path) || bytes.includes('"finished":true')),
  );

describe.each([
  ['no retention', 0],
  ['retention', 3_600_000],
])('with %s, every named file is there', (name, retentionMs) => {
  const out = at(name);
  /** Every file is older than the retention time, unless it was retired. */
  let clock = Date.now() + 2 * 3_600_000;
  const now = () => new Date(clock);

  function start() {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const connection = memoryDatabase(fillWithTinyRecord);
    const builder = new SnapshotBuilder(connection, out, { retentionMs, now });
    const snapshot = (full?: boolean) => {
      // A builder removes files at intervals.
      clock += 11_000;
      return builder.build({ full });
    };
    const update = (full?: boolean) => updateLayers(out, layersOf(layers), { retentionMs, full, now });
    return { connection, snapshot, update, moments: new Moments(out, retentionMs > 0) };
  }

  test('in builds of everything, of changes, and where snapshots follow each other faster than layers', {
    timeout,
  }, async () => {
    const { connection, snapshot, update, moments } = start();
    await moments.during(async () => {
      await snapshot();
      await update();
      for (const [i, sql] of edits.entries()) {
        connection.exec(sql);
        await snapshot();
        if (i % 2 === 1) await update();
      }
      await snapshot(true);
      await update(true);
    });
    expect(moments.count).toBeGreaterThan(200);
    expect([...moments.faults]).toEqual([]);
    expect((await verify(connection, out, layers)).differences).toEqual([]);
  });

  test('in an update of the layers that resumes an interrupted one', { timeout }, async () => {
    const { connection, snapshot, update, moments } = start();
    for (const last of [5, 40]) {
      await snapshot();
      await update();
      connection.exec(`UPDATE movies SET title = 'Title ${last}' WHERE id = 1`);
      await snapshot();
      const disk = installFailingDisk(out, last, true);
      await expect(update()).rejects.toThrow('ENOSPC').finally(disk.repair);
      await moments.during(() => update());
    }
    expect([...moments.faults]).toEqual([]);
    expect((await verify(connection, out, layers)).differences).toEqual([]);
  });
});

describe('a build that ends at any file operation, once or for good', async () => {
  // The path of the folder is always the same, because the database knows it.
  const out = at('folder');
  const original = memoryDatabase(fillWithTinyRecord);
  await build(original, out, { layers });
  const before = await ask(openFolder(out));
  const oldTree = readTree(out);
  original.exec(edits.slice(1).join(';'));
  const database = original.serialize();
  await build(original, out, { layers, full: true });
  await build(original, out, { layers });
  const after = await ask(openFolder(out));
  const newTree = readTree(out);

  test.each([
    { start: 'an empty folder', tree: new Map() as Tree, full: false },
    { start: 'the last snapshot', tree: oldTree, full: false },
    { start: 'the last snapshot with --full', tree: oldTree, full: true },
  ])('from $start', { timeout }, async ({ tree, full }) => {
    expect(after.filter((answer, i) => answer === before[i])).toEqual([]);
    /** @returns the number of attempted changes */
    const buildUntil = async (last: number): Promise<number> => {
      writeTree(out, tree);
      const earlier = openFolder(out);
      await ask(earlier);
      const connection = revive(database);
      const disk = installFailingDisk(out, last, last % 2 === 0);
      const error: unknown = await build(connection, out, { layers, full }).catch(
        (thrown: unknown) => thrown,
      );
      disk.repair();
      if (error instanceof Error) expect(String(error)).toContain('ENOSPC');
      const left = readTree(out);
      // A killed process may leave half of a page that no index names.
      const page = [...left.keys()].find((path) => path.startsWith('api/'));
      if (page && !left.has(layerIndexPath('pages')))
        truncateSync(join(out, page), left.get(page)!.length >> 1);
      await expectOneOf(out, earlier, [before, after]);
      await build(connection, out, { layers, timeoutMs: 0 });
      expect((await verify(connection, out, layers)).differences).toEqual([]);
      const whole = readTree(out);
      expect(faultsOf(whole)).toEqual([]);
      // Immutable files of the last snapshot may stay until the next change.
      const isRetained = (path: string, bytes: Buffer) => !newTree.has(path) && path.includes(hashOf(bytes));
      expectSameTree(new Map([...whole].filter(([path, bytes]) => !isRetained(path, bytes))), newTree);
      await expectOneOf(out, earlier, [before, after]);
      return disk.attempts;
    };
    const changes = await buildUntil(Number.POSITIVE_INFINITY);
    expect(changes).toBeGreaterThan(60);
    const count = runs(4);
    const numbers = Array.from({ length: count }, (_, i) => Math.floor((i * changes) / count));
    for (const last of new Set([...numbers, 1, changes - 2, changes - 1])) await buildUntil(last);
  });
});
