/** Reads what is pasted from a spreadsheet: its header, its columns, and rows that are headings. */
import { categoryNamed } from '../../../api/contract/category-names.ts';
import { tokens } from '../../../api/contract/text.ts';

/** A nomination as it is typed: all texts. `name` can join several people. */
export interface Row {
  category: string;
  film: string;
  name: string;
  song: string;
  character: string;
  credited_as: string;
  winner: boolean;
}

export const emptyRow: Row = {
  category: '',
  film: '',
  name: '',
  song: '',
  character: '',
  credited_as: '',
  winner: false,
};

export const isEmpty = (row: Row): boolean => Object.values(row).every((value) => !value);

export type Column = keyof Row;

/** Column → what its header can be called. */
const headers: Readonly<Record<Column, readonly string[]>> = {
  category: ['category', 'categories', 'award', 'prize', 'canonical category'],
  film: ['film', 'films', 'movie', 'movies', 'title', 'film title', 'movie title', 'picture', 'work'],
  name: 'name names nominee nominees person people artist artists recipient recipients individual'
    .split(' ')
    .concat('nominee s', 'person or company', 'who'),
  song: ['song', 'songs', 'song title', 'track'],
  character: ['character', 'characters', 'role', 'roles', 'as', 'part', 'playing', 'character name'],
  credited_as: ['credited as', 'credit', 'credited', 'billed as', 'credited name', 'name on screen'],
  winner: ['winner', 'winners', 'won', 'win', 'result', 'outcome', 'winner s', 'status'],
};

/** The columns that the cells of a line name. @param names column → what its header can be called */
export function columnsNamed<C extends string>(
  cells: readonly string[],
  names: Readonly<Record<C, readonly string[]>>,
): (C | undefined)[] {
  return cells.map((cell) => {
    const words = tokens(cell).join(' ');
    return (Object.keys(names) as C[]).find((column) => names[column].includes(words));
  });
}

/** Cells of a winner that mean that the nomination did not win. */
const notWon = /^(|no|n|0|false|nominee|nominated|lost|-|–)$/;
const hasWon = (text: string): boolean => !notWon.test(text.trim().toLowerCase());

/** The cells of lines copied from a spreadsheet. A cell in quotes can have line breaks. */
export function cellsIn(text: string): string[][] {
  const joined = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const cell = /(?:^|\t|\n)(?:"((?:[^"]|"")*)"(?=\t|\n|$)|([^\t\n]*))/g;
  const lines: string[][] = [[]];
  for (const { 0: match, 1: quoted, 2: plain, index } of joined.matchAll(cell)) {
    if (match.startsWith('\n') && index > 0) lines.push([]);
    const value = quoted === undefined ? plain! : quoted.replaceAll('""', '"').replaceAll('\n', ' ');
    lines.at(-1)!.push(value.trim());
  }
  return lines;
}

/** The cells of a paste into a grid; undefined for one cell, which the browser pastes. */
export function pastedCells(event: ClipboardEvent): string[][] | undefined {
  const cells = cellsIn(event.clipboardData?.getData('text/plain') ?? '');
  return cells.length > 1 || cells[0]!.length > 1 ? cells : undefined;
}

/** The columns that the cells of a header name; undefined if they are none. */
function headerIn(cells: readonly string[]): (Column | undefined)[] | undefined {
  const columns = columnsNamed(cells, headers);
  const known = new Set(columns.filter((column) => column !== undefined));
  return known.size >= 2 && (known.has('film') || known.has('name')) ? columns : undefined;
}

const isCategory = (text: string): boolean => categoryNamed(text) !== undefined;

/** Words that say an outcome. A column of them is that of the winners, wherever it stands. */
const outcomePattern = /^(winner|won|wins?|x|✓|✔|★|\*|yes|y|true|no|n|false|nominee|nominated|lost)$/i;

/** Columns by their position: the category and the winners where there are such columns, then these. */
const positions: readonly Column[] = ['film', 'name', 'character', 'credited_as', 'winner'];

