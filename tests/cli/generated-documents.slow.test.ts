/** The reference of the commands is generated from the source; the page about errors has what the source has. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { problems, problemTypePrefix } from '../../api/contract/problems.ts';
import { formatVersion } from '../../api/contract/snapshot.ts';
import { cliMarkdown } from '../../build/cli/cli-reference.ts';

const textOf = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/cli.md is what the source says', () => {
  expect(textOf('cli.md'), 'it is out of date: regenerate it with "npm run docs"').toBe(cliMarkdown());
});

it('the page about errors has a section for every problem: its status, its title, when it occurs, what to do', () => {
  const section = /^## (.+)\n\n\*\*(\d+)\*\* (.+)\n\n- When: \S.+\n- Next step: \S.+$/gm;
  const found = [...textOf('errors.md').matchAll(section)].map(([, code, status, title]) => [
    code,
    { status: Number(status), title },
  ]);
  expect(found).toEqual(Object.entries(problems));
  // The last part of every problem type is a heading.
  // No separator in a code, so that the last part of a type is the code.
  for (const code of Object.keys(problems))
    expect(`${problemTypePrefix}${code}`.split(':').at(-1)).toBe(code);
});

it('the description of the snapshot is of its version, and says what changed', () => {
  const text = textOf('snapshot-format.md');
  expect(text).toMatch(new RegExp(`^# Snapshot format, version ${formatVersion}$`, 'm'));
  for (const [, format] of text.matchAll(/^ {2}format: (\d+);$/gm))
    expect(Number(format)).toBe(formatVersion);
  const versions = [...text.matchAll(/^\| (\d+) +\| \S/gm)].map(([, version]) => Number(version));
  expect(versions).toEqual(Array.from({ length: formatVersion }, (_, i) => i + 1));
});
