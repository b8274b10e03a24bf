import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';
import { leftOut } from './tests/settings.ts';

/** Ends a run with one plain line, for whoever reads the log without knowing the runner. */
const plainSummary: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((own) => own === state).length;
    // A file that does not load has no tests to count, yet has failed.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.children.size === 0,
    ).length;
    if (leftOut.length > 0)
      process.stdout.write(`${leftOut.length} slow files left out; "npm run check" runs them\n`);
    process.stdout.write(
      `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    );
  },
};

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    // One for each core: most of a test is waiting for the processes it starts.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', plainSummary],
  },
});
