/**
 * Brings a folder up to date with a database: decides how much must be built and why, one builder at a time, and notes what
 * the folder now holds. Killed at any point, it leaves a marker behind, and the next build trusts nothing it finds.
 */
import { join, resolve } from 'node:path';
import { parseManifest } from '../api/contract/snapshot.ts';
import { nodeDigest } from '../api/node/digest.ts';
import { fileSource } from '../api/node/file-source.ts';
import { SnapshotUnavailable } from '../api/read/source.ts';
import { type BuildState, readBuild, recordBuild } from '../data/builds.ts';
import { changesSince, revision } from '../data/changes.ts';
import { lockFile } from '../data/file-lock.ts';
import { refuseBrokenReferences } from '../data/integrity.ts';
import type { Connection } from '../data/open.ts';
import { Refusal } from '../data/refusal.ts';
import type { Compiled, Incremental } from './compile.ts';
import { codeFingerprint } from './fingerprint.ts';
import { FolderOutput, lockName } from './output.ts';

export interface BuildOptions {
  /** Build everything and look at every file. */
  full?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Milliseconds to wait for another builder. Default 10,000. */
  patience?: number;
}

export interface BuildReport extends Compiled {
  scope: 'nothing' | 'changes' | 'everything';
  /** Why that much. */
  reason: string;
}

/** More changed records than this are cheaper to build with everything than to follow one by one. */
const mostChanges = 2000;

/**
 * Builds a database into a folder.
 * @param out folder of the snapshot; created if missing
 * @throws Refusal if another builder does not finish in time, the folder holds something else, or a reference is broken
 */
export async function build(
  connection: Connection,
  out: string,
  options: BuildOptions = {},
): Promise<BuildReport> {
  const root = resolve(out);
  const output = new FolderOutput(root);
  output.prepare();
  const unlock = lockFile(join(root, lockName), options.patience ?? 10_000);
  if (unlock === undefined)
    throw new Refusal(`another build is at work on ${out}; try again when it is done`);
  try {
    const report = await inReadTransaction(connection, async () => {
      const current: Omit<BuildState, 'snapshot'> = {
        revision: revision(connection),
        fingerprint: codeFingerprint(),
      };
      const plan = await planBuild(connection, root, output, options.full === true, current);
      return { ...(await carryOut(connection, output, plan, options)), ...current };
    });
    if (report.scope !== 'nothing') recordBuild(connection, root, report);
    return report;
  } finally {
    await output.close();
    unlock();
  }
}

async function inReadTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  connection.exec('BEGIN');
  try {
    return await work();
  } finally {
    connection.exec('COMMIT');
  }
}

interface Plan {
  scope: BuildReport['scope'];
  reason: string;
  /** The snapshot that is there, for scope "nothing". */
  snapshot?: string;
  incremental?: Incremental;
}

const everything = (reason: string): Plan => ({ scope: 'everything', reason });

async function planBuild(
  connection: Connection,
  root: string,
  output: FolderOutput,
  full: boolean,
  current: Omit<BuildState, 'snapshot'>,
): Promise<Plan> {
  if (full) return everything('--full was asked for');
  const last = readBuild(connection, root);
  if (last === undefined) return everything('this database was never built into this folder');
  if (output.interrupted) return everything('the last build was cut short');
  if (last.fingerprint !== current.fingerprint) return everything('the program changed since the last build');
  const source = fileSource(root);
  const bytes = await source.manifest();
  const manifest = bytes && parseManifest(bytes, nodeDigest);
  if (manifest?.snapshot !== last.snapshot)
    return everything('the folder does not hold the snapshot of the last build');
  const changes = changesSince(connection, last.revision, mostChanges);
  if (changes === undefined)
    return everything(`more than ${mostChanges} records changed, or the change log was cut`);
  if (changes.length === 0)
    return { scope: 'nothing', reason: 'nothing changed since the last build', snapshot: last.snapshot };
  const { Reader } = await import('../api/read/reader.ts');
  const before = await new Reader(source, { digest: nodeDigest }).current();
  return {
    scope: 'changes',
    reason: changes.length === 1 ? '1 record changed' : `${changes.length} records changed`,
    incremental: { changes, before, source },
  };
}

async function carryOut(
  connection: Connection,
  output: FolderOutput,
  plan: Plan,
  options: BuildOptions,
): Promise<BuildReport> {
  const { scope, reason, incremental } = plan;
  if (scope === 'nothing')
    return { scope, reason, snapshot: plan.snapshot!, files: [], rendered: 0, total: undefined };
  refuseBrokenReferences(connection);
  output.begin();
  try {
    // Loaded when there is something to do: to find that there is nothing takes a fifth of the modules.
    const { compile } = await import('./compile.ts');
    const compiled = await compile({ connection, output, incremental, onProgress: options.onProgress });
    output.end();
    return { ...compiled, scope, reason };
  } catch (error) {
    if (!incremental || !(error instanceof SnapshotUnavailable)) throw error;
    return carryOut(
      connection,
      output,
      everything(`the last snapshot is damaged: ${error.message}`),
      options,
    );
  }
}
