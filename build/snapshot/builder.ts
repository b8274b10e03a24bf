/**
 * Brings a folder up to date with a database, one builder at a time, and notes what the folder now holds. Killed at any point, it leaves a marker behind, and the next build trusts nothing it finds.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResourceName } from '../../api/contract/names.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { type BuildState, noteShown, readBuild, recordBuild } from '../../data/builds.ts';
import { type Change, revision } from '../../data/changes.ts';
import { lockFile } from '../../data/file-lock.ts';
import { refuseBrokenReferences } from '../../data/records.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { Backlog } from './backlog.ts';
import type { Compiled, FileChange } from './compile.ts';
import { bareDocuments, type Documents } from './documents.ts';
import { codeFingerprint } from './fingerprint.ts';
import { FolderOutput, lockName } from './output.ts';
import { everything, type Plan, planOf } from './plan.ts';
import type { Staging } from './staging.ts';

export interface BuildOptions {
  /** Build everything and look at every file. */
  full?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Milliseconds to wait for another builder. Default 10,000. */
  timeoutMs?: number;
}

export interface BuildReport extends Compiled, Pick<Plan, 'scope' | 'reason'> {}

/** Milliseconds that a finished build waits to be noted, and between two attempts: without the note the next is of everything. */
const recordTimeoutMs = 10_000;
const recordPause = 20;
/** Milliseconds left to other builders by one that has more to do: longer than they wait between two looks. */
const othersTurn = 60;
/** Snapshots that other builders may put in each other's place while one is read. */
const maxSuccessors = 5;

/** Another builder holds the folder. */
export class BuilderBusy extends UserError {}

/** What a builder holds while it has the folder for itself: from the first of some builds in a row until nothing is owed. */
interface Session {
  unlock: () => void;
  backlog: Backlog;
  /** What the manifest shows; undefined as long as nothing was built. */
  shown: BuildState | undefined;
  /** What was done since it was last noted. */
  files: readonly FileChange[];
}

/**
 * Builds a database into a folder, as often as wanted. What one build read and made is kept for the next: the second change
 * to a record costs the change alone.
 */
export class Builder {
  readonly #connection: Connection;
  readonly #out: string;
  readonly #root: string;
  readonly #output: FolderOutput;
  readonly #documents: Documents;
  /** Code that changes while it runs is not the code that runs. */
  readonly #fingerprint: string;
  /** Right only for what this builder left behind; the manifest tells whether somebody else was there since. */
  #staging: Staging | undefined;
  #session: Session | undefined;

  /**
   * @param connection for this builder alone: a build holds a read transaction on it
   * @param out folder of the snapshot; created if missing
   * @param documents what the snapshot has besides the record; the same for every builder of a folder, or each builds everything
   */
  constructor(connection: Connection, out: string, documents = bareDocuments) {
    this.#connection = connection;
    this.#out = out;
    this.#root = resolve(out);
    this.#output = new FolderOutput(this.#root);
    this.#documents = documents;
    this.#fingerprint = codeFingerprint(documents);
  }

