/**
 * The writer on a thread of its own, with the snapshot builder: a GET waits neither for fsync nor for a build. It takes
 * requests from writer-client.ts and reports their outcomes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { FolderBusy } from '../../build/snapshot/output-folder.ts';
import { openDatabase } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { SnapshotQueue } from './snapshot-queue.ts';
import { Writer } from './writer.ts';
import type { WriterLocation, WriterMessage, WriterRequest } from './writer-client.ts';

/** Milliseconds that SQLite waits for another writer. The thread blocks meanwhile. */
const lockTimeoutMs = 250;
/** Milliseconds to wait for another process that builds, and between two attempts. */
const builderTimeoutMs = 10_000;
const builderPauseMs = 20;

/** Milliseconds between two looks for changes by other programs. */
const pollMs = 250;
/** Milliseconds between two checks of the snapshot that requests ask for: each request that meets damage does. */
const minCheckIntervalMs = 250;

const { db, out, checkIntervalMs = 45_000 } = workerData as WriterLocation;
const port = parentPort!;
const tell = (message: WriterMessage) => port.postMessage(message);
const report = (error: unknown) =>
  tell({
    kind: 'error',
    // With the causes. A message for the operator needs no stack.
    text: error instanceof UserError && error.cause === undefined ? error.message : inspect(error),
  });

const connection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// A build holds a read transaction. On the writer's connection, writes would become part of it.
const buildConnection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// The record of a build needs no fsync: after a crash, the next build makes it again.
buildConnection.pragma('synchronous = NORMAL');
const builder = new SnapshotBuilder(buildConnection, out);
const queue = new SnapshotQueue(build, report);
const writer = new Writer(connection, queue, report);

/** Whether the next build compares every shard with its hash. */
let mustCheck = false;
let lastCheck = Number.NEGATIVE_INFINITY;
let nextCheck: NodeJS.Timeout | undefined;

/** Builds as soon as the builders of other processes allow it, without blocking this thread. */
async function build(): Promise<string> {
  for (const start = performance.now(); ; await pause(builderPauseMs)) {
    const began = performance.now();
    const finish = (problem?: { problem: string }) =>
      tell({ kind: 'build', report: { seconds: (performance.now() - began) / 1000, ...problem } });
    try {
      const check = mustCheck;
      const { snapshot } = await builder.build({ check, timeoutMs: 0 });
      if (check) {
        mustCheck = false;
        lastCheck = performance.now();
      }
      finish();
      return snapshot;
    } catch (error) {
      if (error instanceof FolderBusy && performance.now() - start <= builderTimeoutMs) continue;
      finish({ problem: (error as Error).message });
      throw error;
    }
  }
}

function checkSnapshot(): void {
  nextCheck ??= setTimeout(
    () => {
      nextCheck = undefined;
      mustCheck = true;
      queue.request();
    },
    // Node 21 and newer warn on stderr of a negative delay.
    Math.max(0, lastCheck + minCheckIntervalMs - performance.now()),
  );
}

/** Changes by other programs, such as the sqlite3 shell, have no request that starts a build. */
const polling = setInterval(() => builder.isBehind() && queue.request(), pollMs);
const checking = setInterval(checkSnapshot, checkIntervalMs);

async function close(): Promise<void> {
  clearInterval(polling);
  clearInterval(checking);
  clearTimeout(nextCheck);
  await queue.close();
  buildConnection.close();
  connection.close();
  port.close();
}

port.on('message', (message: WriterRequest) => {
  if (message.kind === 'close') close().catch(report);
  else if (message.kind === 'repair') checkSnapshot();
  else
    writer.write(message.request).then(
      (outcome) => tell({ kind: 'outcome', number: message.number, outcome }),
      (error: unknown) => {
        report(error);
        tell({ kind: 'failure', number: message.number });
      },
    );
});

// Warming up only saves time: the first build loads everything that is missing.
if (await queue.settled()) await builder.warm().catch(() => {});
tell({ kind: 'ready' });
