/**
 * The promise: each system call of SQLite may fail, be the last, or be followed by others that fail too, and the promises about
 * killed processes and failing calls still hold. Skipped where strace cannot trace.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundleScript } from '../support/bundle.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import { Fixture } from './fixture.ts';
import { workspaceIn } from './workspace.ts';
import { acknowledgedUndisturbed, writesOf } from './writes.ts';
import { type End, expectNoFaults, faultsAfter, runWrites } from './writing-process.ts';

const at = useMemoryFolder();
const tracer = ['strace', '--follow-forks', '--output', '/dev/null'] as const;
const canTrace = spawnSync(tracer[0], [...tracer.slice(1), 'true']).status === 0;

const fixture = await Fixture.prepare(at('original'));
const script = await bundleScript('tests/durability/write-script.ts', at('.'));

interface Injection {
  calls: string;
  outcome: string;
  /** Number of the first affected call, and how many follow. */
  first: number;
  further: number;
}

function traced({ calls, outcome, first, further }: Injection): (folder: string) => string[] {
  return (folder) => {
    const { db } = workspaceIn(folder);
    const files = [db, `${db}-wal`, `${db}-shm`].flatMap((file) => ['--trace-path', file]);
    const inject = ['--inject', `${calls}:${outcome}:when=${first}..${first + further}`];
    return [...tracer, ...files, '--trace', calls, ...inject, process.execPath, script, folder];
  };
}

/** A process ends by the kill, or by itself; one that cannot open its database may only end with that error. */
function faultsOfEnd({ signal, code, stderr, acknowledged }: End): string[] {
  const isRefused = acknowledged.length === 0 && /UserError: cannot open the database/.test(stderr);
  return signal === 'SIGKILL' || code === 0 || isRefused ? [] : [`ended by ${signal ?? code}: ${stderr}`];
}

test.skipIf(!canTrace)('once all of its writes fail, nothing more is acknowledged', async () => {
  const injection = { calls: 'pwrite64', outcome: 'error=ENOSPC', first: 60, further: 60_000 };
  const { folder } = fixture.copyTo(at('full'));
  const { code, stderr, acknowledged } = await runWrites(traced(injection)(folder));
  expect(code, stderr).toBe(0);
  const written = acknowledged.flatMap(writesOf).filter(({ done }) => done.receipt !== null);
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(acknowledgedUndisturbed - 3);
});

test.skipIf(!canTrace).each([
  ['pwrite64', 330],
  ['fsync,fdatasync', 40],
  ['openat', 40],
  ['ftruncate,fallocate', 12],
] as const)(
  'any %s may fail in every way, or be the last call',
  async (calls, most) => {
    const choices = seeded(`system calls ${calls}`);
    const injections = ['signal=KILL', 'error=ENOSPC', 'error=EIO', 'error=EROFS', 'error=EINTR'].map(
      (outcome): Injection => ({
        calls,
        outcome,
        first: choices.between(1, choices.chance(0.5) ? 12 : most),
        further: choices.chance(0.5) ? 0 : choices.between(1, 60),
      }),
    );
    await expectNoFaults(injections, (injection, lane) =>
      faultsAfter(fixture, at(`case-${lane}`), traced(injection), faultsOfEnd),
    );
  },
  3_600_000,
);
