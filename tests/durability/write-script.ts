/**
 * A process that makes the sequence of writes, prints each acknowledgement at once, and kills itself at its Nth call to the file
 * system or to SQLite: FOLDER [N MANNER]. Without N it runs to the end.
 */
import { writeSync } from 'node:fs';
import { workspaceIn } from '../support/workspace.ts';
import { interceptCalls, writeHalf } from '../support/intercepted-calls.ts';
import { type Acknowledgement, sendAll, WriterHarness } from '../support/writes.ts';

/** A process ends before its Nth call, after it, or in the middle where that call writes a file. */
export type Manner = 'before' | 'after' | 'halfway';

const [folder = '', last, manner] = process.argv.slice(2) as [string?, string?, Manner?];
const { db, out } = workspaceIn(folder);

interceptCalls(folder, (call, proceed) => {
  if (call.number !== Number(last)) return proceed();
  if (manner === 'after') proceed();
  if (manner === 'halfway') writeHalf(call);
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at the end of the system call: nothing more happens.
  throw new Error('still alive');
});

const harness = new WriterHarness(db, out);
await sendAll(harness.write, (order, done) => {
  if ('problem' in done) return;
  // Not through a stream: the parent must read what was printed before the end.
  writeSync(1, `${JSON.stringify({ order, done } satisfies Acknowledgement)}\n`);
});
await harness.close();
for (const error of harness.errors) writeSync(2, `${String(error)}\n`);
