/** The import of the whole public award record. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { revision } from '../../data/changes.ts';
import { importRecord } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/report.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { describeWithRealRecord, realRecordPath } from '../real-record.ts';
import { nominations } from './record-text.ts';

describeWithRealRecord('the real record', () => {
  let connection: Connection;
  let report: ImportReport;
  beforeAll(async () => {
    connection = openDatabase(':memory:');
    report = await importRecord(connection, realRecordPath);
  });

  it('gives the expected number of records', () => {
    expect(countRecords(connection)).toEqual({
      nominations: 16609,
      ceremonies: 98,
      categories: 30,
      movies: 5247,
      nominees: 7878,
      songs: 486,
      honors: 1303,
    });
    expect(report.resources.nominations).toEqual({ added: 16609, changed: 0, unchanged: 0 });
  });

  it('leaves out the expected number of rows', () => {
    expect(report.leftOut.map(({ rows }) => rows)).toEqual([31, 7]);
    expect(readFileSync(realRecordPath, 'utf8').trimEnd().split('\n')).toHaveLength(1 + 12137);
  });

  it('gives every resource ids from 1 without a gap', () => {
    for (const [resource, count] of Object.entries(countRecords(connection)))
      expect(
        connection.prepare(`SELECT min(id) AS least, max(id) AS most FROM ${resource}`).get(),
        resource,
      ).toEqual({ least: 1, most: count });
  });

  it('derives the overviews, departments, songs and eras', () => {
    const count = (sql: string) =>
      connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get();
    expect(count("ceremonies WHERE overview NOT LIKE '% won Best Picture at the %'")).toBe(0);
    expect(count("nominees WHERE filmindex_id LIKE 'nm%' AND known_for_department IS NULL")).toBe(0);
    expect(
      count("nominees WHERE ifnull(filmindex_id, '') NOT LIKE 'nm%' AND known_for_department NOTNULL"),
    ).toBe(0);
    expect(count('nominations WHERE (category_id = 23) <> (song_id NOTNULL)')).toBe(0);
    expect(count('categories WHERE era IS NULL')).toBe(0);
    expect(nominations(connection)).toContain(
      '98 Music (Original Song): KPop Demon Hunters / EJAE (Golden)*',
    );
  });

  it('imported again changes nothing', async () => {
    const before = revision(connection);
    const again = await importRecord(connection, realRecordPath);
    expect(revision(connection)).toBe(before);
    expect(again.resources.nominations).toEqual({ added: 0, changed: 0, unchanged: 16609 });
    expect(again).toMatchObject({ retired: [], kept: [] });
  });
});
