/**
 * The bytes of the public award record → its rows. The dialect is that of its writer, Python's csv module
 * with `delimiter='\t', doublequote=False, escapechar='\\'`: `\"` is a quote, `\\` a backslash, and a cell
 * with a tab or a line break is quoted. A file with a fault is refused whole; the error names the faults by
 * line.
 */
import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { honorClasses } from '../../api/contract/names.ts';
import { type CeremonyFacts, laterCeremony, type Reference } from '../reference/reference.ts';
import { UserError } from '../system/messages.ts';

/** A film or nominee as one row names it. */
interface Credit {
  name: string;
  /** Null if unknown. */
  filmindexId: string | null;
}

export interface SourceRow {
  /** Counted from 1, the header. */
  line: number;
  ceremony: CeremonyFacts;
  awardClass: string;
  sourceCategory: string;
  /** The category as it was called at the time. */
  historicalCategory: string;
  /** Empty if the row has no film or no film id: a film without an id cannot be identified. */
  films: Credit[];
  /** The films as one text, also of a row without a film id. */
  filmText: string;
  /** The nominees as one text. */
  name: string;
  nominees: Credit[];
  winner: boolean;
  detail: string;
  note: string;
  citation: string;
}

/** Whether a class is one of honorary awards, which are no nominations. */
export const isHonorary = (awardClass: string): boolean =>
  (honorClasses as readonly string[]).includes(awardClass);

const columns = [
  ...(['Ceremony', 'Year', 'Class', 'CanonicalCategory', 'Category', 'Film', 'FilmId'] as const),
  ...(['Name', 'Nominees', 'NomineeIds', 'Winner', 'Detail', 'Note', 'Citation'] as const),
];
type Column = (typeof columns)[number];

/** Bytes of a row. The longest row of the record has some thousands. */
const maxRowBytes = 1024 * 1024;
/** Faults that an error names. */
const maxShown = 20;

/** Notes a fault of a line, counted from 1. */
type Report = (line: number, fault: string) => void;

/**
 * Reads the rows of the record, in the order of the file.
 * @throws UserError naming the lines that are malformed
 */
export async function readRows(bytes: Uint8Array, reference: Reference): Promise<SourceRow[]> {
  const faults: { line: number; fault: string }[] = [];
  const report: Report = (line, fault) => void faults.push({ line, fault });
  const refuseFaults = () => {
    if (faults.length === 0) return;
    const shown = faults
      .toSorted((a, b) => a.line - b.line)
      .slice(0, maxShown)
      .map(({ line, fault }) => `line ${line}: ${fault}`);
    if (faults.length > maxShown) shown.push(`and ${faults.length - maxShown} more`);
    throw new UserError(`the record is malformed, so nothing was imported; ${shown.join('; ')}`);
  };
  checkLines(bytes, report);
  const [header, ...others] = await parseLines(bytes, report);
  if (header === undefined) {
    refuseFaults();
    throw new UserError('the record is empty');
  }
  checkHeader(header.cells, report);
  refuseFaults();
  const positions = new Map(header.cells.map((column, position) => [column, position]));
  const rows = others.flatMap(({ cells, line }) => {
    const row = readRow({ cells, line, positions, reference, report });
    return row ? [row] : [];
  });
  checkSeparators(others, positions, report);
  refuseFaults();
  if (rows.length === 0) throw new UserError('the record has a header but no rows');
  return rows;
}

/** Reports lines that are not UTF-8, and a last line without its end. */
function checkLines(bytes: Uint8Array, report: Report): void {
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    if (!isUtf8(bytes.subarray(start, end))) report(line, 'is not UTF-8');
    start = end + 1;
    line += 1;
  }
  if (start < bytes.length) report(line, 'is cut: the file does not end with a line break');
}

interface Line {
  cells: string[];
  line: number;
}

