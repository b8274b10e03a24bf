/**
 * The promise: the process that takes writes may be killed at any call it makes to the file system or to SQLite. Whatever it
 * acknowledged is in the record with its receipt, whatever it did not is there as a whole or not at all, readers find whole
 * files only, and the next start makes the snapshot right.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { exhaustive, runs } from '../settings.ts';
import { bundled } from './bundle.ts';
import type { Manner } from './killed-writes.ts';
import { Stage } from './stage.ts';
import { traceCalls } from './trace.ts';
import { useMemoryFolder } from './workspace.ts';
import { type End, faultsAfter, isComplete } from './writing-process.ts';

const at = useMemoryFolder();
let stage: Stage;
let script: string;
/** Of an undisturbed run: the name of each call, in order. */
let trace: readonly string[];
beforeAll(async () => {
  stage = await Stage.prepare(at('original'));
  script = await bundled('./killed-writes.ts', at('.'));
  trace = await traceCalls(stage.copyTo(at('trace')));
});

interface Death {
  call: number;
  manner: Manner;
}

/** Two at a time: one of them waits for its process to begin. */
async function expectNoFaults(deaths: readonly Death[]): Promise<void> {
  const found = await Promise.all(
    deaths.map(({ call, manner }, i) =>
      faultsAfter(
        stage,
        at(`case-${i}`),
        (folder) => [process.execPath, script, folder, String(call), manner],
        faultsOfEnd,
      ),
    ),
  );
  expect({ deaths, found }).toEqual({ deaths, found: deaths.map(() => []) });
}

/** Writes that arrive together may share a build or not, so that a run may be over before the call at which it is to end. */
function faultsOfEnd(end: End): string[] {
  const { signal, code, stderr } = end;
  return stderr === '' && (signal === 'SIGKILL' || isComplete(end))
    ? []
    : [`ended by ${signal ?? code}: ${stderr}`];
}

describe.each<Manner>(['before', 'after', 'halfway'])(
  'killed %s a call',
  (manner) => {
    /** The calls that a process can be killed at in this manner. */
    const deaths = () =>
      trace.flatMap((name, i) =>
        manner !== 'halfway' || name === 'writeFileSync' ? [{ call: i + 1, manner }] : [],
      );

    test('nothing acknowledged is lost, nothing is half done, and the snapshot comes right', async () => {
      expect(deaths().length).toBeGreaterThan(100);
      const anyDeath = fc.constantFrom(...deaths());
      await fc.assert(fc.asyncProperty(fc.tuple(anyDeath, anyDeath), expectNoFaults), {
        numRuns: runs(4),
        endOnFailure: true,
      });
    });

    test.runIf(exhaustive)('so at every single call', async () => {
      const all = deaths();
      while (all.length > 0) await expectNoFaults(all.splice(0, 2));
    });
  },
  3_600_000,
);
