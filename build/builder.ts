/**
 * Brings a folder up to date with a database: decides how much must be built and why, one builder at a time, and notes what
 * the folder now holds. Killed at any point, it leaves a marker behind, and the next build trusts nothing it finds.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResourceName } from '../api/contract/names.ts';
import { parseManifest } from '../api/contract/snapshot.ts';
import { nodeDigest } from '../api/node/digest.ts';
import { blockingFileSource } from '../api/node/file-source.ts';
import { SnapshotUnavailable } from '../api/read/source.ts';
import { type BuildState, noteShown, readBuild, recordBuild } from '../data/builds.ts';
import { type Change, changesSince, revision } from '../data/changes.ts';
import { lockFile } from '../data/file-lock.ts';
import { refuseBrokenReferences } from '../data/integrity.ts';
import type { Connection } from '../data/open.ts';
import { Refusal } from '../data/refusal.ts';
import type { Compiled, FileChange } from './compile.ts';
import { codeFingerprint } from './fingerprint.ts';
import { FolderOutput, lockName } from './output.ts';
import type { Staging } from './staging.ts';

export interface BuildOptions {
  /** Build everything and look at every file. */
  full?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Milliseconds to wait for another builder. Default 10,000. */
  patience?: number;
  /** Called once, as soon as whoever reads by the manifest reads the new snapshot; pages may be written after it. */
  onShown?: ((snapshot: string) => Promise<void>) | undefined;
}

export interface BuildReport extends Compiled {
  scope: 'nothing' | 'changes' | 'everything';
  /** Why that much. */
  reason: string;
}

/** More changed records than this are cheaper to build with everything than to follow one by one. */
const mostChanges = 2000;
/** Milliseconds that a finished build waits to be noted, and between two attempts: without the note the next is of everything. */
const recordPatience = 10_000;
const recordPause = 20;
/** Snapshots that other builders may put in each other's place while one is read. */
const mostSuccessors = 5;

/** Another builder holds the folder. */
export class BuilderBusy extends Refusal {}

/**
 * Builds a database into a folder, as often as wanted. What one build read and made is kept for the next: the second change
 * to a record costs the change alone.
 */
export class Builder {
  readonly #connection: Connection;
  readonly #out: string;
  readonly #root: string;
  readonly #output: FolderOutput;
  /** Code that changes while it runs is not the code that runs. */
  readonly #fingerprint = codeFingerprint();
  /** Right only for what this builder left behind; the manifest tells whether somebody else was there since. */
  #staging: Staging | undefined;

  /**
   * @param connection for this builder alone: a build holds a read transaction on it
   * @param out folder of the snapshot; created if missing
   */
  constructor(connection: Connection, out: string) {
    this.#connection = connection;
    this.#out = out;
    this.#root = resolve(out);
    this.#output = new FolderOutput(this.#root);
  }