async function parseLines(bytes: Uint8Array, report: Report): Promise<Line[]> {
  const lines: Line[] = [];
  const parser = parse({
    ...{ delimiter: '\t', record_delimiter: ['\r\n', '\n'], quote: '"', escape: '\\', bom: true },
    ...{ relax_quotes: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxRowBytes },
    on_record: (cells: string[], { lines: line }) => {
      if (cells.some(hasDoubledQuote)) report(line, doubledQuote);
      lines.push({ cells: cells.map(unescaped), line });
      // The library makes an error for each row of another length than its first, which takes longer than all
      // else.
      (parser.info as { records: number }).records = 0;
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline([bytes], parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    report(Number(error.lines), parserFaults[error.code] ?? error.message);
  }
  return lines;
}

const parserFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed; the file may be cut',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${maxRowBytes / 1024 / 1024} MB`,
};

/** The library resolves escapes in quoted cells only. Only these have a tab or a line break. */
const isResolved = (cell: string): boolean => /[\t\n\r]/.test(cell);

function unescaped(cell: string): string {
  const text = cell.includes('\\') && !isResolved(cell) ? cell.replace(/\\(.)/gs, '$1') : cell;
  return text.trim();
}

/** Spreadsheets write a quote in this way. */
const hasDoubledQuote = (cell: string): boolean => cell.includes('""') && !isResolved(cell);
const doubledQuote =
  'has a doubled quote instead of one after a backslash: a spreadsheet or another program has changed the file';

/** Reports columns that are missing, unknown, or there twice. */
function checkHeader(header: readonly string[], report: Report): void {
  const missing = columns.filter((column) => !header.includes(column));
  const unknown = header.filter((column) => !(columns as readonly string[]).includes(column));
  const named = (names: readonly string[]) => `column${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  if (missing.length > 0) report(1, `the header is missing the ${named(missing)}`);
  if (unknown.length > 0) report(1, `the header has the unknown ${named(unknown.map(quoted))}`);
  for (const column of columns)
    if (header.indexOf(column) !== header.lastIndexOf(column))
      report(1, `the column ${column} appears twice`);
}

/** Trailing empty cells may be missing. */
type Cells = (column: Column) => string;
const cellsOf =
  (cells: readonly string[], positions: ReadonlyMap<string, number>): Cells =>
  (column) =>
    cells[positions.get(column)!] ?? '';

interface RowContext extends Line {
  positions: ReadonlyMap<string, number>;
  reference: Reference;
  report: Report;
}

/** The row of a line; undefined if its ceremony cannot be told. */
function readRow({ cells, line, positions, reference, report }: RowContext): SourceRow | undefined {
  const fault = (text: string) => report(line, text);
  const cell = cellsOf(cells, positions);
  if (cells.length > columns.length)
    fault(`has ${cells.length} columns, but the header has ${columns.length}`);
  if (cells.some((text) => text.includes('\0'))) fault('contains a NUL character');
  const ceremony = ceremonyOf(cell, reference);
  if (ceremony === undefined) fault(`bad ceremony number ${quoted(cell('Ceremony'))}`);
  const [awardClass, sourceCategory] = [cell('Class'), cell('CanonicalCategory')];
  if (!isHonorary(awardClass) && reference.categoryOfSource(sourceCategory) === undefined)
    fault(`unknown category ${quoted(sourceCategory)}`);
  const films = creditsOf(cell, 'Film', fault);
  const nominees = creditsOf(cell, 'Nominees', fault);
  const winner = cell('Winner');
  if (!['', 'True', 'False'].includes(winner)) fault(`bad Winner ${quoted(winner)}`);
  if (ceremony === undefined) return undefined;
  return {
    ...{ line, ceremony, awardClass, sourceCategory, nominees },
    historicalCategory: cell('Category'),
    films: cell('FilmId') === '' ? [] : films,
    filmText: cell('Film'),
    name: cell('Name'),
    winner: winner === 'True',
    detail: cell('Detail'),
    note: cell('Note'),
    citation: cell('Citation'),
  };
}

function ceremonyOf(cell: Cells, { ceremonies }: Reference): CeremonyFacts | undefined {
  const text = cell('Ceremony');
  const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  const isLater = number > ceremonies.size;
  return ceremonies.get(number) ?? (isLater ? laterCeremony(number, cell('Year')) : undefined);
}

/** Column of names → that of their ids, and the form of an id. */
const idsOf = {
  Film: { column: 'FilmId', form: /^tt[0-9]+$/ },
  Nominees: { column: 'NomineeIds', form: /^(nm|co)[0-9]+$/ },
} as const;

function creditsOf(cell: Cells, column: keyof typeof idsOf, fault: (text: string) => void): Credit[] {
  const text = cell(column);
  if (text === '') return [];
  const { column: idColumn, form } = idsOf[column];
  const names = text.split('|');
  const ids = cell(idColumn) === '' ? names.map(() => '') : cell(idColumn).split('|');
  if (ids.length !== names.length && (column === 'Nominees' || cell(idColumn) !== ''))
    fault(`${column} names ${names.length}, but ${idColumn} has ${ids.length}`);
  return names.map((name, index) => {
    if (name.trim() === '') fault(`${column} has an empty name`);
    const id = ids[index]?.trim() ?? '';
    return { name: name.trim(), filmindexId: form.test(id) ? id : null };
  });
}

/**
 * Reports a file whose values are mostly separated by commas, as in earlier editions: a cell whose names and
 * ids are as many by commas. Two ids of one name are an unknown id.
 */
function checkSeparators(
  lines: readonly Line[],
  positions: ReadonlyMap<string, number>,
  report: Report,
): void {
  let [bars, commas, first] = [0, 0, 0];
  for (const { cells, line } of lines)
    for (const [column, { column: idColumn, form }] of Object.entries(idsOf)) {
      const cell = cellsOf(cells, positions);
      const text = cell(column as keyof typeof idsOf);
      if (text.includes('|')) bars += 1;
      if (text.includes('|') || !cell(idColumn).includes(',')) continue;
      const ids = cell(idColumn)
        .split(',')
        .map((id) => id.trim());
      if (ids.length === text.split(',').length && ids.some((id) => form.test(id))) {
        commas += 1;
        first ||= line;
      }
    }
  if (commas > bars)
    report(
      first,
      'the values of a cell are separated by commas, not by "|": this is another edition of the record',
    );
}

/** A value as a message shows it: quoted, on one line, cut short. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
