/** The steps of the GitHub workflow for a user's repository publish the record. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from '../support/project.ts';
import { publicFiles, useStage } from './stage.ts';

const stage = useStage();
const workflow = readFileSync(join(project, '.github/workflows/publish.yml'), 'utf8');

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