function columnsByPosition(lines: readonly (readonly string[])[]): (Column | undefined)[] {
  const width = Math.max(...lines.map((cells) => cells.length));
  const indexes = Array.from({ length: width }, (_, i) => i);
  /** Whether more than a share of the cells of a column are of a kind. Rows of one cell do not count. */
  const isMostly = (i: number, share: number, isOfKind: (cell: string) => boolean) => {
    const filled = lines.filter((cells) => cells[i] && cells.filter(Boolean).length > 1);
    return filled.length > 0 && filled.filter((cells) => isOfKind(cells[i]!)).length > share * filled.length;
  };
  const categoryAt = indexes.find((i) => isMostly(i, 0.5, isCategory));
  const winnerAt = indexes.find(
    (i) => i !== categoryAt && isMostly(i, 0.8, (cell) => outcomePattern.test(cell)),
  );
  const others = positions.filter((column) => column !== 'winner' || winnerAt === undefined);
  return indexes.map((i) => {
    if (i === categoryAt) return 'category';
    return i === winnerAt ? 'winner' : others.shift();
  });
}

/** What a sheet says, before names are looked up. */
export interface Sheet {
  rows: Row[];
  /** Header → the column it stands for; undefined for a header that is none. Missing without a header. */
  header?: { text: string; column: Column | undefined }[];
  /** Positions of rows that have a category alone: headings of the rows below, perhaps. */
  headings: number[];
}

/** @param isHeader whether the first line can be a header */
export function readSheet(text: string, isHeader = true): Sheet {
  const lines = cellsIn(text).filter((cells) => cells.some((cell) => cell !== ''));
  const [first = [], ...others] = lines;
  const named = isHeader ? headerIn(first) : undefined;
  const body = named ? others : lines;
  const columns = named ?? columnsByPosition(body.length > 0 ? body : [[]]);
  const rows = body.map((cells) => rowOf(cells, columns));
  const single = body.flatMap((cells, i) => {
    const filled = cells.filter(Boolean);
    return filled.length === 1 ? [{ at: i, isKnown: isCategory(filled[0]!) }] : [];
  });
  // Beside headings that are known categories, another row with one cell names a category, too.
  const headings = single.some(({ isKnown }) => isKnown) ? single.map(({ at }) => at) : [];
  const header =
    named && first.map((name, i) => ({ text: name, column: named[i] })).filter((own) => own.text);
  return { rows, headings, ...(header && { header }) };
}

function rowOf(cells: readonly string[], columns: readonly (Column | undefined)[]): Row {
  const row = { ...emptyRow };
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (column === 'winner') row.winner = hasWon(cell);
    else if (column && cell) row[column] = row[column] ? `${row[column]}, ${cell}` : cell;
  }
  return withSong(row);
}

/** A song in the cell of its writers: `Emma Hale; "Salt in the Air"`. */
function withSong(row: Row): Row {
  const [quoted, song] = /["“]([^"”]+)["”]/.exec(row.name) ?? [];
  if (!quoted || row.song !== '') return row;
  const name = row.name.replace(quoted, '').replace(/^[\s;,:–-]+|[\s;,:–-]+$/g, '');
  return { ...row, name, song: song! };
}

/** What a row with one cell says. */
export const headingIn = ({ category, film, name }: Row): string => category || film || name;

/** Takes all headings, the last one first: the positions of the others stay. */
export const takeHeadings = (sheet: Sheet): Sheet => sheet.headings.toReversed().reduce(takeHeading, sheet);

/** The rows under a heading get its category, and the heading goes. @param at position of the heading */
function takeHeading({ rows, headings, ...rest }: Sheet, at: number): Sheet {
  const heading = rows[at]!;
  const category = headingIn(heading);
  const end = headings.find((other) => other > at) ?? rows.length;
  const filled = rows.map((row, i) => (i > at && i < end && !row.category ? { ...row, category } : row));
  const shifted = headings.filter((own) => own !== at).map((own) => (own > at ? own - 1 : own));
  return { ...rest, rows: filled.filter((_, i) => i !== at), headings: shifted };
}
