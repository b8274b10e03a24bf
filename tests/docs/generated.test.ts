/** The reference pages in docs/ are generated from the source, and up to date. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { problems, problemTypePrefix } from '../../api/contract/problems.ts';
import { formatVersion } from '../../api/contract/snapshot.ts';
import { errorsMarkdown, referencePages } from '../../build/cli/reference.ts';

it.each(Object.entries(referencePages))('%s is what the source says', (path, page) => {
  const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(written, `${path} is out of date: regenerate it with "npm run docs"`).toBe(page());
});

it('the last part of every problem type is a heading of the page about errors', () => {
  const headings = [...errorsMarkdown().matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.keys(problems));
  // No separator in a code, so that the last part of a type is the code.
  for (const code of Object.keys(problems))
    expect(`${problemTypePrefix}${code}`.split(':').at(-1)).toBe(code);
});

it('the description of the snapshot is of its version, and says what changed', () => {
  const text = readFileSync(new URL('../../docs/snapshot-format.md', import.meta.url), 'utf8');
  expect(text).toMatch(new RegExp(`^# Snapshot format, version ${formatVersion}$`, 'm'));
  for (const [, format] of text.matchAll(/^ {2}format: (\d+);$/gm))
    expect(Number(format)).toBe(formatVersion);
  const versions = [...text.matchAll(/^\| (\d+) +\| \S/gm)].map(([, version]) => Number(version));
  expect(versions).toEqual(Array.from({ length: formatVersion }, (_, i) => i + 1));
});
