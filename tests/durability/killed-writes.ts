/**
 * A process that makes the sequence of writes, says at once what is acknowledged, and kills itself at its Nth call to the file
 * system or to SQLite: FOLDER [N MANNER]. Without N it lives to the end.
 */
import { writeSync } from 'node:fs';
import { interceptCalls, writeHalf } from './calls.ts';
import { Desk } from './desk.ts';
import { placeIn } from './place.ts';
import { type Acknowledgement, sendAll } from './writes.ts';

/** When a process ends: before its Nth call is made, after it, or in the middle where that call writes a file. */
export type Manner = 'before' | 'after' | 'halfway';

const [folder, last, manner] = process.argv.slice(2) as [string, string?, Manner?];
const { db, out } = placeIn(folder);

interceptCalls(folder, (call, proceed) => {
  if (call.number !== Number(last)) return proceed();
  if (manner === 'after') proceed();
  if (manner === 'halfway' && call.name === 'writeFileSync') writeHalf(call);
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at the end of the system call: nothing more happens.
  throw new Error('still alive');
});

const desk = new Desk(db, out);
await sendAll(desk.write, (order, done) => {
  if ('problem' in done) return;
  // Not through a stream: what was said before the end has been heard.
  writeSync(1, `${JSON.stringify({ order, done } satisfies Acknowledgement)}\n`);
});
await desk.close();
for (const trouble of desk.troubles) writeSync(2, `${String(trouble)}\n`);
