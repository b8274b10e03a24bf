/** The public award record as text → its rows. A file with a fault is refused whole; the error names the faults by line. */
import { type CeremonyFacts, laterCeremony, type Reference } from '../reference/reference.ts';
import { UserError } from '../user-error.ts';

/** A film or nominee as one row names it. */
export interface Credit {
  name: string;
  /** Null if unknown. */
  filmindexId: string | null;
}

export interface SourceRow {
  ceremony: number;
  awardClass: string;
  sourceCategory: string;
  /** Empty if the row has no film or no film id: a film without an id cannot be identified. */
  films: Credit[];
  /** The nominees as one text. */
  name: string;
  nominees: Credit[];
  winner: boolean;
  detail: string;
}

export interface ParsedRecord {
  rows: SourceRow[];
  /** The ceremonies of the rows, in order of first appearance. */
  ceremonies: CeremonyFacts[];
}

/** Honorary awards, which are for no film. */
export const classesLeftOut: ReadonlySet<string> = new Set(['SciTech', 'Special']);

const neededColumns = [
  ...(['Ceremony', 'Year', 'Class', 'CanonicalCategory', 'Film', 'FilmId'] as const),
  ...(['Name', 'Nominees', 'NomineeIds', 'Winner', 'Detail'] as const),
];
type Column = (typeof neededColumns)[number];

/** The faults of a file. All are collected, so that the reader of the error can mend the file at once. */
class Faults {
  static readonly #maxShown = 20;
  readonly #faults: string[] = [];

  /** @param line counted from 1 */
  add(line: number, message: string): void {
    this.#faults.push(`line ${line}: ${message}`);
  }

  /** @throws UserError naming the first faults and the number of the others, if there is any */
  refuseIfAny(): void {
    if (this.#faults.length === 0) return;
    const shown = this.#faults.slice(0, Faults.#maxShown);
    const rest = this.#faults.length - shown.length;
    if (rest > 0) shown.push(`and ${rest} more`);
    throw new UserError(`the record is malformed, so nothing was imported; ${shown.join('; ')}`);
  }
}

/**
 * The text of a file.
 * @throws UserError naming the lines that are not UTF-8
 */
export function decode(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const isUtf8 = (part: Uint8Array) => {
    try {
      utf8.decode(part);
      return true;
    } catch {
      return false;
    }
  };
  if (isUtf8(bytes)) return utf8.decode(bytes);
  const faults = new Faults();
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    if (!isUtf8(bytes.subarray(start, end))) faults.add(line, 'is not UTF-8');
    start = end + 1;
  }
  faults.refuseIfAny();
  throw new UserError('the record is not UTF-8');
}

/**
 * The rows of the record.
 * @throws UserError naming every line that is malformed
 */
export function parseRecord(text: string, reference: Reference): ParsedRecord {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.every((line) => line.trim() === '')) throw new UserError('the record is empty');
  const faults = new Faults();
  const header = readHeader(lines[0]!, faults);
  faults.refuseIfAny();
  const rows: SourceRow[] = [];
  const ceremonies = new Map<number, CeremonyFacts>();
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '') continue;
    const report = (message: string) => faults.add(index + 1, message);
    const cell = readLine(line, header, report);
    const ceremony = ceremonyOf(cell, reference, report);
    if (ceremony) ceremonies.set(ceremony.number, ceremony);
    rows.push(rowOf(cell, ceremony?.number ?? 0, reference, report));
  }
  faults.refuseIfAny();
  if (rows.length === 0) throw new UserError('the record has a header but no rows');
  return { rows, ceremonies: [...ceremonies.values()] };
}

/** The columns in the order of the file. */
function readHeader(line: string, faults: Faults): readonly string[] {
  const header = line.split('\t');
  const missing = neededColumns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const columns = missing.length > 1 ? 'columns' : 'column';
    faults.add(1, `the header is missing the ${columns} ${missing.join(', ')}`);
  }
  for (const column of neededColumns)
    if (header.indexOf(column) !== header.lastIndexOf(column))
      faults.add(1, `the column ${column} appears twice`);
  return header;
}

type Cell = (column: Column) => string;
type Report = (fault: string) => void;

/** The cells of a line. Trailing empty cells may be missing. */
function readLine(line: string, header: readonly string[], report: Report): Cell {
  const cells = line.split('\t');
  if (cells.length > header.length)
    report(`has ${cells.length} columns, but the header has ${header.length}`);
  if (line.includes('\0')) report('contains a NUL character');
  return (column) => cells[header.indexOf(column)]?.trim() ?? '';
}

function ceremonyOf(cell: Cell, reference: Reference, report: Report): CeremonyFacts | undefined {
  const text = cell('Ceremony');
  const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  const facts =
    reference.ceremonies.get(number) ??
    (number > reference.ceremonies.size ? laterCeremony(number, cell('Year')) : undefined);
  if (!facts) report(`bad ceremony number ${quoted(text)}`);
  return facts;
}

function rowOf(cell: Cell, ceremony: number, reference: Reference, report: Report): SourceRow {
  const awardClass = cell('Class');
  const sourceCategory = cell('CanonicalCategory');
  if (!classesLeftOut.has(awardClass) && !reference.categoryOfSource.has(sourceCategory))
    report(`unknown category ${quoted(sourceCategory)}`);
  const films = cell('FilmId') === '' ? [] : creditsOf(cell, 'Film', 'FilmId', /^tt[0-9]+$/, report);
  const nominees = creditsOf(cell, 'Nominees', 'NomineeIds', /^(nm|co)[0-9]+$/, report);
  const winner = cell('Winner');
  if (!['', 'True', 'False'].includes(winner)) report(`bad Winner ${quoted(winner)}`);
  return {
    ceremony,
    awardClass,
    sourceCategory,
    films,
    name: cell('Name'),
    nominees,
    winner: winner === 'True',
    detail: cell('Detail'),
  };
}

function creditsOf(
  cell: Cell,
  column: 'Film' | 'Nominees',
  idColumn: 'FilmId' | 'NomineeIds',
  validId: RegExp,
  report: Report,
): Credit[] {
  if (cell(column) === '') return [];
  const names = cell(column).split('|');
  const ids = cell(idColumn) === '' ? names.map(() => '') : cell(idColumn).split('|');
  if (ids.length !== names.length)
    report(`${column} names ${names.length}, but ${idColumn} has ${ids.length}`);
  return names.map((name, index) => {
    if (name.trim() === '') report(`${column} has an empty name`);
    const id = ids[index]?.trim() ?? '';
    return { name: name.trim(), filmindexId: validId.test(id) ? id : null };
  });
}

/** A value as a message shows it: quoted, on one line, cut short. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
