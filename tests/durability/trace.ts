/** The calls of an undisturbed run of the sequence of writes, and the proof that it is one. */
import { expect } from 'vitest';
import { interceptCalls } from './calls.ts';
import { Desk } from './desk.ts';
import type { Place } from './place.ts';
import { kindOf, sendAll, undisturbed } from './writes.ts';

/** @returns the name of each call, in order */
export async function traceCalls({ folder, db, out }: Place): Promise<string[]> {
  const names: string[] = [];
  const interception = interceptCalls(folder, ({ name }, proceed) => {
    names.push(name);
    return proceed();
  });
  try {
    const desk = new Desk(db, out);
    const kinds: string[] = [];
    await sendAll(desk.write, (_, outcome) => {
      kinds.push(kindOf(outcome));
    });
    await desk.close();
    expect(desk.troubles).toEqual([]);
    expect(kinds).toEqual(undisturbed);
  } finally {
    interception.end();
  }
  return names;
}
