/**
 * Brings the shards and the manifest of a folder up to date with a database. Derived files follow the snapshot on their own:
 * see build/derived.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { layerNames } from '../../api/contract/layers.ts';
import { type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { shardsOf, shardsOnlyIn } from '../../api/read/walk.ts';
import { type BuildState, readBuild, recordBuild } from '../../data/database/builds.ts';
import { type Change, changesSince, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { DatabaseBusy, readTransaction } from '../../data/database/transaction.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';
import { counted } from '../../data/system/messages.ts';
import { compileSnapshot, fullBuild } from './compile.ts';
import { snapshotDamage } from './damage.ts';
import { productCode } from './fingerprint.ts';
import {
  defaultRetentionMs,
  lastManifestName,
  OutputFolder,
  shardsFolder,
  snapshotLockName,
  unfinishedManifest,
} from './output-folder.ts';

export interface BuildOptions {
  /** Make every shard, and compare every file with the disk. */
  full?: boolean | undefined;
  /** Compare every shard with its hash. The first build of a builder always does. */
  check?: boolean | undefined;
  /** Milliseconds to wait for another process that builds. Default 10,000. */
  timeoutMs?: number | undefined;
}

export interface SnapshotReport {
  snapshot: string;
  scope: 'nothing' | 'changes' | 'everything';
  /** Why that much was built. */
  reason: string;
  /** Whether that is damage of the folder. */
  isRepair?: boolean;
  files: RebuiltFile[];
}

/** Why everything has to be made. */
type Cause = Pick<SnapshotReport, 'reason' | 'isRepair'>;

const damaged = (damage: string): Cause => ({
  reason: `the last snapshot is damaged: ${damage}`,
  isRepair: true,
});

/** Changed records, and the manifest of the snapshot without the changes. */
interface Changes {
  changes: readonly Change[];
  before: Manifest;
}

/** Following more changed records than this costs more than a full build. */
const maxChanges = 2000;
/** Milliseconds to wait for another program that holds the write lock of the database, and between two attempts. */
const recordTimeoutMs = 10_000;
const recordPauseMs = 20;
/** Bytes of parsed shards that stay in memory from build to build. */
const cacheBytes = 64 * 1024 * 1024;
/** Milliseconds between two removals of retired files, while builds follow each other. */
const removalIntervalMs = 10_000;

/** Builds a database into a folder, repeatedly. Parsed shards stay in memory, so that a build costs what its changes cost. */
export class SnapshotBuilder {
  readonly #connection: Connection;
  readonly #folder: OutputFolder;
  readonly #retentionMs: number;
  readonly #now: () => Date;
  readonly #reader: Reader;
  /** The last one that was read: its tables carry over. */
  #snapshot: Snapshot | undefined;
  /** The snapshot whose files this builder has written or checked. */
  #checked: string | undefined;
  /** Number of the last change that this builder has built, or has found built. */
  #revision: number | undefined;
  #lastRemoval = 0;

  /**
   * @param connection for this builder alone: a build holds a read transaction on it
   * @param out folder of the snapshot; created if missing
   * @param options retentionMs: how long the files of replaced snapshots stay for readers that still hold their manifests
   */
  constructor(
    connection: Connection,
    out: string,
    options: { retentionMs?: number | undefined; now?: (() => Date) | undefined } = {},
  ) {
    this.#connection = connection;
    this.#folder = new OutputFolder(out);
    this.#reader = new Reader(fileSource(this.#folder.root), { digest: nodeDigest, cacheBytes });
    this.#retentionMs = options.retentionMs ?? defaultRetentionMs;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Brings the snapshot up to date. One call at a time.
   * @throws FolderBusy if another builder does not finish in time; UserError if the folder holds something else, or a
   *   reference in the database is broken
   */
  async build({
    full = false,
    check = false,
    timeoutMs = 10_000,
  }: BuildOptions = {}): Promise<SnapshotReport> {
    if (check) this.#checked = undefined;
    this.#folder.prepare();
    const unlock = this.#folder.lock(snapshotLockName, timeoutMs);
    try {
      const { report, current } = await readTransaction(this.#connection, async () => ({
        current: revision(this.#connection),
        report: await this.#build(full),
      }));
      const { snapshot, scope, files } = report;
      if (scope !== 'nothing')
        await this.#record({ revision: current, snapshot, fingerprint: productCode() }, files);
      this.#checked = snapshot;
      this.#revision = current;
      const isDue = this.#now().getTime() - this.#lastRemoval >= removalIntervalMs;
      const removed = isDue || scope === 'everything' ? this.#removeRetired() : [];
      return { ...report, files: [...files, ...removed] };
    } catch (error) {
      // The next build checks the folder again.
      this.#checked = undefined;
      throw error;
    } finally {
      unlock();
    }
  }

