/** Fixtures of one run, made before the first test: the bundled command line, and the sample, built. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleScript } from './bundle.ts';
import { outcomeOf, startScript } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the bundled command line. */
    cli: string;
    /** The sample and the folder built from it, with site and downloads. Read only. */
    sample: { db: string; out: string };
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'awards-fixtures-'));
  const cli = await bundleScript('build/cli/main.ts', folder);
  const sample = { db: join(folder, 'sample.db'), out: join(folder, 'sample') };
  for (const words of [
    ['sample', '--db', sample.db],
    ['build', '--db', sample.db, '--out', sample.out],
  ]) {
    const { code, stderr } = await outcomeOf(startScript(cli, words));
    if (code !== 0) throw new Error(`the fixture could not be made: ${stderr}`);
  }
  project.provide('cli', cli);
  project.provide('sample', sample);
  // Watching: workers and processes start from the changed sources.
  project.onTestsRerun(async () => void (await bundleScript('build/cli/main.ts', folder)));
  return () => rmSync(folder, { recursive: true, force: true });
}
