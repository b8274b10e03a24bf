/** Links in the documents lead to files and headings that exist. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { project } from '../support/project.ts';

const documents = fastGlob.sync(['*.md', 'docs/**/*.md'], { cwd: project }).sort();

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));

it.each(documents)('%s has no broken link', (path) => {
  const text = readFileSync(join(project, path), 'utf8').replace(/```[\s\S]*?```/g, '');
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? join(project, path) : join(project, dirname(path), file);
      if (!existsSync(found)) return true;
      return anchor !== undefined && !anchorsIn(found).includes(anchor);
    });
  expect(broken).toEqual([]);
});

it('documents and sources name files of the project that exist', () => {
  const sources = ['api', 'build', 'data', 'deploy'].map((folder) => `${folder}/**/*.{ts,tsx,mjs,sql,sh}`);
  const files = [...documents, ...fastGlob.sync(sources, { cwd: project })];
  const named = /(?<![\w./-])(?:api|build|data|docs|deploy|tests)\/[\w/-]+\.(?:tsx?|mjs|sql|sh|md)(?!\w)/g;
  const gone = files.flatMap((path) =>
    [...readFileSync(join(project, path), 'utf8').matchAll(named)]
      .filter(([file]) => !existsSync(join(project, file)))
      .map(([file]) => `${path}: ${file}`),
  );
  expect(gone).toEqual([]);
});

it.skipIf(!existsSync(join(project, '.git')))(
  'the checks leave out what commands of the documents write',
  () => {
    const written = [
      'oscars.csv',
      'cloudflare/manifest.json',
      'queries/films-001.json',
      'film-awards-0.1.0.tgz',
    ];
    const { stdout } = spawnSync('git', ['check-ignore', ...written], { cwd: project, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(written);
  },
);

it.each([
  ['README.md', 900],
  ['docs/architecture.md', 1200],
])('%s is short enough to read', (path, limit) => {
  const words = readFileSync(join(project, path), 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(limit);
});
