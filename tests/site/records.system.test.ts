/**
 * Promise: each kind of record is a list on the page of records, two clicks from the home page at most, and says what it
 * counts or what the record lacks. Ages and deaths are those of the dates on record.
 */
import { expect, it } from 'vitest';
import { type RecordKind, recordKinds } from '../../build/site/explorer/record-kinds.ts';
import { recordLists } from '../../build/site/explorer/records.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { useInProcess } from '../support/running-service.ts';
import { compiled } from '../records/oracle/questions.ts';

const running = useInProcess({}, fillWithSample, ['site', 'pages']);
const linksAt = async (path: string): Promise<string[]> => {
  const { body } = await running.service.ask(path);
  return [...body.toString().matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!);
};

/** The fifteen kinds of question that a film lover asks, each with its lists. */
const questions: readonly (readonly RecordKind[])[] = [
  ['most-wins', 'people-most-wins'],
  ['without-best-picture'],
  ['big-five'],
  ['films-without-win', 'people-without-win'],
  ['losses'],
  ['two-roles'],
  ['ties'],
  ['refusals'],
  ['write-ins'],
  ['firsts'],
  ['longest-gap'],
  ['most-categories'],
  ['animated-best-picture', 'international-best-picture'],
  ['posthumous'],
  ['youngest-winners', 'youngest-nominees', 'oldest-winners', 'oldest-nominees'],
];

it('each kind that the record can answer is two clicks from the home page', async () => {
  expect(questions.flat().sort()).toEqual(Object.keys(recordKinds).sort());
  expect(await linksAt('/')).toContain('/records');
  const links = await linksAt('/records');
  const { body } = await running.service.ask('/records');
  const snapshot = await snapshotOf(fillWithSample);
  for (const { id, rows } of await recordLists(snapshot)) {
    expect(links, id).toContain(`#${id}`);
    expect(body.toString(), id).toMatch(new RegExp(`id="${id}"`));
    for (const { href } of rows) expect(links, id).toContain(href);
  }
  for (const href of links.filter((own) => own.startsWith('/api/')))
    expect([href, (await running.service.ask(href.replaceAll('&amp;', '&'))).status]).toEqual([href, 200]);
});

const snapshotOf = async (fill: (connection: Connection) => unknown) =>
  (await compiled(fill)).resolver.snapshot();
const labelsOf = async (id: RecordKind, fill: (connection: Connection) => unknown) => {
  const list = (await recordLists(await snapshotOf(fill))).find((own) => own.id === id);
  return list?.rows.map(({ label, detail, numbers }) => `${label}: ${detail}: ${numbers.join('')}`);
};

/** The sample with a date of a person who was nominated in one year alone. */
const dated = (column: 'birthday' | 'deathday', dates: readonly string[]) => (connection: Connection) => {
  fillWithSample(connection);
  const people = connection
    .prepare(
      `SELECT n.id, n.name, min(c.date) AS date, max(m.winner) AS winner FROM nominees n
       JOIN nominations m ON m.nominee_id = n.id JOIN ceremonies c ON c.id = m.ceremony_id
       WHERE n.filmindex_id LIKE 'nm%' GROUP BY n.id
       HAVING count(*) = 1 AND min(m.official) = 1 AND min(c.id) > 10 ORDER BY max(m.winner) DESC, n.id LIMIT ?`,
    )
    .all(dates.length) as { id: number; name: string; date: string; winner: number }[];
  for (const [at, { id, date }] of people.entries())
    connection
      .prepare(`UPDATE nominees SET ${column} = ? WHERE id = ?`)
      .run(dates[at]!.replace('held', date.slice(4)).replace('year', date.slice(0, 4)), id);
};

it('people are ranked by their whole years at the ceremony', async () => {
  const fill = dated('birthday', ['1900-01-01', '1899-12-31', '1901-01-01']);
  const oldest = await labelsOf('oldest-winners', fill);
  expect(oldest).toHaveLength(3);
  for (const row of oldest!) {
    const [, year, years] = /, (\d{4}), .*: (\d+) years · won$/.exec(row)!;
    expect(Number(year) - Number(years)).toBeGreaterThanOrEqual(1899);
  }
  const agesOf = (rows: readonly string[]) => rows.map((row) => Number(/(\d+) years/.exec(row)![1]));
  expect(agesOf(oldest!)).toEqual(agesOf(oldest!).toSorted((a, b) => b - a));
  const youngest = await labelsOf('youngest-winners', fill);
  expect(agesOf(youngest!)).toEqual(agesOf(oldest!).toSorted((a, b) => a - b));
});

it('a birthday on the day of the ceremony counts, and a record without birthdays says so', async () => {
  const { body } = await running.service.ask('/records');
  expect(body.toString()).toContain('The record has no dates of birth');
  const [row] = (await labelsOf('youngest-nominees', dated('birthday', ['1900held'])))!;
  const [, year, years] = /, (\d{4}), .*: (\d+) years/.exec(row!)!;
  expect(Number(years)).toBe(Number(year) - 1900);
});

it('who died before the ceremony is posthumous, who died on its day is not', async () => {
  const rows = await labelsOf('posthumous', dated('deathday', ['yearheld', '1900-01-01']));
  expect(rows!.filter((row) => row.includes(': died 1 January 1900: '))).toHaveLength(1);
  expect(rows!.filter((row) => row.includes(': died '))).toHaveLength(1);
});
