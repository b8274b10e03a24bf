/** Random sequences of edits with a build after each few: every incremental build must equal a clean one. */
import fc from 'fast-check';
import { revision } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { revive } from './databases.ts';
import { anyEdit, type Edit, makeEdit } from './random-edits.ts';

/** A place for builds. */
export interface Harness {
  /** The record at the start of every sequence, after its build. */
  readonly database: Buffer;
  /** Returns to the build of that record. */
  restore(): void;
  /** Builds what changed. @param since number of the last change before */
  build(connection: Connection, since: number): Promise<void>;
  /** Fails unless the shards and the layers equal a clean build of the database. */
  expectClean(connection: Connection): Promise<void>;
}

export const anyEdits: fc.Arbitrary<Edit[]> = fc.array(anyEdit, { minLength: 1, maxLength: 6 });

/** Fails with the shortest sequence found after which a build differs from a clean one. */
export async function expectIncrementalEqualsClean(harness: Harness, numRuns: number): Promise<void> {
  const sequences = fc.array(anyEdits, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(sequences, (sequence) => play(harness, sequence)),
    { numRuns },
  );
}

async function play(harness: Harness, sequence: readonly Edit[][]): Promise<void> {
  harness.restore();
  const connection = revive(harness.database);
  try {
    for (const edits of sequence) {
      const since = revision(connection);
      for (const edit of edits) makeEdit(connection, edit);
      await harness.build(connection, since);
    }
    // Compared once at the end: a wrong file stays wrong until a later build replaces it.
    await harness.expectClean(connection);
  } finally {
    connection.close();
  }
}
