/**
 * Brings the shards and the manifest of a folder up to date with a database. Derived files follow the snapshot on their own:
 * see build/derived.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { formatVersion, type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { shardsOnlyIn } from '../../api/read/walk.ts';
import { type BuildState, readBuild, recordBuild } from '../../data/database/builds.ts';
import { type Change, changesSince, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';
import { DatabaseBusy, readTransaction } from '../../data/database/transaction.ts';
import { compileSnapshot, fullBuild } from './compile.ts';
import { snapshotDamage } from './damage.ts';
import { productCode } from './fingerprint.ts';
import { lastManifestName, OutputFolder, snapshotLockName } from './output-folder.ts';
import { defaultRetentionMs, removeRetired } from './retention.ts';

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
  files: RebuiltFile[];
}

interface Plan extends Pick<SnapshotReport, 'scope' | 'reason'> {
  /** For scope "changes": the records, and the manifest of the snapshot without the changes. */
  incremental?: { changes: readonly Change[]; before: Manifest };
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
      const { report, state } = await readTransaction(this.#connection, () => this.#build(full));
      if (report.scope !== 'nothing') await this.#record(state, report.files);
      this.#checked = state.snapshot;
      this.#revision = state.revision;
      const now = this.#now();
      const isFirst = this.#lastRemoval === 0;
      const isDue = now.getTime() - this.#lastRemoval >= removalIntervalMs;
      if (report.scope !== 'everything' && !isDue) return report;
      this.#lastRemoval = now.getTime();
      const removed = removeRetired(this.#folder, this.#retentionMs, now, isFirst);
      return { ...report, files: report.files.concat(removed) };
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

  /** A snapshot whose shards are in the folder. Parsed shards and tables carry over from call to call. */
  #snapshotOf(manifest: Manifest): Snapshot {
    this.#snapshot = this.#reader.snapshotOf(manifest, this.#snapshot);
    return this.#snapshot;
  }

  /** Loads what every incremental build needs, so that the first one is as fast as the others. */
  async warm(): Promise<void> {
    const manifest = this.#folder.manifest();
    if (manifest === undefined) return;
    const snapshot = this.#snapshotOf(manifest);
    await Promise.all((['nominations', 'titles', 'names'] as const).map((table) => snapshot.table(table)));
  }

  async #build(full: boolean): Promise<{ report: SnapshotReport; state: BuildState }> {
    const current = revision(this.#connection);
    const manifest = this.#folder.manifest();
    let plan = this.#plan(full, current, manifest);
    let report: SnapshotReport;
    try {
      report = await this.#carryOut(plan, manifest);
    } catch (error) {
      if (plan.scope === 'everything' || !(error instanceof SnapshotUnavailable)) throw error;
      plan = everything(`the last snapshot is damaged: ${error.message}`);
      report = await this.#carryOut(plan, manifest);
    }
    return { report, state: { revision: current, snapshot: report.snapshot, fingerprint: productCode() } };
  }

  /** How much must be built, and why. @param manifest of the folder, if there is one that is valid */
  #plan(full: boolean, current: number, manifest: Manifest | undefined): Plan {
    if (full) return everything('--full was asked for');
    const oldFormat = manifest ? undefined : this.#folder.oldFormat();
    if (oldFormat === formatVersion) return everything('the manifest is damaged');
    if (oldFormat !== undefined)
      return everything(
        `the folder has snapshot format ${oldFormat}, and this program writes format ${formatVersion}`,
      );
    const last = readBuild(this.#connection, this.#folder.root);
    if (last === undefined) return everything('this database was never built into this folder');
    if (last.fingerprint !== productCode()) return everything('the program changed since the last build');
    const isNoted = manifest?.snapshot === last.snapshot;
    const isSame = last.revision === current;
    // A build that was killed has replaced the manifest, and the database does not know.
    const isKilled = manifest !== undefined && !isNoted && !isSame;
    const before = isKilled ? this.#folder.manifest(lastManifestName) : manifest;
    if (before?.snapshot !== last.snapshot)
      return everything('the folder does not hold the snapshot of the last build');
    const damage = this.#checked === last.snapshot ? undefined : snapshotDamage(this.#folder.root, before);
    if (damage !== undefined) return everything(`the last snapshot is damaged: ${damage}`);
    if (isSame) return { scope: 'nothing', reason: 'nothing changed since the last build' };
    const changes = changesSince(this.#connection, last.revision, maxChanges);
    if (changes === undefined)
      return everything(`more than ${maxChanges} records changed, or the change log was cut`);
    const reason = changes.length === 1 ? '1 record changed' : `${changes.length} records changed`;
    return { scope: 'changes', reason, incremental: { changes, before } };
  }

  async #carryOut(
    { scope, reason, incremental }: Plan,
    current: Manifest | undefined,
  ): Promise<SnapshotReport> {
    if (scope === 'nothing') return { scope, reason, snapshot: current!.snapshot, files: [] };
    refuseBrokenReferences(this.#connection, incremental?.changes);
    const files: RebuiltFile[] = [];
    const written = (path: string, cause: string) => files.push({ path, action: 'written', cause });
    const put = (path: string, bytes: Uint8Array, cause: string): void => {
      if (this.#folder.create(path, bytes)) written(path, cause);
    };
    const { manifest, bytes } = await compileSnapshot(
      this.#connection,
      put,
      incremental && { ...incremental, before: this.#snapshotOf(incremental.before) },
    );
    if (current?.snapshot === manifest.snapshot && this.#folder.hasBytes(manifestPath, bytes))
      return { scope, reason, snapshot: manifest.snapshot, files };
    if (current) {
      // The age of the replaced shards starts before a reader can know the new manifest.
      const now = this.#now();
      for (const path of shardsOnlyIn(current, manifest)) this.#folder.retire(path, now);
    }
    const before = incremental && this.#folder.read(manifestPath);
    if (before && current === incremental.before)
      writeFileSync(join(this.#folder.root, lastManifestName), before);
    this.#folder.replace(manifestPath, bytes);
    written(manifestPath, incremental ? 'it names every file of the snapshot' : fullBuild);
    return { scope, reason, snapshot: manifest.snapshot, files };
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

const everything = (reason: string): Plan => ({ scope: 'everything', reason });