  /**
   * Brings the folder up to date. One call of build(), show() or finish() at a time.
   * @throws BuilderBusy if another builder does not finish in time; UserError if the folder holds something else, or a
   *   reference is broken
   */
  async build(options: BuildOptions = {}): Promise<BuildReport> {
    await this.finish();
    return this.#orLetGo(async () => {
      const report = await this.#buildInSession(options, undefined);
      await this.finish();
      return report;
    });
  }

  /**
   * Brings the folder up to date as far as answers need it: when it is done they all come from the new snapshot, but pages may
   * be owed, and the folder is kept from other builders until finish(). @throws as build() does
   */
  async show(options: BuildOptions = {}): Promise<BuildReport> {
    return this.#orLetGo(async () => {
      const session = this.#begun(options);
      const report = await this.#buildInSession(options, session.backlog);
      if (report.scope !== 'nothing' && noteShown(this.#connection, session.shown!, session.files))
        session.files = [];
      return report;
    });
  }

  /**
   * Does what show() left to do and lets other builders have the folder.
   * @param timeLeft milliseconds until the next show(), Infinity if none is waited for; what can wait for that is left, unless
   *   another builder asks for the folder
   * @returns whether all is done
   */
  async finish(timeLeft = () => Infinity): Promise<boolean> {
    const session = this.#session;
    if (session === undefined) return true;
    return this.#orLetGo(async () => {
      const { backlog } = session;
      const isUrgent = () => backlog.isFull || this.#output.isAskedFor;
      if (!(await backlog.workOff(this.#output, () => (isUrgent() ? Infinity : timeLeft())))) return false;
      if (session.shown) {
        this.#output.end();
        await this.#record(session.shown, session.files);
      }
      const isAskedFor = this.#output.isAskedFor;
      await this.#letGo();
      if (isAskedFor && timeLeft() < Infinity) await pause(othersTurn);
      return true;
    });
  }

  #begun({ timeoutMs = 10_000 }: BuildOptions): Session {
    if (this.#session) return this.#session;
    this.#output.prepare();
    const unlock = this.#lock(timeoutMs);
    // Known before anything else is done: whatever fails from here on lets go of the lock.
    const session: Session = { unlock, backlog: new Backlog(), shown: undefined, files: [] };
    this.#session = session;
    this.#output.takeTurn();
    return session;
  }

  #lock(timeoutMs: number): () => void {
    const file = join(this.#root, lockName);
    const atOnce = lockFile(file, 0);
    if (atOnce) return atOnce;
    this.#output.askForTurn();
    const unlock = timeoutMs > 0 ? lockFile(file, timeoutMs) : undefined;
    if (unlock === undefined)
      throw new BuilderBusy(`another build is at work on ${this.#out}; try again when it is done`);
    return unlock;
  }

  /** After a failure nothing is trusted that this builder made: the marker it leaves makes the next build one of everything. */
  async #orLetGo<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#staging = undefined;
      await this.#letGo();
      throw error;
    }
  }

  async #letGo(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await this.#output.close();
    session?.unlock();
  }

  async #buildInSession(options: BuildOptions, backlog: Backlog | undefined): Promise<BuildReport> {
    const session = this.#begun(options);
    const { report, state } = await inReadTransaction(this.#connection, () =>
      this.#build(options, session, backlog),
    );
    if (report.scope === 'nothing') return report;
    session.shown = state;
    session.files = [...session.files, ...report.files];
    return report;
  }

  /** Notes the build. Another program that is writing is waited for, but not so that nothing else can be done meanwhile. */
  async #record(state: BuildState, files: readonly FileChange[]): Promise<void> {
    for (const began = performance.now(); ; ) {
      try {
        recordBuild(this.#connection, this.#root, state, files);
        return;
      } catch (error) {
        if (!(error instanceof UserError) || performance.now() - began > recordTimeoutMs) throw error;
        await pause(recordPause);
      }
    }
  }

  /**
   * The ETag of a record's page in the folder; undefined if there is none. Not while show() or build() is at work.
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
        if (!(error instanceof SnapshotUnavailable) || successors === maxSuccessors) throw error;
      }
    }
  }

  /** Makes what every build of a change needs, so that the first one is as fast as the others. */
  async warm(): Promise<void> {
    const { nominationText } = await import('../../api/read/documents.ts');
    const table = await (await (await this.#staged()).inFolder()).nominations();
    for (let row = 0; row < table.count; row += 1) nominationText(table, row);
  }

  async #staged(): Promise<Staging> {
    if (this.#staging === undefined) {
      const { Staging } = await import('./staging.ts');
      this.#staging = new Staging(fileSource(this.#root));
    }
    return this.#staging;
  }

  async #build(
    options: BuildOptions,
    session: Session,
    backlog: Backlog | undefined,
  ): Promise<{ report: BuildReport; state: BuildState }> {
    const current = revision(this.#connection);
    const plan = planOf(this.#connection, this.#root, current, {
      full: options.full === true,
      last: session.shown ?? readBuild(this.#connection, this.#root),
      // What this builder made of the folder, without having noted it yet, is right in spite of its own marker.
      isInterrupted: !session.shown && this.#output.interrupted,
      fingerprint: this.#fingerprint,
    });
    const report = await this.#carryOut(plan, options, backlog);
    const { snapshot } = report;
    return { report, state: { revision: current, snapshot, fingerprint: this.#fingerprint } };
  }

  async #carryOut(plan: Plan, options: BuildOptions, backlog: Backlog | undefined): Promise<BuildReport> {
    const { scope, reason, changes } = plan;
    if (scope === 'nothing')
      return { scope, reason, snapshot: plan.snapshot!, files: [], rendered: 0, total: undefined };
    refuseBrokenReferences(this.#connection, changes);
    this.#output.begin(changes !== undefined);
    try {
      const compiled = await (changes
        ? this.#compileChanges(changes, backlog)
        : this.#compileAll(options, backlog));
      return { ...compiled, scope, reason };
    } catch (error) {
      if (!changes || !(error instanceof SnapshotUnavailable)) throw error;
      return this.#carryOut(everything(`the last snapshot is damaged: ${error.message}`), options, backlog);
    }
  }

  async #compileChanges(changes: readonly Change[], backlog: Backlog | undefined): Promise<Compiled> {
    const { compile } = await import('./compile.ts');
    const staging = await this.#staged();
    return compile({
      connection: this.#connection,
      output: this.#output,
      documents: this.#documents,
      staging,
      incremental: { changes, before: await staging.inFolder() },
      backlog,
    });
  }

  async #compileAll({ onProgress }: BuildOptions, backlog: Backlog | undefined): Promise<Compiled> {
    // Loaded when there is something to do: to find that there is nothing takes a fifth of the modules.
    const [{ compile }, { Staging }] = await Promise.all([import('./compile.ts'), import('./staging.ts')]);
    this.#staging = undefined;
    // It sees to every file itself.
    backlog?.clear();
    return compile({
      connection: this.#connection,
      output: this.#output,
      documents: this.#documents,
      staging: new Staging(undefined),
      incremental: undefined,
      onProgress,
    });
  }
}

/** Builds once; see Builder.build(). */
export function build(
  connection: Connection,
  out: string,
  { documents, ...options }: BuildOptions & { documents?: Documents } = {},
): Promise<BuildReport> {
  return new Builder(connection, out, documents).build(options);
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
