/**
 * Brings the shards and the manifest of a folder up to date with a database. Derived files follow the
 * snapshot on their own: see build/derived.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import type { Connection } from '../../data/database/open.ts';
import { readTransaction } from '../../data/database/transaction.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';
import { BuildLog, type BuildPlan, everything, repair, type Scope } from './build-log.ts';
import { compileSnapshot, fullBuild, sourcesText } from './compile.ts';
import { OutputFolder, snapshotLockName } from './output-folder.ts';
import { type RetentionOptions, SnapshotFiles } from './snapshot-files.ts';

export interface BuildOptions {
  /** Make every shard, and compare every file with the disk. */
  full?: boolean | undefined;
  /** Compare every shard with its hash. The first build of a builder always does. */
  check?: boolean | undefined;
  /** Milliseconds to wait for another process that builds. Default 10,000. */
  timeoutMs?: number | undefined;
}

export interface SnapshotReport extends Scope {
  snapshot: string;
  files: RebuiltFile[];
}

/**
 * Builds a database into a folder, repeatedly. Parsed shards stay in memory, so that a build costs what its
 * changes cost.
 */
export class SnapshotBuilder {
  readonly #connection: Connection;
  readonly #folder: OutputFolder;
  readonly #log: BuildLog;
  readonly #files: SnapshotFiles;
  /** The snapshot whose files this builder has written or checked. */
  #checked: string | undefined;
  /** Number of the last change that this builder has built, or has found built. */
  #revision: number | undefined;
  /** The sources of the record that this builder has built, or has found built. */
  #sources: string | undefined;

  /**
   * @param connection for this builder alone: a build holds a read transaction on it
   * @param out folder of the snapshot; created if missing
   */
  constructor(connection: Connection, out: string, options: RetentionOptions = {}) {
    this.#connection = connection;
    this.#folder = new OutputFolder(out);
    this.#log = new BuildLog(connection, this.#folder);
    this.#files = new SnapshotFiles(this.#folder, options);
  }

  /**
   * Brings the snapshot up to date. One call at a time.
   * @throws FolderBusy if another builder does not finish in time; UserError if the folder holds something
   *   else, or a reference in the database is broken
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
      const { report, current, sources } = await readTransaction(this.#connection, async () => {
        const now = { current: this.#log.revision(), sources: sourcesText(this.#connection) };
        return { ...now, report: await this.#build(full, now.sources) };
      });
      const { snapshot, scope, files } = report;
      if (scope !== 'nothing') await this.#log.record({ revision: current, snapshot }, files);
      if (scope !== 'nothing' || current !== this.#revision) this.#files.noteRetired();
      this.#checked = snapshot;
      this.#revision = current;
      this.#sources = sources;
      const isDue = this.#files.isRemovalDue('ofBuilds') || scope === 'everything';
      const removed = isDue ? this.#files.removeRetired() : [];
      return { ...report, files: [...files, ...removed] };
    } catch (error) {
      // The next build checks the folder again.
      this.#checked = undefined;
      throw error;
    } finally {
      unlock();
    }
  }

  /**
   * Whether the database has changes, or other sources, that this builder has not seen, whichever program
   * made them.
   */
  isBehind(): boolean {
    return this.#log.revision() !== this.#revision || sourcesText(this.#connection) !== this.#sources;
  }

  /** Whether a build has files of replaced snapshots to remove, though nothing changed. */
  get isRemovalDue(): boolean {
    return this.#files.isRemovalDue('ofNone');
  }

  async #build(full: boolean, sources: string): Promise<SnapshotReport> {
    const current = this.#folder.manifest();
    const plan = full ? everything('--full was asked for') : this.#log.plan(current, this.#checked, sources);
    if (plan.scope === 'nothing') {
      const { incremental, ...scope } = plan;
      return { snapshot: incremental.before.snapshot, ...scope, files: [] };
    }
    try {
      return await this.#make(current, plan);
    } catch (error) {
      if (plan.scope === 'everything' || !(error instanceof SnapshotUnavailable)) throw error;
      return this.#make(current, repair(error.message));
    }
  }

  async #make(current: Manifest | undefined, { incremental, ...scope }: BuildPlan): Promise<SnapshotReport> {
    refuseBrokenReferences(this.#connection, incremental?.changes);
    const files: RebuiltFile[] = [];
    const written = (path: string, cause: string) => files.push({ path, action: 'written', cause });
    const compiled = await compileSnapshot(
      this.#connection,
      (path, shard, cause) => this.#folder.create(path, shard) && written(path, cause),
      incremental && { changes: incremental.changes, before: this.#files.read(incremental.before) },
    );
    if (this.#files.replace(current, compiled, incremental?.before))
      written(manifestPath, incremental ? 'it names every file of the snapshot' : fullBuild);
    return { ...scope, snapshot: compiled.manifest.snapshot, files };
  }
}