  /** Whether the database has changes that this builder has not seen, whichever program made them. */
  isBehind(): boolean {
    return revision(this.#connection) !== this.#revision;
  }

  async #build(full: boolean): Promise<SnapshotReport> {
    const current = this.#folder.manifest();
    const found = full ? { reason: '--full was asked for' } : this.#changesIn(current);
    const everything = (cause: Cause) => this.#make(current, { scope: 'everything', ...cause });
    if ('reason' in found) return everything(found);
    const { length } = found.changes;
    if (length === 0) {
      const { snapshot } = found.before;
      return { snapshot, scope: 'nothing', reason: 'nothing changed since the last build', files: [] };
    }
    try {
      return await this.#make(
        current,
        { scope: 'changes', reason: `${counted(length, 'record')} changed` },
        found,
      );
    } catch (error) {
      if (!(error instanceof SnapshotUnavailable)) throw error;
      return everything(damaged(error.message));
    }
  }

  /** The changes since the last build; if they cannot be determined, the cause of a full build. */
  #changesIn(current: Manifest | undefined): Changes | Cause {
    const last = readBuild(this.#connection, this.#folder.root);
    if (last === undefined) return { reason: 'this database was never built into this folder' };
    if (last.fingerprint !== productCode()) return { reason: 'the program changed since the last build' };
    // A build that was killed has replaced the manifest, and the database does not know.
    const isKilled = current?.snapshot !== last.snapshot && last.revision !== revision(this.#connection);
    const before = isKilled ? this.#folder.manifest(lastManifestName) : current;
    if (before?.snapshot !== last.snapshot)
      return { reason: 'the folder does not hold the snapshot of the last build', isRepair: true };
    const damage = this.#checked === last.snapshot ? undefined : snapshotDamage(this.#folder.root, before);
    if (damage !== undefined) return damaged(damage);
    const changes = changesSince(this.#connection, last.revision, maxChanges);
    return changes
      ? { changes, before }
      : { reason: `more than ${maxChanges} records changed, or the change log was cut` };
  }

  async #make(
    current: Manifest | undefined,
    plan: Pick<SnapshotReport, 'scope' | 'reason' | 'isRepair'>,
    incremental?: Changes,
  ): Promise<SnapshotReport> {
    refuseBrokenReferences(this.#connection, incremental?.changes);
    const files: RebuiltFile[] = [];
    const written = (path: string, cause: string) => files.push({ path, action: 'written', cause });
    if (incremental) this.#snapshot = this.#reader.snapshotOf(incremental.before, this.#snapshot);
    const { manifest, bytes } = await compileSnapshot(
      this.#connection,
      (path, shard, cause) => this.#folder.create(path, shard) && written(path, cause),
      incremental && { changes: incremental.changes, before: this.#snapshot! },
    );
    if (!this.#folder.hasBytes(manifestPath, bytes)) {
      // The age of the replaced shards starts before a reader can know the new manifest.
      const now = this.#now();
      for (const path of current ? shardsOnlyIn(current, manifest) : []) this.#folder.retire(path, now);
      if (current && incremental?.before === current)
        this.#folder.replace(lastManifestName, this.#folder.read(manifestPath)!);
      this.#folder.replace(manifestPath, bytes);
      written(manifestPath, incremental ? 'it names every file of the snapshot' : fullBuild);
    }
    return { ...plan, snapshot: manifest.snapshot, files };
  }

  /**
   * Removes the shards that no snapshot in use names and that were retired long enough ago. The snapshots that a layer was made
   * from stay until the layer has caught up. The first removal also takes the parts of files that a killed build or a power cut
   * left, of any age: the current snapshot does not need them, and nothing can be made from them.
   */
  #removeRetired(): RebuiltFile[] {
    const folder = this.#folder;
    const now = this.#now();
    const isFirst = this.#lastRemoval === 0;
    this.#lastRemoval = now.getTime();
    const namedBy = (manifest: Manifest | undefined): string[] => {
      try {
        return manifest ? Array.from(shardsOf(manifest), ({ path }) => path) : [];
      } catch {
        // The index of a layer is damaged: the layer is made again, from the current snapshot.
        return [];
      }
    };
    const current = new Set(namedBy(folder.manifest()));
    const ofLayers = new Set(layerNames.flatMap((layer) => namedBy(folder.layerState(layer)?.manifest)));
    const isRetired = (path: string) => !ofLayers.has(path) && folder.mayRemove(path, this.#retentionMs, now);
    return [...folder.list(shardsFolder), unfinishedManifest]
      .filter((path) => !current.has(path))
      .filter((path) => isRetired(path) || (isFirst && !folder.isWhole(path)))
      .filter((path) => folder.remove(path))
      .map((path) => ({ path, action: 'removed', cause: 'no longer used' }));
  }

  /** Records the build and completes the receipts of the writes that it holds. Waits for other writers without blocking. */
  async #record(state: BuildState, files: readonly RebuiltFile[]): Promise<void> {
    for (const start = performance.now(); ; await pause(recordPauseMs)) {
      try {
        recordBuild(this.#connection, this.#folder.root, state, files);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseBusy) || performance.now() - start > recordTimeoutMs) throw error;
      }
    }
  }
}
