/**
 * The writer on a thread of its own, with the builder: neither the database's waiting for the disk nor a build holds up a
 * GET. Takes orders from threaded-writer.ts and reports what became of them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Builder, BuilderBusy } from '../../build/snapshot/builder.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { openDatabase } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { SnapshotQueue } from '../write/snapshot-queue.ts';
import { Writer } from '../write/writer.ts';
import type { WriterMessage, WriterOrder, WriterPlace } from './writer-client.ts';

/** Milliseconds SQLite may wait for another writer, and nothing else be done here. */
const lockTimeoutMs = 250;
/** Milliseconds another builder gets to finish, and between two looks whether it has. */
const builderTimeoutMs = 10_000;
const builderPause = 20;

const { db, out, site } = workerData as WriterPlace;
const port = parentPort!;
const tell = (message: WriterMessage) => port.postMessage(message);
const trouble = (error: unknown) =>
  tell({
    kind: 'trouble',
    // What a person can act on needs no stack.
    text: error instanceof UserError ? error.message : ((error as Error | undefined)?.stack ?? String(error)),
  });

const connection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// A build holds a read transaction from beginning to end; on the writer's connection, writes would become part of it.
const buildConnection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs });
// What it notes follows from the record and the folder: lost with the machine's power, it is found out and made again, and it
// never gets ahead of a write, which stands before it in the same log. So it need not wait for the disk.
buildConnection.pragma('synchronous = NORMAL');
const builder = new Builder(buildConnection, out, site ? siteDocuments : undefined);
const rebuilds = new SnapshotQueue(
  {
    show: shownInTurn,
    finish: (timeLeft) => builder.finish(timeLeft),
    pageETag: (resource, id) => builder.pageETag(resource, id),
  },
  trouble,
);
const writer = new Writer(connection, rebuilds, trouble);

/** Builds as soon as other processes' builders let it, without holding up this thread meanwhile. */
async function shownInTurn(): Promise<string> {
  for (const began = performance.now(); ; ) {
    try {
      return (await builder.show({ timeoutMs: 0 })).snapshot;
    } catch (error) {
      if (!(error instanceof BuilderBusy) || performance.now() - began > builderTimeoutMs) throw error;
      await pause(builderPause);
    }
  }
}

async function close(): Promise<void> {
  await rebuilds.close();
  buildConnection.close();
  connection.close();
  port.close();
}

port.on('message', (order: WriterOrder) => {
  if (order.kind === 'close') close().catch(trouble);
  else
    writer.write(order.order).then(
      (outcome) => tell({ kind: 'outcome', number: order.number, outcome }),
      (error: unknown) => {
        trouble(error);
        tell({ kind: 'failure', number: order.number });
      },
    );
});

// It only saves time: what cannot be read now, because another builder is at work, the next build will read.
if (await rebuilds.settled()) await builder.warm().catch(() => {});
tell({ kind: 'ready' });
