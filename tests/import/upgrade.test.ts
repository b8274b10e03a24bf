/** A database that an earlier version of this program imported gets the details and honors from the next import. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { allDetails } from '../support/entries.ts';
import { openDatabase } from '../../data/open.ts';
import { listReceipts } from '../../data/receipts.ts';
import { countRecords } from '../../data/records.ts';
import { column, importText, nominations, type Row, recordOf } from './record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** The rows that the fixtures were imported from, as the record has them by now. */
const rows: Row[] = [
  { Nominees: 'Sean "S" Baker', Note: 'NOTE: A remark.' },
  {
    Film: 'The Brutalist',
    FilmId: 'tt8999762',
    Nominees: 'Brady Corbet',
    NomineeIds: 'nm0179479',
    Winner: '',
  },
  {
    CanonicalCategory: 'BEST PICTURE',
    ...{
      Nominees: 'Alex "A" Coco|Samantha Quan|Sean "S" Baker',
      NomineeIds: 'nm6021543|nm0702954|nm0048918',
    },
  },
  {
    ...{ CanonicalCategory: 'MUSIC (Original Song)', Film: 'Emilia Pérez', FilmId: 'tt20221436' },
    ...{ Nominees: 'Clément Ducol|Camille', NomineeIds: 'nm3164118|nm2089091', Detail: 'El Mal' },
  },
  {
    ...{ Ceremony: '96', Year: '2023', Film: 'Oppenheimer', FilmId: 'tt15398776' },
    ...{ Nominees: 'Christopher Nolan', NomineeIds: 'nm0634240' },
  },
  { Class: 'Special', CanonicalCategory: 'HONORARY AWARD', Category: 'HONORARY AWARD', Citation: 'To him.' },
];

it.each([3, 4])('of schema %i', async (version) => {
  const file = join(folder, `${version}.db`);
  const old = new Database(file);
  const fixture = join(import.meta.dirname, '../data/fixtures', `schema-${version}.sql`);
  old.exec(readFileSync(fixture, 'utf8'));
  // Earlier versions kept the escapes of the file. An editor mended one of the names already.
  old.exec(`
    UPDATE nominees SET name = 'Sean \\"S\\" Baker' WHERE id = 1;
    UPDATE nominees SET name = 'Alexander Coco' WHERE id = 3;
    UPDATE imported SET fields = json_set(fields, '$.name', 'Sean \\"S\\" Baker') WHERE resource = 'nominees' AND record_id = 1;
    UPDATE imported SET fields = json_set(fields, '$.name', 'Alex \\"A\\" Coco') WHERE resource = 'nominees' AND record_id = 3;
  `);
  old.close();
  const connection = openDatabase(file);
  const receipts = listReceipts(connection, { limit: 100 });
  const [before, counts] = [nominations(connection), countRecords(connection)];
  const { retired, kept } = await importText(connection, recordOf(...rows));
  expect([retired, kept]).toEqual([[], []]);
  expect({ ...countRecords(connection), categories: counts.categories }).toEqual({
    ...counts,
    honors: 1,
  });
  const mended = before.map((text) => text.replaceAll('\\"', '"'));
  expect(nominations(connection)).toEqual(mended);
  expect(column(connection, 'nominees', 'name').slice(0, 3)).toEqual([
    ...['Sean "S" Baker', 'Brady Corbet', 'Alexander Coco'],
  ]);
  // What editors changed before.
  expect(column(connection, 'movies', 'title')[0]).toBe('Anora!');
  expect(column(connection, 'ceremonies', 'venue')[0]).toBe('Dolby Theatre');
  expect(listReceipts(connection, { limit: 100 })).toEqual(receipts);
  const details = allDetails(connection);
  expect(details.map(({ id, entry }) => `${id}: ${entry}`)).toEqual([
    ...['1: 1', '2: 2', '3: 1', '4: 1', '5: 1', '6: 1', '7: 1', '8: 1', '50: null'],
  ]);
  expect(details[0]).toMatchObject({ note: 'A remark.', official: true, historical_category: 'DIRECTING' });
  expect(column(connection, 'honors', 'citation')).toEqual(['To him.']);
  connection.close();
});
