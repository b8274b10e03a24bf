/** A malformed record is refused whole, in one line that names the lines, and nothing is changed. */
import { beforeEach, expect, it } from 'vitest';
import { UserError } from '../../data/system/messages.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { revision } from '../../data/database/changes.ts';
import { importBytes } from '../../data/import/import.ts';
import { column, type Row, recordOf } from '../records/record-text.ts';

let connection: Connection;
const imported = (bytes: string | Uint8Array) => importBytes(connection, Buffer.from(bytes), { force: true });
beforeEach(async () => {
  connection = openDatabase(':memory:');
  await imported(recordOf({}));
});

async function expectRefusal(bytes: string | Uint8Array, message: RegExp): Promise<void> {
  const before = revision(connection);
  const refusal = await imported(bytes).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UserError);
  expect((refusal as UserError).message).toMatch(
    /^the record (is malformed, so nothing was imported; |is empty|has).*$/,
  );
  expect((refusal as UserError).message).toMatch(message);
  expect(revision(connection)).toBe(before);
}

it.each<[string, Row, RegExp]>([
  ['a ceremony that is no number', { Ceremony: 'x' }, /line 3: bad ceremony number "x"$/],
  ['a ceremony that does not match its year', { Ceremony: '999' }, /line 3: bad ceremony number "999"/],
  ['an unknown category', { CanonicalCategory: 'BEST POPCORN' }, /line 3: unknown category "BEST POPCORN"/],
  ['a winner that is neither true nor false', { Winner: 'maybe' }, /line 3: bad Winner "maybe"/],
  ['more films than ids', { Film: 'A|B' }, /line 3: Film names 2, but FilmId has 1/],
  ['an empty name in a list', { Nominees: 'A|', NomineeIds: '?|?' }, /line 3: Nominees has an empty name/],
  ['a NUL character', { Film: 'An\0ora' }, /line 3: contains a NUL/],
  ['too many columns', { Citation: 'x\ty' }, /line 3: has 15 columns, but the header has 14/],
])('a row with %s is refused', async (_, row, message) => {
  await expectRefusal(recordOf({ Film: 'Before', FilmId: 'tt1' }, row, {}), message);
});

const changed = (from: string, to: string) => recordOf({}).replace(from, to);
const commas = { Film: 'The Dove, Tempest', FilmId: 'tt1,tt2' };
const doubled = changed('\tAnora\t', '\t"He said ""Hi"" to her"\t');
const tooMany = recordOf(...Array.from({ length: 25 }, () => ({ Ceremony: '-1', Winner: '?' })));
it.each<[string, string | Uint8Array, RegExp]>([
  ['without a column', changed('\tWinner', '\tWon'), /line 1: the header is missing the column Winner/],
  ['with a column twice', changed('Note', 'Film'), /line 1: the column Film appears twice/],
  ['with films separated by commas', recordOf({}, commas), /line 3: .* by commas.* another edition/],
  ['of another edition', recordOf({}).replaceAll(/^(?=.)/gm, 'NomId\t'), /line 1: .*unknown column "NomId"/],
  [
    'with commas for tabs',
    recordOf({}).replaceAll('\t', ','),
    /line 1: .*missing the columns Ceremony, Year, /,
  ],
  ['with an open quote', recordOf({}, { Note: 'x' }).replace('\tx', '\t"x'), /line 3: a quote is not closed/],
  [
    'with an open quote before escaped ones',
    recordOf({}, { Note: 'x' }).replace('\tx', '\t"x \\"y\\"'),
    /line 3: a quote is not closed/,
  ],
  [
    'with a fault below a cell of two lines',
    recordOf({ Note: 'x' }, { Ceremony: 'y' }).replace('\tx', '\t"a\nb"'),
    /line 4: bad ceremony number "y"$/,
  ],
  ['with doubled quotes, as spreadsheets write them', doubled, /line 2: has a doubled quote/],
  ['with a row without an end', recordOf({}, { Note: 'x'.repeat(2 ** 20) }), /longer than 1 MB/],
  ['without text', '', /empty/],
  ['without rows', recordOf(), /no rows/],
  ['that is not UTF-8', Buffer.from(recordOf({ Film: 'Am\u00e9lie' }), 'latin1'), /line 2: is not UTF-8/],
  ['with many faults: twenty are named', tooMany, /line 2: .*"-1"; line 2: bad Winner .* and 30 more$/],
])('a file %s is refused', async (_, text, message) => {
  await expectRefusal(text, message);
});

it('a file whose last line is cut, wherever it is, is refused', async () => {
  const text = recordOf({}, { Note: 'The last line, "cut" somewhere.' });
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  for (let end = text.length - 1; end > lastLine; end -= 7)
    await expectRefusal(text.slice(0, end), /line 3: is cut/);
});

it.each<[string, (text: string) => string]>([
  ['without trailing empty columns', (text) => text.replace(/\t+\n/g, '\n')],
  [
    'with a byte order mark, Windows line ends and empty lines',
    (text) => `\ufeff${text.replaceAll('\n', '\r\n')}\r\n\r\n`,
  ],
  [
    'with its columns in another order',
    (text) => text.replaceAll(/^.+$/gm, (line) => line.split('\t').reverse().join('\t')),
  ],
])('a file %s is imported', async (_, change) => {
  await imported(change(recordOf({ Film: '"B"', FilmId: 'tt2' })));
  expect(column(connection, 'movies', 'title')).toEqual(['"B"']);
});

it.each([
  ['\\"Were\\"', '"Were"'],
  ['Maggie in \\"Day\\"', 'Maggie in "Day"'],
  ['a \\\\ b', 'a \\ b'],
  ['\\"\\"', '""'],
  ['"a\t\\"\\""', 'a\t""'],
  ['"a\tb \\"c\\" \\\\ d"', 'a\tb "c" \\ d'],
  ['"a\nb"', 'a\nb'],
  ['5\u2032 6"', '5\u2032 6"'],
])('the escapes of %j are those of its writer', async (cell, title) => {
  await imported(recordOf({ Film: 'CELL', FilmId: 'tt2' }).replace('CELL', () => cell));
  expect(column(connection, 'movies', 'title')).toEqual([title]);
});
