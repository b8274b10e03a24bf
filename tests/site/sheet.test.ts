/** A pasted sheet is read by its header or by what its columns hold, and a name means the record that an editor would choose. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { makeNames, meaningOf, type Names, partsOf } from '../../build/site/edit/matching.ts';
import {
  cellsIn,
  emptyRow,
  pastedCells,
  readSheet,
  type Row,
  takeHeadings,
} from '../../build/site/edit/sheet-text.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { compiledRecord } from '../records/build.ts';

const row = (cells: Partial<Row>): Row => ({ ...emptyRow, ...cells });
const sheetOf = (...lines: string[]) => readSheet(lines.join('\n').replaceAll(' | ', '\t'));

describe('a sheet with a header', () => {
  const expected = row({
    ...{ category: 'Best Actor', film: 'A Film', name: 'A Person', character: 'A Role', winner: true },
  });
  it.each([
    ['Category | Film | Name | Character | Winner', 'Best Actor | A Film | A Person | A Role | x'],
    ['Winner | As | Nominees | Movie | Award', 'yes | A Role | A Person | A Film | Best Actor'],
    ['RESULT | Role | Who | Film Title | prize', 'Won | A Role | A Person | A Film | Best Actor'],
    [
      'Status | Remarks | Playing | Artist | Picture | Categories',
      'winner | left out | A Role | A Person | A Film | Best Actor',
    ],
  ])('is read by the names of its columns, in any order: %s', (header, line) => {
    expect(sheetOf(header, line).rows).toEqual([expected]);
  });

  it('names the columns that it does not read, and is a nomination if the editor says so', () => {
    const text = 'Film\tName\tShoe size\nA Film\tA Person\t44';
    expect(readSheet(text).header).toEqual([
      { text: 'Film', column: 'film' },
      { text: 'Name', column: 'name' },
      { text: 'Shoe size', column: undefined },
    ]);
    expect(readSheet(text, false).rows[0]).toMatchObject({ film: 'Film', name: 'Name' });
  });

  it.each(['', 'no', 'No', '0', 'false', 'nominee', 'Nominated', 'lost', '-'])(
    '“%s” does not win',
    (cell) => {
      expect(sheetOf('Film | Name | Winner', `A Film | A Person | ${cell}`).rows[0]!.winner).toBe(false);
    },
  );
});

describe('a sheet without a header', () => {
  it.each<[string[], Partial<Row>]>([
    [['A Film | A Person'], { film: 'A Film', name: 'A Person' }],
    [
      ['A Film | A Person | A Role | A Credit'],
      { film: 'A Film', name: 'A Person', character: 'A Role', credited_as: 'A Credit' },
    ],
    [['Best Picture | A Film | A Person'], { category: 'Best Picture', film: 'A Film', name: 'A Person' }],
    [['A Film | Directing | A Person'], { film: 'A Film', category: 'Directing', name: 'A Person' }],
    [['A Film | A Person | Winner'], { film: 'A Film', name: 'A Person', winner: true }],
    [
      ['x | A Film | A Person | Directing'],
      { film: 'A Film', name: 'A Person', category: 'Directing', winner: true },
    ],
    [
      ['A Film | A Person | Winner', 'B Film | B', 'C Film | C |'],
      { film: 'A Film', name: 'A Person', winner: true },
    ],
    [
      ['A Film | A Person |  | Winner', 'A Film | B |  | Nominee'],
      { film: 'A Film', name: 'A Person', winner: true },
    ],
  ])('is read by what its columns hold: %j', (lines, expected) => {
    const { rows, header } = sheetOf(...lines);
    expect(header).toBeUndefined();
    expect(rows[0]).toEqual(row(expected));
  });

  it('asks about rows with one cell, and gives the rows below their category', () => {
    const sheet = sheetOf('Best Picture', 'A Film | A', 'Best Stunts', 'B Film | B', 'C Film | C');
    expect(sheet.headings).toEqual([0, 2]);
    expect(takeHeadings(sheet)).toEqual({
      headings: [],
      rows: [
        row({ category: 'Best Picture', film: 'A Film', name: 'A' }),
        row({ category: 'Best Stunts', film: 'B Film', name: 'B' }),
        row({ category: 'Best Stunts', film: 'C Film', name: 'C' }),
      ],
    });
    // Titles alone are no headings.
    expect(sheetOf('A Film', 'Another Film').headings).toEqual([]);
  });
});

it('takes the song in quotes from the cell of its writers', () => {
  expect(sheetOf('A Film | A Person; "A Song"').rows).toEqual([
    row({ film: 'A Film', name: 'A Person', song: 'A Song' }),
  ]);
});

it('reads cells in quotes with line breaks and quotes, whatever ends the lines', () => {
  expect(cellsIn('a\t"b\nc"\r\n"d ""e"""\tf\r\n\n')).toEqual([
    ['a', 'b c'],
    ['d "e"', 'f'],
  ]);
});

it.each([
  ['a', false],
  ['a\n', false],
  ['"a\nb"', false],
  ['a\nb', true],
  ['a\tb', true],
  ['a\tb\nc', true],
])('%j is pasted into several cells: %s', (text, isOfSeveral) => {
  const event = { clipboardData: { getData: () => text } } as unknown as ClipboardEvent;
  expect(pastedCells(event) !== undefined).toBe(isOfSeveral);
});

it.each<[string, string[]]>([
  ['A One', ['A One']],
  ['A One and B Two', ['A One', 'B Two']],
  ['A One, B Two & C Three', ['A One', 'B Two', 'C Three']],
  ['A One, B Two, and C Three', ['A One', 'B Two', 'C Three']],
  ['A One; B Two', ['A One', 'B Two']],
  ['Robert Downey, Jr. and B Two', ['Robert Downey, Jr.', 'B Two']],
  ['Sandy Powell', ['Sandy Powell']],
])('“%s” names %j', (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

describe('a name', () => {
  let names: Names;
  beforeAll(async () => {
    const { files } = await compiledRecord(fillWithSample);
    names = await makeNames(await new Resolver(files).snapshot());
  });
  const labelOf = (meaning: Awaited<ReturnType<typeof meaningOf>>) =>
    meaning.options.find(({ id }) => id === meaning.id)?.label;

  it.each([
    ['Ralph Fiennes', 'Ralph Fiennes'],
    ['RALPH FIENNES', 'Ralph Fiennes'],
    [' Sean Baker ', 'Sean Baker'],
  ])('“%s” means its record', async (text, label) => {
    expect(labelOf(await meaningOf(names, 'nominees', text, 2026))).toBe(label);
  });

  it.each(['Sean Bakre', 'Ralph Fienes', 'Sean X. Baker'])('“%s” is asked about', async (text) => {
    const { id, options, reason } = await meaningOf(names, 'nominees', text, 2026);
    expect([id, reason]).toEqual([undefined, 'a name like it is known']);
    expect(options[0]!.label).toMatch(/^(Sean Baker|Ralph Fiennes)$/);
  });

  it('that no record has, or has nearly, is a new one', async () => {
    expect((await meaningOf(names, 'nominees', 'Qwertz Uiopü', 2026)).id).toBe(0);
    expect((await meaningOf(names, 'movies', 'A Film That Nobody Made', 2026)).id).toBe(0);
  });

  it('of a film whose years are far away is asked about, unless its year is typed', async () => {
    const near = await meaningOf(names, 'movies', 'The Shape of Water', 2018);
    expect(labelOf(near)).toBe('The Shape of Water');
    const far = await meaningOf(names, 'movies', 'The Shape of Water', 1990);
    expect([far.id, far.reason]).toEqual([undefined, 'that of this name is of other years']);
    expect(labelOf(await meaningOf(names, 'movies', 'The Shape of Water (2017)', 1990))).toBe(
      'The Shape of Water',
    );
    expect((await meaningOf(names, 'movies', 'The Shape of Water (1990)', 1990)).id).toBe(0);
  });

  it('of an IMDb id that no record has is asked about', async () => {
    const { id, reason } = await meaningOf(names, 'movies', 'tt99999999', 2026);
    expect([id, reason]).toEqual([undefined, 'no record has the id tt99999999']);
  });
});
