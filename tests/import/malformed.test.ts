/** A malformed record is refused whole, with line numbers, and changes nothing. */
import { beforeEach, describe, expect, it } from 'vitest';
import { revision } from '../../data/changes.ts';
import { importText } from '../../data/import/import.ts';
import { decode } from '../../data/import/parse.ts';
import { UserError } from '../../data/user-error.ts';
import { recordOf, useDatabase } from './record-text.ts';

const { connection, imported, nominations } = useDatabase();
const importedText = (text: string) => importText(connection(), text);
beforeEach(() => {
  imported({});
});

/** The message of the refusal. Expects that nothing changed. */
function refusalOf(text: string): string {
  const before = revision(connection());
  try {
    importedText(text);
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
  ])('for %s', (_, row, message) => {
    expect(refusalOf(recordOf({ Film: 'Before', FilmId: 'tt1' }, row, {}))).toMatch(message);
  });

  it('for a missing column, in line 1', () => {
    expect(refusalOf(recordOf({}).replace('\tWinner', '\tWon'))).toMatch(
      /line 1: the header is missing the column Winner/,
    );
  });

  it('for a duplicate column, in line 1', () => {
    expect(refusalOf(recordOf({}).replace('Note', 'Film'))).toMatch(/line 1: the column Film appears twice/);
  });

  it('for bytes that are not UTF-8, with their lines', () => {
    const bytes = Buffer.from(recordOf({}, { Film: 'Les Mis\u00e9rables' }), 'latin1');
    expect(() => decode(bytes)).toThrow(
      new UserError('the record is malformed, so nothing was imported; line 3: is not UTF-8'),
    );
  });

  it.each([
    ['', /empty/],
    ['\n\n', /empty/],
    [recordOf(), /no rows/],
  ])('for no content: %j', (text, message) => {
    expect(refusalOf(text)).toMatch(message);
  });

  it('with all its faults in one line: twenty shown, the others counted', () => {
    const message = refusalOf(
      recordOf(...Array.from({ length: 25 }, () => ({ Ceremony: '-1', Winner: '?' }))),
    );
    expect(message).toContain('line 2: bad ceremony number "-1"; line 2: bad Winner "?"; line 3: ');
    expect(message).toMatch(/line 11: bad Winner "\?"; and 30 more$/);
    expect(message).not.toContain('\n');
  });
});

describe('a record is imported', () => {
  it('without its trailing empty columns', () => {
    importedText(recordOf({ Film: 'B', FilmId: 'tt2', Winner: '' }).replace(/\t+\n/g, '\n'));
    expect(nominations()).toHaveLength(2);
  });

  it('with quotes, a byte order mark, Windows line ends and no last line end', () => {
    const text = recordOf({ Film: '"B"', FilmId: 'tt2' }).trimEnd().replaceAll('\n', '\r\n');
    importedText(decode(Buffer.from(`\ufeff${text}`)));
    expect(nominations()[1]).toBe('97 Directing: "B" / Sean Baker*');
  });

  it('with its columns in another order', () => {
    const swapped = recordOf({ Film: 'B', FilmId: 'tt2' })
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t').reverse().join('\t'));
    importedText(swapped.join('\n'));
    expect(nominations()).toHaveLength(2);
  });
});
