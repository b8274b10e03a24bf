/** A malformed record is refused whole, with line numbers, and changes nothing. */
import { beforeEach, describe, expect, it } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { importBytes } from '../../data/import/import.ts';
import { UserError } from '../../build/system/messages.ts';
import { importText, recordOf, useDatabase } from './record-text.ts';

const { connection, imported, nominations } = useDatabase();
const importedText = (text: string) => importText(connection(), text, { force: true });
beforeEach(async () => {
  await imported({});
});

/** The message of the refusal. Expects that nothing changed. */
async function refusalOf(text: string): Promise<string> {
  const before = revision(connection());
  try {
    await importedText(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    expect(revision(connection())).toBe(before);
    return (error as UserError).message;
  }
  throw new Error('was not refused');
}

describe('a record is refused', () => {
  it.each([
    ['a ceremony that is no number', { Ceremony: 'x' }, /line 3: bad ceremony number "x"/],
    ['ceremony 0', { Ceremony: '0' }, /line 3: bad ceremony number "0"/],
    ['a ceremony that does not match its year', { Ceremony: '999' }, /line 3: bad ceremony number "999"/],
    ['no ceremony', { Ceremony: '' }, /line 3: bad ceremony number ""/],
    ['an unknown category', { CanonicalCategory: 'BEST POPCORN' }, /line 3: unknown category "BEST POPCORN"/],
    ['a winner that is neither true nor false', { Winner: 'maybe' }, /line 3: bad Winner "maybe"/],
    ['more films than ids', { Film: 'A|B' }, /line 3: Film names 2, but FilmId has 1/],
    ['more ids than nominees', { NomineeIds: 'nm1|nm2' }, /line 3: Nominees names 1, but NomineeIds has 2/],
    ['an empty name in a list', { Nominees: 'A|', NomineeIds: '?|?' }, /line 3: Nominees has an empty name/],
    ['a NUL character', { Film: 'An\0ora' }, /line 3: contains a NUL/],
    ['too many columns', { Citation: 'x\ty' }, /line 3: has 15 columns, but the header has 14/],
  ])('for %s', async (_, row, message) => {
    expect(await refusalOf(recordOf({ Film: 'Before', FilmId: 'tt1' }, row, {}))).toMatch(message);
  });

  const changed = (from: string, to: string) => recordOf({}).replace(from, to);
  const commas = { Film: 'The Dove, Tempest', FilmId: 'tt1,tt2' };
  const moreCommas = { Nominees: 'Charles Rosher, Karl Struss', NomineeIds: 'nm1,?' };
  it.each<[string, string, RegExp]>([
    ['a missing column', changed('\tWinner', '\tWon'), /line 1: the header is missing the column Winner/],
    ['a duplicate column', changed('Note', 'Film'), /line 1: the column Film appears twice/],
    ['films separated by commas', recordOf({}, commas), /line 3: .* separated by commas.* another edition/],
    ['nominees separated by commas', recordOf(moreCommas), /line 2: .* separated by commas/],
    [
      'a column of another edition',
      recordOf({}).replaceAll(/(^|\n)(?=.)/g, '$1NomId\t'),
      /line 1: the header has the unknown column "NomId"/,
    ],
    [
      'columns separated by commas',
      recordOf({}).replaceAll('\t', ','),
      /line 1: the header is missing the columns Ceremony, Year, /,
    ],
    [
      'a quote that is not closed',
      recordOf({}, { Note: 'x' }).replace('\tx', '\t"x'),
      /line 3: a quote is not closed/,
    ],
    [
      'doubled quotes, which spreadsheets write',
      changed('\tAnora\t', '\t"He said ""Hi"" to her"\t'),
      /line 2: has a doubled quote/,
    ],
    ['a row without an end', recordOf({}, { Note: 'x'.repeat(2 ** 20) }), /longer than 1 MB/],
    ['no text', '', /empty/],
    ['empty lines', '\n\n', /empty/],
    ['no rows', recordOf(), /no rows/],
  ])('for %s', async (_, text, message) => {
    expect(await refusalOf(text)).toMatch(message);
  });

  it('for bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(recordOf({ Film: 'Am\u00e9lie', Note: '\u{1f3ac}' }));
    await importBytes(connection(), bytes, { force: true, dryRun: true });
    const broken = Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff, 0x0a])]);
    await expect(importBytes(connection(), broken)).rejects.toThrow(
      /^the record is malformed, so nothing was imported; .*line 2: is not UTF-8/,
    );
  });

  it('for a last line that is cut, wherever it is', async () => {
    const text = recordOf({}, { Note: 'The last line, "cut" somewhere.' });
    const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
    for (let end = text.length - 1; end > lastLine; end -= 7)
      expect(await refusalOf(text.slice(0, end)), text.slice(lastLine, end)).toMatch(/line 3: is cut/);
  });

  it('with all its faults in one line: twenty shown, the others counted', async () => {
    const message = await refusalOf(
      recordOf(...Array.from({ length: 25 }, () => ({ Ceremony: '-1', Winner: '?' }))),
    );
    expect(message).toContain('line 2: bad ceremony number "-1"; line 2: bad Winner "?"; line 3: ');
    expect(message).toMatch(/line 11: bad Winner "\?"; and 30 more$/);
    expect(message).not.toContain('\n');
  });
});

describe('a record is imported', () => {
  it('without its trailing empty columns', async () => {
    await importedText(recordOf({ Film: 'B', FilmId: 'tt2', Winner: '' }).replace(/\t+\n/g, '\n'));
    expect(nominations()).toEqual(['97 Directing: B / Sean Baker']);
  });

  it('with a byte order mark, Windows line ends and empty lines', async () => {
    const text = recordOf({ Film: '"B"', FilmId: 'tt2' }).replaceAll('\n', '\r\n');
    await importedText(`\ufeff${text}\r\n\r\n`);
    expect(nominations()).toEqual(['97 Directing: "B" / Sean Baker*']);
  });

  it.each([
    ['\\"Were\\"', '"Were"'],
    ['Maggie in \\"Day\\"', 'Maggie in "Day"'],
    ['a \\\\ b', 'a \\ b'],
    ['\\\\\\"', '\\"'],
    ['\\"\\"', '""'],
    ['"a\t\\"\\""', 'a\t""'],
    ['"a\tb \\"c\\" \\\\ d"', 'a\tb "c" \\ d'],
    ['"a\nb"', 'a\nb'],
    ['5\u2032 6"', '5\u2032 6"'],
  ])('with the escapes of its writer: %j', async (cell, title) => {
    await importedText(recordOf({ Film: 'CELL', FilmId: 'tt2' }).replace('CELL', () => cell));
    expect(nominations()).toEqual([`97 Directing: ${title} / Sean Baker*`]);
  });

  it('with its columns in another order', async () => {
    const swapped = recordOf({ Film: 'B', FilmId: 'tt2' })
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t').reverse().join('\t'));
    await importedText(`${swapped.join('\n')}\n`);
    expect(nominations()).toEqual(['97 Directing: B / Sean Baker*']);
  });
});
