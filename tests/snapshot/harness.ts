/** Holds incremental builds against clean ones: sequences of random edits, a build after each few, and no difference ever. */
import fc from 'fast-check';
import { revision } from '../../data/changes.ts';
import type { Connection } from '../../data/open.ts';
import { revive } from './databases.ts';
import { anyEdit, type Edit, makeEdit } from './edits.ts';

/** Where the snapshots of a model are built. */
export interface Stage {
  /** The record from which every sequence starts, its snapshot built. */
  readonly database: Buffer;
  /** Returns to the snapshot of that record. */
  restore(): void;
  /** Builds what changed. @param since number of the last change before */
  build(connection: Connection, since: number): Promise<void>;
  /** Fails unless there is what a clean build of the database makes. */
  expectClean(connection: Connection): Promise<void>;
}

/** Edits from build to build. */
type Sequence = Edit[][];

const anySequence: fc.Arbitrary<Sequence> = fc.array(fc.array(anyEdit, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 3,
});

/** Fails with the shortest sequence found whose incremental builds leave something else than a clean build makes. */
export async function expectIncrementalEqualsClean(stage: Stage, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anySequence, (sequence) => play(stage, sequence)),
    { numRuns },
  );
}

async function play(stage: Stage, sequence: Sequence): Promise<void> {
  stage.restore();
  const connection = revive(stage.database);
  try {
    for (const edits of sequence) {
      const since = revision(connection);
      for (const edit of edits) makeEdit(connection, edit);
      await stage.build(connection, since);
    }
    // Whatever went wrong in one build is still wrong after the next, unless that touched the same file again.
    await stage.expectClean(connection);
  } finally {
    connection.close();
  }
}
