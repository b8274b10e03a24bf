/**
 * Golden records: blocks of text, separated by an empty line. In each, a line that begins with "$" or "%" says what is done, and
 * the lines below it show what comes of it. AWARDS_UPDATE_GOLDEN writes them anew.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { project } from '../support/project.ts';

/** Replays a record, and fails where anything differs. @param replay does what the first lines of a block say */
export async function expectRecord(
  name: string,
  replay: (lines: readonly string[]) => string | Promise<string>,
): Promise<void> {
  const file = join(project, 'tests/cli', name);
  const text = readFileSync(file, 'utf8');
  let now = '';
  // An empty line may be part of an output.
  for (const block of text.trimEnd().split(/\n\n(?=[#$%] )/)) {
    const [lines = ''] = /^(#.*\n)*([$%] .*(\n|$))+/.exec(block) ?? [];
    const asked = lines.trimEnd().split('\n');
    now += `${lines.trimEnd()}\n${await replay(asked.filter((line) => !line.startsWith('#')))}\n`;
  }
  if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(file, `${now.trimEnd()}\n`);
  expect(now.trimEnd().split('\n')).toEqual(text.trimEnd().split('\n'));
}

/** The words of a line; one with blanks is written as a string of JSON. */
export const wordsOf = (line: string): string[] =>
  (line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map((word) =>
    word.startsWith('"') ? (JSON.parse(word) as string) : word,
  );

/** What other programs do in the working directory, by the name in a record: `% write FILE TEXT`. */
export const others: Readonly<Record<string, (path: string, text: string) => void>> = {
  write: (path, text) => writeFileSync(path, text),
  folder: (path) => void mkdirSync(path),
  remove: (path) => rmSync(path, { recursive: true }),
  sql: (path, text) => new Database(path).exec(`PRAGMA foreign_keys = OFF; ${text}`).close(),
};
