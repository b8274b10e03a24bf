/** An editor corrects a placeholder of the source before a newer edition does. */
import { expect, it } from 'vitest';
import { changeRecord, deleteRecord, readRecord } from '../../data/record/edits.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { type Row, useDatabase } from './record-text.ts';

const { connection, imported, nominations, column, expectNoChange } = useDatabase();

const placeholder: Row = {
  Name: 'To be determined',
  Nominees: 'To be determined',
  NomineeIds: '?',
  Winner: '',
};
const determined: Row = { Name: 'Ann Doe', Nominees: 'Ann Doe', NomineeIds: 'nm1' };

function edit(resource: 'nominees' | 'nominations', fields: RecordFields): void {
  const before = readRecord(connection(), resource, 1) as unknown as RecordFields;
  changeRecord(connection(), { resource, id: 1, before, fields, key: 'ann', at: new Date(0) });
}

it('a placeholder that got the name of a person is that person in a newer edition', async () => {
  await imported(placeholder);
  edit('nominees', { name: 'Ann Doe' });
  const { retired } = await imported(determined);
  expect(retired).toEqual([]);
  expect(column('nominees', "id || ' ' || name || ' ' || filmindex_id")).toEqual(['1 Ann Doe nm1']);
  expect(nominations()).toEqual(['97 Directing: Anora / Ann Doe*']);
  await expectNoChange(determined);
});

it('a change that an editor undid keeps no placeholder', async () => {
  await imported(placeholder);
  edit('nominations', { winner: true });
  edit('nominations', { winner: false });
  await imported(determined);
  expect(nominations()).toEqual(['97 Directing: Anora / Ann Doe*']);
  expect(column('nominees', 'name')).toEqual(['Ann Doe']);
});

it('a change that stays keeps the placeholder, until an editor deletes it', async () => {
  await imported(placeholder);
  edit('nominations', { winner: true });
  const { kept } = await imported(determined);
  expect(kept).toEqual([1]);
  expect(nominations()).toEqual([
    '97 Directing: Anora / To be determined*',
    '97 Directing: Anora / Ann Doe*',
  ]);
  deleteRecord(connection(), { resource: 'nominations', id: 1, key: 'ann', at: new Date(0) });
  const after = await imported(determined);
  expect(after.kept).toEqual([]);
  expect(nominations()).toEqual(['97 Directing: Anora / Ann Doe*']);
  expect(column('nominees', 'name')).toEqual(['Ann Doe']);
});
