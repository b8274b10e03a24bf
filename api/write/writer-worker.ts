/**
 * The writer on a thread of its own, with the snapshot builder: a GET waits neither for fsync nor for a
 * build. writing.ts sends the writes, by writer-thread.ts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { FolderCheck } from '../../build/snapshot/folder-check.ts';
import { FolderBusy } from '../../build/snapshot/output-folder.ts';
import { openDatabase } from '../../data/database/open.ts';
import { moveOf, saveDeletedLog } from '../../data/database/place.ts';
import { UserError } from '../../data/system/messages.ts';
import { publicReason } from '../contract/problems.ts';
import { Writer } from './writer.ts';
import { type BuildReport, type WriterLocation, writerThreadEnd } from './writer-thread.ts';

/** Milliseconds that SQLite waits for another writer. The thread blocks meanwhile. */
const lockTimeoutMs = 250;
/** Milliseconds to wait for another process that builds, and between two attempts. */
const builderTimeoutMs = 10_000;
const builderPauseMs = 20;
/**
 * Milliseconds between two looks for changes by other programs, such as the sqlite3 shell, and for damage to
 * repair.
 */
const pollMs = 500;
/** Milliseconds between two steps of the check of files: many looks at once cost less than a few. */
const maxStepMs = 2000;

const { db, out, checkIntervalMs = 55_000 } = workerData as WriterLocation;
const service = writerThreadEnd(parentPort!);
/** With the causes. A message for the operator needs no stack. */
const report = (error: unknown) =>
  service.tellError(error instanceof UserError && error.cause === undefined ? error.message : inspect(error));

service.tellLoaded();

const connection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// A build holds a read transaction. On the writer's connection, writes would become part of it.
const buildConnection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// The record of a build needs no fsync: after a crash, the next build makes it again.
buildConnection.pragma('synchronous = NORMAL');
const builder = new SnapshotBuilder(buildConnection, out);
const writer = new Writer(connection, build, report);

/**
 * Whether a build has to compare every shard with its hash again. The builder itself does so after a failure.
 */
let mustCheck = false;

/** Builds as soon as the builders of other processes allow it, without blocking this thread. */
async function build(): Promise<string> {
  const check = mustCheck;
  mustCheck = false;
  for (const start = performance.now(); ; await pause(builderPauseMs)) {
    const began = performance.now();
    const finish = (result: Omit<BuildReport, 'seconds'>) =>
      service.tellBuild({ seconds: (performance.now() - began) / 1000, ...result });
    try {
      const { snapshot, isRepair, reason } = await builder.build({ check, timeoutMs: 0 });
      finish(isRepair ? { repair: `the snapshot, because ${reason}` } : {});
      return snapshot;
    } catch (error) {
      if (error instanceof FolderBusy && performance.now() - start <= builderTimeoutMs) continue;
      finish({ problem: publicReason(error) });
      throw error;
    }
  }
}

/** The file that the last look did not find in its place. */
let moved: string | undefined;
function lookAtPlace(): void {
  const move = moveOf(connection, 'writes are refused');
  try {
    if (move) saveDeletedLog(connection);
  } catch {
    // The next look tries again. The move is reported.
  }
  if (move && move.path !== moved) report(move);
  moved = move?.path;
}

/** Begins after the first build, which checks the snapshot. */
let files: FolderCheck | undefined;
function checkFiles(): void {
  for (const owner of files?.step() ?? [])
    if (owner === 'snapshot') mustCheck = true;
    else service.tellDamage(owner);
}

const polling = setInterval(() => {
  lookAtPlace();
  if (mustCheck || builder.isBehind() || builder.isRemovalDue) writer.request();
}, pollMs);
const checking = setInterval(checkFiles, Math.min(maxStepMs, checkIntervalMs / 4));

service.obey({
  write: (request) => writer.write(request),
  repair() {
    mustCheck = true;
  },
  async close() {
    clearInterval(polling);
    clearInterval(checking);
    await writer.close();
    buildConnection.close();
    connection.close();
  },
});

// The folder may lack changes of other programs.
await writer.published();
files = new FolderCheck(out, { intervalMs: checkIntervalMs });
service.tellReady();