  /**
   * Brings the folder up to date. One at a time: not to be called again before it is done.
   * @throws BuilderBusy if another builder does not finish in time; Refusal if the folder holds something else, or a
   *   reference is broken
   */
  async build(options: BuildOptions = {}): Promise<BuildReport> {
    this.#output.prepare();
    const unlock = lockFile(join(this.#root, lockName), options.patience ?? 10_000);
    if (unlock === undefined)
      throw new BuilderBusy(`another build is at work on ${this.#out}; try again when it is done`);
    try {
      let isShown = false;
      const onShown = async (snapshot: string) => {
        isShown = true;
        await options.onShown?.(snapshot);
      };
      const report = await inReadTransaction(this.#connection, () =>
        this.#build({ ...options, onShown: options.onShown && onShown }),
      );
      if (report.scope !== 'nothing') await this.#record(report);
      if (!isShown) await onShown(report.snapshot);
      return report;
    } catch (error) {
      this.#staging = undefined;
      throw error;
    } finally {
      await this.#output.close();
      unlock();
    }
  }

  /** Notes the build. Another program that is writing is waited for, but not so that nothing else can be done meanwhile. */
  async #record(report: BuildReport & BuildState): Promise<void> {
    for (const began = performance.now(); ; ) {
      try {
        recordBuild(this.#connection, this.#root, report, report.files);
        return;
      } catch (error) {
        if (!(error instanceof Refusal) || performance.now() - began > recordPatience) throw error;
        await pause(recordPause);
      }
    }
  }

  /**
   * The ETag of a record's page in the folder; undefined if there is none. Not while build() is at work.
   * @throws SnapshotUnavailable
   */
  async pageETag(resource: ResourceName, id: number): Promise<string | undefined> {
    const staging = await this.#staged();
    for (let successors = 0; ; successors += 1) {
      try {
        const hash = await staging.pageHash(resource, id);
        return hash && `"${hash}"`;
      } catch (error) {
        // Another builder may replace the snapshot while it is read.
        if (!(error instanceof SnapshotUnavailable) || successors === mostSuccessors) throw error;
      }
    }
  }

  /** Makes what every build of a change needs, so that the first one is as fast as the others. */
  async warm(): Promise<void> {
    const { nominationText } = await import('../api/read/documents.ts');
    const table = await (await (await this.#staged()).inFolder()).nominations();
    for (let row = 0; row < table.count; row += 1) nominationText(table, row);
  }

  async #staged(): Promise<Staging> {
    if (this.#staging === undefined) {
      const { Staging } = await import('./staging.ts');
      this.#staging = new Staging(blockingFileSource(this.#root));
    }
    return this.#staging;
  }

  async #build(options: BuildOptions): Promise<BuildReport & { revision: number; fingerprint: string }> {
    const current = { revision: revision(this.#connection), fingerprint: this.#fingerprint };
    const plan = await this.#plan(options.full === true, current.revision);
    const report = await this.#carryOut(plan, current.revision, options);
    return { ...report, ...current };
  }

  async #plan(full: boolean, current: number): Promise<Plan> {
    const last = readBuild(this.#connection, this.#root);
    if (full) return everything('--full was asked for');
    if (last === undefined) return everything('this database was never built into this folder');
    if (this.#output.interrupted) return everything('the last build was cut short');
    if (last.fingerprint !== this.#fingerprint) return everything('the program changed since the last build');
    if ((await snapshotIn(this.#root)) !== last.snapshot)
      return everything('the folder does not hold the snapshot of the last build');
    if (last.revision === current)
      return { scope: 'nothing', reason: 'nothing changed since the last build', snapshot: last.snapshot };
    const changes = changesSince(this.#connection, last.revision, mostChanges);
    if (changes === undefined)
      return everything(`more than ${mostChanges} records changed, or the change log was cut`);
    return {
      scope: 'changes',
      reason: changes.length === 1 ? '1 record changed' : `${changes.length} records changed`,
      changes,
    };
  }

  async #carryOut(plan: Plan, current: number, options: BuildOptions): Promise<BuildReport> {
    const { scope, reason, changes } = plan;
    if (scope === 'nothing')
      return { scope, reason, snapshot: plan.snapshot!, files: [], rendered: 0, total: undefined };
    refuseBrokenReferences(this.#connection, changes);
    this.#output.begin(changes !== undefined);
    try {
      const compiled = await this.#compile(changes, current, options);
      this.#output.end();
      return { ...compiled, scope, reason };
    } catch (error) {
      if (!changes || !(error instanceof SnapshotUnavailable)) throw error;
      return this.#carryOut(everything(`the last snapshot is damaged: ${error.message}`), current, options);
    }
  }

  async #compile(
    changes: readonly Change[] | undefined,
    current: number,
    { onProgress, onShown }: BuildOptions,
  ): Promise<Compiled> {
    // Loaded when there is something to do: to find that there is nothing takes a fifth of the modules.
    const [{ compile }, { Staging }] = await Promise.all([import('./compile.ts'), import('./staging.ts')]);
    const connection = this.#connection;
    const output = this.#output;
    if (changes === undefined) {
      this.#staging = undefined;
      return compile({
        connection,
        output,
        staging: new Staging(undefined),
        incremental: undefined,
        onProgress,
      });
    }
    const staging = await this.#staged();
    const incremental = { changes, before: await staging.inFolder() };
    const shown = async (snapshot: string, files: readonly FileChange[]) => {
      // Nothing is read of the database any more; and within the build's own transaction nothing can be written.
      connection.exec('COMMIT');
      noteShown(connection, { revision: current, snapshot }, files);
      await onShown?.(snapshot);
    };
    return compile({
      connection,
      output,
      staging,
      incremental,
      onProgress,
      onShown: onShown && shown,
    });
  }
}

/** Builds once; see Builder.build(). */
export function build(connection: Connection, out: string, options: BuildOptions = {}): Promise<BuildReport> {
  return new Builder(connection, out).build(options);
}

async function inReadTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  // One that could not be ended would keep every later build from beginning.
  if (connection.inTransaction) connection.exec('ROLLBACK');
  connection.exec('BEGIN');
  try {
    return await work();
  } finally {
    // After some errors SQLite has ended it already; what went wrong is for the caller to hear, not that.
    if (connection.inTransaction) connection.exec('COMMIT');
  }
}

/** The id of the snapshot in a folder; undefined if there is none that can be read. */
async function snapshotIn(root: string): Promise<string | undefined> {
  const bytes = await blockingFileSource(root).manifest();
  return bytes && parseManifest(bytes, nodeDigest)?.snapshot;
}

interface Plan {
  scope: BuildReport['scope'];
  reason: string;
  /** The snapshot that is there, for scope "nothing". */
  snapshot?: string;
  /** For scope "changes". */
  changes?: readonly Change[];
}

const everything = (reason: string): Plan => ({ scope: 'everything', reason });
