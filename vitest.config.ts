import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';

const compiledEntries = fileURLToPath(new URL('tests/support/compiled.ts', import.meta.url));

// Workers inherit it. TEST_SEED replays all random tests of a run.
process.env.TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));

/** Room for the temporary files of all tests. Docker gives a container 64 MB of memory files by default. */
const neededBytes = 4 * 2 ** 30;

/** The system's folder in memory, if it has the room and programs may be started from it. */
function folderInMemory(): string | undefined {
  const folder = '/dev/shm';
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  const [, , , options] = mounts.map((line) => line.split(' ')).find(([, place]) => place === folder) ?? [];
  if (options === undefined || options.split(',').includes('noexec')) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < neededBytes ? undefined : folder;
}

// To make, flush and remove files takes a fraction of the time there. Workers and processes inherit it.
const temporary = process.env.TMPDIR ?? folderInMemory();
if (temporary !== undefined) process.env.TMPDIR = temporary;

/** Ends a run with what tests say of it (`said` in their meta), its counts and its seed. */
const summary: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((own) => own === state).length;
    // A file that does not load, or a hook of it, fails without a test.
    const broken = modules.filter(
      (module) =>
        module.state() === 'failed' &&
        ![...module.children.allTests()].some((test) => test.result().state === 'failed'),
    ).length;
    const said = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => (test.meta() as { said?: string }).said ?? []),
    );
    process.stdout.write(
      `${said.map((line) => `${line}\n`).join('')}TEST_SEED=${process.env.TEST_SEED} replays the random cases\n` +
        `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    );
  },
};

const shared = {
  setupFiles: ['tests/support/setup.ts'],
  // The limits end what hangs: on a busy machine all takes ten times as long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
const withFixtures = { ...shared, globalSetup: ['tests/support/global-setup.ts'] };

// One module graph for all files of a worker: loading the modules takes longer than most tests.
const fast = { isolate: false };

/** The suffix of a file tells its project. */
export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // The system ends a worker when its writes to the disk are done.
    teardownTimeout: 60_000,
    reporters: ['default', summary],
    projects: [
      {
        // No process, thread, socket or browser.
        test: {
          ...shared,
          ...fast,
          name: 'fast',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.{system,slow}.test.ts'],
        },
      },
      {
        resolve: { alias: [{ find: /.*\/data\/system\/entries\.ts$/, replacement: compiledEntries }] },
        test: { ...withFixtures, ...fast, name: 'system', include: ['tests/**/*.system.test.ts'] },
      },
      // `npm test` leaves them out; `npm run check` runs them. They start threads and processes through tsx.
      {
        test: {
          ...withFixtures,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          name: 'slow',
          include: ['tests/**/*.slow.test.ts'],
        },
      },
    ],
  },
});
