/** Fixtures of one run, made before the first test: the compiled command line, and the sample, built. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { compiledProgram } from '../../build/program/compile.mjs';
import { outcomeOf, startScript } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the compiled command line. */
    cli: string;
    /** The sample and the folder built from it, with site and downloads. Read only. */
    sample: { db: string; out: string };
  }
}

const compiledCommandLine = async () => join(await compiledProgram(), 'build/cli/main.js');

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'awards-fixtures-'));
  const cli = await compiledCommandLine();
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
  project.onTestsRerun(async () => project.provide('cli', await compiledCommandLine()));
  return () => rmSync(folder, { recursive: true, force: true });
}
