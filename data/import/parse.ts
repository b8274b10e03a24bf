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
  const columns = readHeader(lines[0]!, faults);
  faults.refuseIfAny();
  const rows: SourceRow[] = [];
  const ceremonies = new Map<number, CeremonyFacts>();
  for (let index = 1; index < lines.length; index += 1) {
    if (lines[index] === '') continue;
    const reader = new RowReader(lines[index]!, columns, (message) => faults.add(index + 1, message));
    const ceremony = reader.ceremony(reference);
    const row = reader.row(ceremony?.number ?? 0, reference);
    if (ceremony) ceremonies.set(ceremony.number, ceremony);
    rows.push(row);
  }
  faults.refuseIfAny();
  if (rows.length === 0) throw new UserError('the record has a header but no rows');
  return { rows, ceremonies: [...ceremonies.values()] };
}

interface Columns {
  count: number;
  position: Record<Column, number>;
}

function readHeader(line: string, faults: Faults): Columns {
  const names = line.split('\t');
  const position = Object.fromEntries(neededColumns.map((column) => [column, names.indexOf(column)]));
  const missing = neededColumns.filter((column) => position[column] === -1);
  if (missing.length > 0)
    faults.add(
      1,
      `the header is missing the ${missing.length > 1 ? 'columns' : 'column'} ${missing.join(', ')}`,
    );
  for (const column of neededColumns)
    if (names.indexOf(column) !== names.lastIndexOf(column))
      faults.add(1, `the column ${column} appears twice`);
  return { count: names.length, position: position as Record<Column, number> };
}

/** Reads the cells of one line and reports its faults. */
class RowReader {
  readonly #cells: string[];
  readonly #columns: Columns;
  readonly #fault: (message: string) => void;

  constructor(line: string, columns: Columns, fault: (message: string) => void) {
    this.#cells = line.split('\t');
    this.#columns = columns;
    this.#fault = fault;
    if (this.#cells.length > columns.count)
      fault(`has ${this.#cells.length} columns, but the header has ${columns.count}`);
    if (line.includes('\0')) fault('contains a NUL character');
  }

  /** Trailing empty columns may be missing. */
  #cell(column: Column): string {
    return this.#cells[this.#columns.position[column]]?.trim() ?? '';
  }

  ceremony(reference: Reference): CeremonyFacts | undefined {
    const text = this.#cell('Ceremony');
    const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
    const facts =
      reference.ceremonies.get(number) ??
      (number > reference.ceremonies.size ? laterCeremony(number, this.#cell('Year')) : undefined);
    if (!facts) this.#fault(`bad ceremony number ${quoted(text)}`);
    return facts;
  }

  row(ceremony: number, reference: Reference): SourceRow {
    const awardClass = this.#cell('Class');
    const sourceCategory = this.#cell('CanonicalCategory');
    if (!classesLeftOut.has(awardClass) && !reference.categoryOfSource.has(sourceCategory))
      this.#fault(`unknown category ${quoted(sourceCategory)}`);
    return {
      ceremony,
      awardClass,
      sourceCategory,
      films: this.#cell('FilmId') === '' ? [] : this.#credits('Film', 'FilmId', /^tt[0-9]+$/),
      name: this.#cell('Name'),
      nominees: this.#credits('Nominees', 'NomineeIds', /^(nm|co)[0-9]+$/),
      winner: this.#winner(),
      detail: this.#cell('Detail'),
    };
  }

  #credits(column: 'Film' | 'Nominees', idColumn: 'FilmId' | 'NomineeIds', validId: RegExp): Credit[] {
    if (this.#cell(column) === '') return [];
    const names = this.#cell(column).split('|');
    const ids = this.#cell(idColumn) === '' ? names.map(() => '') : this.#cell(idColumn).split('|');
    if (ids.length !== names.length)
      this.#fault(`${column} names ${names.length}, but ${idColumn} has ${ids.length}`);
    return names.map((name, index) => {
      if (name.trim() === '') this.#fault(`${column} has an empty name`);
      const id = ids[index]?.trim() ?? '';
      return { name: name.trim(), filmindexId: validId.test(id) ? id : null };
    });
  }

  #winner(): boolean {
    const text = this.#cell('Winner');
    if (text !== '' && text !== 'True' && text !== 'False') this.#fault(`bad Winner ${quoted(text)}`);
    return text === 'True';
  }
}

/** A value as a message shows it: quoted, on one line, cut short. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
