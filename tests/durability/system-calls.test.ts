/**
 * The promise: what holds of every call of ours holds of every system call that SQLite makes on our behalf. Each may fail, be
 * the last, or be followed by others that fail as well. Where the process may not be traced, this is not tried.
 */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs } from '../settings.ts';
import { bundled } from './bundle.ts';
import { placeIn } from './place.ts';
import { Stage } from './stage.ts';
import { useMemoryFolder } from './workspace.ts';
import { acknowledgedOf, undisturbed } from './writes.ts';
import { type End, faultsAfter, runWrites } from './writing-process.ts';

const at = useMemoryFolder();
const tracer = ['strace', '--follow-forks', '--output', '/dev/null'] as const;
const { status } = spawnSync(tracer[0], [...tracer.slice(1), 'true']);
const obstacle = status === 0 ? undefined : 'strace is not there, or may not trace';

let stage: Stage;
let script: string;
beforeAll(async () => {
  stage = await Stage.prepare(at('original'));
  script = await bundled('./killed-writes.ts', at('.'));
});

interface Fate {
  /** What of the system's services is concerned. */
  calls: 'pwrite64' | 'fsync,fdatasync' | 'openat' | 'ftruncate,fallocate';
  outcome: 'signal=KILL' | 'error=ENOSPC' | 'error=EIO' | 'error=EROFS' | 'error=EINTR';
  first: number;
  /** How many after that. */
  further: number;
}

function traced(fate: Fate): (folder: string) => string[] {
  const { calls, outcome, first, further } = fate;
  return (folder) => {
    const { db } = placeIn(folder);
    const files = [db, `${db}-wal`, `${db}-shm`].flatMap((file) => ['--trace-path', file]);
    const inject = ['--inject', `${calls}:${outcome}:when=${first}..${first + further}`];
    return [...tracer, ...files, '--trace', calls, ...inject, process.execPath, script, folder];
  };
}

/** Killed, or through with it; a database that cannot be opened ends the process, which is all it can do. */
function faultsOfEnd({ signal, code, stderr, acknowledged }: End): string[] {
  const isRefused = acknowledged.length === 0 && /UserError: cannot open the database/.test(stderr);
  return signal === 'SIGKILL' || code === 0 || isRefused ? [] : [`ended by ${signal ?? code}: ${stderr}`];
}

const anyFate: fc.Arbitrary<Fate> = fc.record({
  calls: fc.constantFrom(
    'pwrite64',
    'pwrite64',
    'pwrite64',
    'fsync,fdatasync',
    'openat',
    'ftruncate,fallocate',
  ),
  outcome: fc.constantFrom('signal=KILL', 'error=ENOSPC', 'error=EIO', 'error=EROFS', 'error=EINTR'),
  first: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 330 })),
  further: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
});

/** Two at a time: one of them waits for its process to begin. */
async function expectNoFaults(fates: readonly Fate[]): Promise<void> {
  const found = await Promise.all(
    fates.map((fate, i) => faultsAfter(stage, at(`case-${i}`), traced(fate), faultsOfEnd)),
  );
  expect({ fates, found }).toEqual({ fates, found: fates.map(() => []) });
}

test.skipIf(obstacle)('once none of its writes succeeds any more, nothing more is acknowledged', async () => {
  const fate: Fate = { calls: 'pwrite64', outcome: 'error=ENOSPC', first: 60, further: 60_000 };
  const place = stage.copyTo(at('full'));
  const { code, stderr, acknowledged } = await runWrites(traced(fate)(place.folder));
  expect(code, stderr).toBe(0);
  const written = acknowledged.filter(({ done }) => done.receipt !== undefined);
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(acknowledgedOf(undisturbed) - 3);
});

test.skipIf(obstacle)(
  `any system call of SQLite may fail or be the last${obstacle ? ` (not tried: ${obstacle})` : ''}`,
  async () => {
    await fc.assert(fc.asyncProperty(fc.tuple(anyFate, anyFate), expectNoFaults), {
      numRuns: runs(4),
      endOnFailure: true,
    });
  },
  3_600_000,
);
