/**
 * The public award record: a file or an address → its bytes → its rows. The dialect is that of its writer,
 * Python's csv module with `delimiter='\t', doublequote=False, escapechar='\\'`: `\"` is a quote, `\\` a
 * backslash, and a cell with a tab or a line break is quoted. A file with a fault is refused whole; the error
 * names the faults by line.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { honorClasses } from '../../api/contract/names.ts';
import { type CeremonyFacts, laterCeremony, type Reference } from '../reference/reference.ts';
import { UserError } from '../system/messages.ts';

interface SourceLimits {
  /** For a whole download. */
  timeoutMs: number;
  maxBytes: number;
}

/** The record is 2.2 MB. */
const defaultLimits: SourceLimits = { timeoutMs: 60_000, maxBytes: 16 * 1024 * 1024 };

/**
 * The bytes of a source.
 * @throws UserError if the source cannot be read, is too large, or is a web page
 */
export async function readSource(source: string, limits = defaultLimits): Promise<Uint8Array> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new UserError(`cannot read ${source}: only files and http(s) addresses`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of await (scheme === undefined ? openFile(source) : download(source, limits))) {
      size += piece.byteLength;
      // Leaving the loop cancels a download.
      if (size > limits.maxBytes) throw tooLarge(source, limits);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${source}: ${reasonOf(error as Error, limits)}`, { cause: error });
  }
  const bytes = Buffer.concat(pieces);
  if (/^\s*</.test(bytes.subarray(0, 100).toString())) throw webPage(source);
  return bytes;
}

async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  if ((await stat(file)).isDirectory()) throw new UserError(`cannot read ${file}: it is a directory`);
  return createReadStream(file);
}

async function download(address: string, limits: SourceLimits): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(limits.timeoutMs) });
  const isPage = response.headers.get('content-type')?.includes('text/html');
  if (response.ok && !isPage) return response.body ?? Readable.from([]);
  await response.body?.cancel();
  if (response.ok) throw webPage(address);
  throw new UserError(
    `cannot read ${address}: the server answered ${response.status} ${response.statusText}`.trim(),
  );
}

function reasonOf(error: Error, limits: SourceLimits): string {
  if (error.name === 'TimeoutError') return `no complete answer within ${limits.timeoutMs / 1000} seconds`;
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'there is no such file';
  // The message of fetch is only "fetch failed". The cause has the reason.
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}

const tooLarge = (source: string, limits: SourceLimits) =>
  new UserError(`cannot read ${source}: it is larger than ${Math.floor(limits.maxBytes / 1024 / 1024)} MB`);

const webPage = (source: string) =>
  new UserError(
    `${source} is a web page, not the record itself; on GitHub use the address behind "Raw" (raw.githubusercontent.com)`,
  );

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
  films: Credit[];
  /** Whether the row has ids of its films, known or not. A film without one is in no nomination. */
  hasFilmIds: boolean;
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

/** Characters of a row. The longest row of the record has some thousands. */
const maxRowLength = 1024 * 1024;
/** Faults that an error names. */
const maxShown = 20;

/** Notes a fault of a line, counted from 1. */
type Report = (line: number, fault: string) => void;

/**
 * Reads the rows of the record, in the order of the file.
 * @throws UserError naming the lines that are malformed
 */
export function readRows(bytes: Uint8Array, reference: Reference): SourceRow[] {
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
  const rows: SourceRow[] = [];
  const separators = new Separators();
  let cellOf: ReturnType<typeof readHeader> | undefined;
  for (const { cells, line } of parseLines(Buffer.from(bytes).toString(), report)) {
    if (cellOf === undefined) {
      cellOf = readHeader(cells, report);
      refuseFaults();
      continue;
    }
    const cell = cellOf(cells);
    if (cells.length > columns.length)
      report(line, `has ${cells.length} columns, but the header has ${columns.length}`);
    const row = readRow(cell, line, reference, report);
    if (row !== undefined) rows.push(row);
    separators.count(cell, line);
  }
  if (cellOf !== undefined) separators.check(report);
  refuseFaults();
  if (cellOf === undefined) throw new UserError('the record is empty');
  if (rows.length === 0) throw new UserError('the record has a header but no rows');
  return rows;
}

/** Reports lines that are not UTF-8, and a last line without its end. */
function checkLines(bytes: Uint8Array, report: Report): void {
  let [line, start] = [1, 0];
  const isSound = isUtf8(bytes);
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    if (!isSound && !isUtf8(bytes.subarray(start, end))) report(line, 'is not UTF-8');
    start = end + 1;
    line += 1;
  }
  if (start < bytes.length) report(line, 'is cut: the file does not end with a line break');
}

interface Line {
  cells: string[];
  line: number;
}

/** A cell, in quotes or not. An escape takes the next character with it. */
const anyCell = /"([^"\\]*(?:\\.[^"\\]*)*)"(?=\t|\r?\n|$)|[^\t\n\\]*(?:\\.?[^\t\n\\]*)*/sy;

/** The rows with text, each with its first line. A quoted cell may have line breaks. */
function* parseLines(text: string, report: Report): Generator<Line> {
  const endOf = (from: number) => {
    const end = text.indexOf('\n', from);
    return end < 0 ? text.length : end;
  };
  let [start, line] = [text.startsWith('\ufeff') ? 1 : 0, 1];
  while (start < text.length) {
    let row = text.slice(start, endOf(start));
    let cells = row.split('\t');
    if (/["\\]/.test(row)) {
      cells = [];
      for (anyCell.lastIndex = start; ; anyCell.lastIndex += 1) {
        const [whole, quoted] = anyCell.exec(text)!;
        if (quoted === undefined) checkQuotes(whole, line, report);
        cells.push((quoted ?? whole).replace(/\\(.)/gs, '$1'));
        if (text[anyCell.lastIndex] !== '\t') break;
      }
      row = text.slice(start, endOf(anyCell.lastIndex));
    }
    if (row.length > maxRowLength) report(line, `the row is longer than ${maxRowLength / 1024 / 1024} MB`);
    if (cells.length > 1 || row.trim() !== '') yield { cells: cells.map((cell) => cell.trim()), line };
    start += row.length + 1;
    line += row.split('\n').length;
  }
}

/** Reports the quotes of a cell that is not quoted as a whole, where they are no text. */
function checkQuotes(cell: string, line: number, report: Report): void {
  // Spreadsheets write a quote in this way.
  if (cell.includes('""'))
    report(
      line,
      'has a doubled quote instead of one after a backslash: a spreadsheet or another program has changed the file',
    );
  else if (cell.replace(/\\./gs, '').lastIndexOf('"') === 0)
    report(line, 'a quote is not closed; the file may be cut');
}

/** The value of a column in a row. Trailing empty cells may be missing. */
type Cells = (column: Column) => string;

/**
 * Reports columns that are missing, unknown, or there twice. @returns what finds the cells of a row by column
 */
function readHeader(header: readonly string[], report: Report): (cells: readonly string[]) => Cells {
  const missing = columns.filter((column) => !header.includes(column));
  const unknown = header.filter((column) => !(columns as readonly string[]).includes(column));
  const named = (names: readonly string[]) => `column${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  if (missing.length > 0) report(1, `the header is missing the ${named(missing)}`);
  if (unknown.length > 0) report(1, `the header has the unknown ${named(unknown.map(quoted))}`);
  for (const column of columns)
    if (header.indexOf(column) !== header.lastIndexOf(column))
      report(1, `the column ${column} appears twice`);
  const positions = new Map(header.map((column, position) => [column, position]));
  return (cells) => (column) => cells[positions.get(column)!] ?? '';
}

/** The row of a line; undefined if its ceremony cannot be told. */
function readRow(cell: Cells, line: number, reference: Reference, report: Report): SourceRow | undefined {
  const fault = (text: string) => report(line, text);
  if (columns.some((column) => cell(column).includes('\0'))) fault('contains a NUL character');
  const ceremony = ceremonyOf(cell, reference);
  if (!/^(?!0000)[0-9]{4}(\/[0-9]{2})?$/.test(cell('Year'))) fault(`bad Year ${quoted(cell('Year'))}`);
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
    line,
    ceremony,
    awardClass,
    sourceCategory,
    historicalCategory: cell('Category'),
    films,
    hasFilmIds: cell('FilmId') !== '',
    name: cell('Name'),
    nominees,
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
  const known = ceremonies.get(number) ?? (isLater ? laterCeremony(number, cell('Year')) : undefined);
  return known && { ...known, film_years: cell('Year') };
}

/** Column of names → that of their ids, and the form of an id. */
const idsOf = {
  Film: { column: 'FilmId', form: /^tt[0-9]+$/ },
  Nominees: { column: 'NomineeIds', form: /^(nm|co)[0-9]+$/ },
} as const;

/** What someone did, before the name: "Screenplay - Ann Doe". It is no part of the name. */
const leadingJob =
  /^\s*(screenplay|(screen )?story|adaptation|dialogue|(written|screenplay|story|music|lyrics?) by|music|lyrics?|score|director|producers?) - /i;

function creditsOf(cell: Cells, column: keyof typeof idsOf, fault: (text: string) => void): Credit[] {
  const text = cell(column);
  if (text === '') return [];
  const { column: idColumn, form } = idsOf[column];
  const names = text.split('|');
  const ids = cell(idColumn) === '' ? names.map(() => '') : cell(idColumn).split('|');
  const nameIn = (part: string) => (column === 'Nominees' ? part.replace(leadingJob, '') : part).trim();
  if (ids.length !== names.length && (column === 'Nominees' || cell(idColumn) !== ''))
    fault(`${column} names ${names.length}, but ${idColumn} has ${ids.length}`);
  return names.map((name, index) => {
    if (name.trim() === '') fault(`${column} has an empty name`);
    const id = ids[index]?.trim() ?? '';
    return { name: nameIn(name), filmindexId: form.test(id) ? id : null };
  });
}

/**
 * Finds a file whose values are mostly separated by commas, as in earlier editions: a cell whose names and
 * ids are as many by commas. Two ids of one name are an unknown id.
 */
class Separators {
  #bars = 0;
  #commas = 0;
  #firstLine = 0;

  count(cell: Cells, line: number): void {
    for (const column of ['Film', 'Nominees'] as const) {
      const { column: idColumn, form } = idsOf[column];
      const [text, idText] = [cell(column), cell(idColumn)];
      if (text.includes('|')) this.#bars += 1;
      if (text.includes('|') || !idText.includes(',')) continue;
      const ids = idText.split(',').map((id) => id.trim());
      if (ids.length !== text.split(',').length || !ids.some((id) => form.test(id))) continue;
      this.#commas += 1;
      this.#firstLine ||= line;
    }
  }

  check(report: Report): void {
    if (this.#commas <= this.#bars) return;
    report(
      this.#firstLine,
      'the values of a cell are separated by commas, not by "|": this is another edition of the record',
    );
  }
}

/** A value as a message shows it: quoted, on one line, cut short. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
