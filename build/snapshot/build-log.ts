/** What was built last into a folder, and what the next build has to make. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RebuiltFile } from '../../api/contract/answers.ts';
import type { Manifest } from '../../api/contract/snapshot.ts';
import { type Change, changesSince, readBuild, recordBuild, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { DatabaseBusy } from '../../data/database/transaction.ts';
import { counted } from '../../data/system/messages.ts';
import { productCode } from './fingerprint.ts';
import { snapshotDamage } from './named-files.ts';
import { lastManifestName, type OutputFolder } from './output-folder.ts';

/** Changed records, and the manifest of the snapshot without the changes. */
export interface Changes {
  changes: readonly Change[];
  before: Manifest;
}

/** How much a build makes. */
export interface Scope {
  scope: 'nothing' | 'changes' | 'everything';
  /** Why that much. */
  reason: string;
  /** Whether that is damage of the folder. */
  isRepair?: boolean;
}

export type BuildPlan = Scope &
  ({ scope: 'nothing' | 'changes'; incremental: Changes } | { scope: 'everything'; incremental?: undefined });

export const everything = (reason: string): BuildPlan => ({ scope: 'everything', reason });
export const repair = (damage: string): BuildPlan => ({
  ...everything(`the last snapshot is damaged: ${damage}`),
  isRepair: true,
});

/** Following more changed records than this costs more than a full build. */
const maxChanges = 2000;
/**
 * Milliseconds to wait for another program that holds the write lock of the database, and between two
 * attempts.
 */
const recordTimeoutMs = 10_000;
const recordPauseMs = 20;

export class BuildLog {
  readonly #connection: Connection;
  readonly #folder: OutputFolder;

  constructor(connection: Connection, folder: OutputFolder) {
    this.#connection = connection;
    this.#folder = folder;
  }

  /** The number of the last change in the database. */
  revision(): number {
    return revision(this.#connection);
  }

  /**
   * What the next build has to make: the changes since the last one, or everything if they cannot be
   * determined.
   * @param current the manifest of the folder
   * @param checked the snapshot whose files are known to be whole
   * @param sources see sourcesText()
   */
  plan(current: Manifest | undefined, checked: string | undefined, sources: string): BuildPlan {
    const last = readBuild(this.#connection, this.#folder.root);
    if (last === undefined) return everything('this database was never built into this folder');
    if (last.fingerprint !== productCode()) return everything('the program changed since the last build');
    // A build was killed after it had replaced the manifest and before it had noted that in the database.
    const isKilled = current?.snapshot !== last.snapshot && last.revision !== this.revision();
    const before = isKilled ? this.#folder.manifest(lastManifestName) : current;
    if (before?.snapshot !== last.snapshot)
      return { ...everything('the folder does not hold the snapshot of the last build'), isRepair: true };
    const damage = checked === last.snapshot ? undefined : snapshotDamage(this.#folder.root, before);
    if (damage !== undefined) return repair(damage);
    const changes = changesSince(this.#connection, last.revision, maxChanges);
    if (changes === undefined)
      return everything(`more than ${maxChanges} records changed, or the change log was cut`);
    const incremental = { changes, before };
    const { length } = changes;
    if (length > 0) return { scope: 'changes', reason: `${counted(length, 'record')} changed`, incremental };
    return JSON.stringify(before.sources) === sources
      ? { scope: 'nothing', reason: 'nothing changed since the last build', incremental }
      : { scope: 'changes', reason: 'no record changed, but the sources of the record did', incremental };
  }

  /**
   * Records a build and completes the receipts of the writes that it holds. Waits for other writers without
   * blocking.
   */
  async record(
    { revision: current, snapshot }: { revision: number; snapshot: string },
    files: readonly RebuiltFile[],
  ): Promise<void> {
    const state = { revision: current, snapshot, fingerprint: productCode() };
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
