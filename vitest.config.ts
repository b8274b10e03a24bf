import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';
import { bundledWorkers } from './tests/support/bundle.ts';

/** Tests that start no process, thread or browser. */
const unit = [
  'tests/{answers,oracle,sample}/**/*.test.ts',
  'tests/enrich/!(any-order|command|killed|serving).test.ts',
  'tests/conformance/{replaced-snapshots,writes}.test.ts',
  'tests/data/!(sqlite-shell).test.ts',
  'tests/generate/!(determinism).test.ts',
  'tests/import/!(corrections).test.ts',
  'tests/layers/!(browser).test.ts',
];

/** Tests that take longest. `npm test` leaves them out; `npm run check` runs them. */
const slow = [
  'tests/command-line/{failures,serving,stopping,workflow}.test.ts',
  'tests/conformance/{chromium,cloudflare,deno}.test.ts',
  'tests/deploy/**/*.test.ts',
  'tests/docs/**/*.test.ts',
  'tests/doctor/**/*.test.ts',
  'tests/durability/!(authentication).test.ts',
  'tests/enrich/{any-order,command,killed,serving}.test.ts',
  'tests/generate/determinism.test.ts',
  'tests/import/corrections.test.ts',
  'tests/openapi/generators.test.ts',
  'tests/package/**/*.test.ts',
  'tests/publish/**/*.test.ts',
  'tests/service/{damage,exports,malformed-requests}.test.ts',
  'tests/site/{bundling,editing*,explorer,html,looks,offline}.test.ts',
  'tests/snapshot/{concurrent-builds,damage,determinism,incremental,interrupted,invariant,layer-updater,written-files}.test.ts',
  'tests/writing/{pipelining,request-bodies}.test.ts',
];

// Workers inherit it. TEST_SEED replays all random tests of a run.
process.env.TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));

/** Ends a run with its counts and its seed. */
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
    process.stdout.write(
      `TEST_SEED=${process.env.TEST_SEED} replays the random cases\n` +
        `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    );
  },
};

const shared = {
  setupFiles: ['tests/support/setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
const withFixtures = { ...shared, globalSetup: ['tests/support/global-setup.ts'] };

// One module graph for all files of a worker: loading the modules takes longer than most tests.
const fast = { isolate: false };

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    reporters: ['default', summary],
    projects: [
      { test: { ...shared, ...fast, name: 'unit', include: unit } },
      {
        // The slow tests start the sources through tsx.
        plugins: [bundledWorkers],
        test: {
          ...withFixtures,
          ...fast,
          name: 'system',
          include: ['tests/**/*.test.ts'],
          exclude: [...unit, ...slow],
        },
      },
      { test: { ...withFixtures, name: 'slow', include: slow } },
    ],
  },
});
