/**
 * The bytes of the public award record → its rows, one at a time. The dialect is that of its writer, Python's csv module with
 * `delimiter='\t', doublequote=False, escapechar='\\'`: `\"` is a quote, `\\` a backslash, and a cell with a tab or a line
 * break is quoted. A file with a fault is refused whole; the error names the faults by line.
 */
import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { honorClasses } from '../../api/contract/names.ts';
import { type CeremonyFacts, laterCeremony, type Reference } from '../reference/reference.ts';
import { UserError } from '../../build/system/user-error.ts';

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

/** The faults of a file, so that the reader of the error can mend all at once. */
class Faults {
  static readonly #maxShown = 20;
  readonly #shown: { line: number; message: string }[] = [];
  #count = 0;

  /** @param line counted from 1 */
  add(line: number, message: string): void {
    this.#count += 1;
    if (this.#shown.length < Faults.#maxShown) this.#shown.push({ line, message });
  }

  /** @throws UserError naming the first faults and the number of the others, if there is any */
  refuseIfAny(): void {
    if (this.#count === 0) return;
    const inOrder = this.#shown.toSorted((a, b) => a.line - b.line);
    const shown = inOrder.map(({ line, message }) => `line ${line}: ${message}`);
    const rest = this.#count - shown.length;
    if (rest > 0) shown.push(`and ${rest} more`);
    throw new UserError(`the record is malformed, so nothing was imported; ${shown.join('; ')}`);
  }
}

/**
 * Reads the rows of the record.
 * @param onRow is called for each row in the order of the file, also for rows before a fault
 * @throws UserError naming the lines that are malformed; errors of the chunks and of `onRow`
 */
export async function readRows(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reference: Reference,
  onRow: (row: SourceRow) => void,
): Promise<void> {
  const faults = new Faults();
  const reader = new RowReader(reference, faults);
  let count = 0;
  const parser = parse({
    ...{ delimiter: '\t', record_delimiter: ['\r\n', '\n'], quote: '"', escape: '\\', bom: true },
    ...{ relax_quotes: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxRowBytes },
    on_record: (cells: string[], { lines }) => {
      if (cells.some(hasDoubledQuote)) faults.add(lines, doubledQuote);
      const row = reader.read(cells.map(unescaped), lines);
      if (row) {
        count += 1;
        onRow(row);
      }
      // The library makes an error for each row of another length than its first, which takes longer than all else.
      (parser.info as { records: number }).records = 0;
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(checked(chunks, faults), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.add(Number(error.lines), parserFaults[error.code] ?? error.message);
  }
  reader.finish();
  faults.refuseIfAny();
  if (!reader.hasHeader) throw new UserError('the record is empty');
  if (count === 0) throw new UserError('the record has a header but no rows');
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

/** Passes bytes on. Reports lines that are not UTF-8, and a last line without its end. */
async function* checked(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  faults: Faults,
): AsyncGenerator<Uint8Array> {
  let line = 1;
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    yield chunk;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let feed = bytes.indexOf(0x0a); feed >= 0; feed = bytes.indexOf(0x0a, start)) {
      if (!isUtf8(bytes.subarray(start, feed))) faults.add(line, 'is not UTF-8');
      start = feed + 1;
      line += 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) faults.add(line, 'is cut: the file does not end with a line break');
}

type Report = (fault: string) => void;

/** Cells → rows, with the header as the first. */
class RowReader {
  readonly #reference: Reference;
  readonly #faults: Faults;
  #positions: ReadonlyMap<string, number> | undefined;
  #cells: readonly string[] = [];
  #report: Report = () => {};
  /** Cells with several values, by their separator, and the first line with a comma. */
  #separated = { bars: 0, commas: 0, firstComma: 0 };

  constructor(reference: Reference, faults: Faults) {
    this.#reference = reference;
    this.#faults = faults;
  }

  get hasHeader(): boolean {
    return this.#positions !== undefined;
  }

  /** The row of a line; undefined for the header, and for a row that cannot be told. */
  read(cells: readonly string[], line: number): SourceRow | undefined {
    this.#report = (fault) => this.#faults.add(line, fault);
    this.#cells = cells;
    if (this.#positions === undefined) {
      this.#positions = this.#readHeader();
      return undefined;
    }
    if (cells.length > columns.length)
      this.#report(`has ${cells.length} columns, but the header has ${columns.length}`);
    if (cells.some((cell) => cell.includes('\0'))) this.#report('contains a NUL character');
    return this.#row(line);
  }

  /** Ends the file. Earlier editions of the record have values separated by commas. */
  finish(): void {
    const { bars, commas, firstComma } = this.#separated;
    if (commas > bars)
      this.#faults.add(
        firstComma,
        'the values of a cell are separated by commas, not by "|": this is another edition of the record',
      );
  }

  /** The positions of the columns. @throws UserError if other columns are there than those of this edition */
  #readHeader(): ReadonlyMap<string, number> {
    const header = this.#cells;
    const missing = columns.filter((column) => !header.includes(column));
    const unknown = header.filter((column) => !(columns as readonly string[]).includes(column));
    const named = (names: readonly string[]) => `column${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
    if (missing.length > 0) this.#report(`the header is missing the ${named(missing)}`);
    if (unknown.length > 0) this.#report(`the header has the unknown ${named(unknown.map(quoted))}`);
    for (const column of columns)
      if (header.indexOf(column) !== header.lastIndexOf(column))
        this.#report(`the column ${column} appears twice`);
    this.#faults.refuseIfAny();
    return new Map(header.map((column, position) => [column, position]));
  }

  /** Trailing empty cells may be missing. */
  #cell(column: Column): string {
    return this.#cells[this.#positions!.get(column)!] ?? '';
  }

  #row(line: number): SourceRow | undefined {
    const ceremony = this.#ceremony();
    const awardClass = this.#cell('Class');
    const sourceCategory = this.#cell('CanonicalCategory');
    if (!isHonorary(awardClass) && this.#reference.categoryOfSource(sourceCategory) === undefined)
      this.#report(`unknown category ${quoted(sourceCategory)}`);
    const films = this.#credits('Film', 'FilmId', /^tt[0-9]+$/, line);
    const nominees = this.#credits('Nominees', 'NomineeIds', /^(nm|co)[0-9]+$/, line);
    const winner = this.#cell('Winner');
    if (!['', 'True', 'False'].includes(winner)) this.#report(`bad Winner ${quoted(winner)}`);
    if (ceremony === undefined) return undefined;
    return {
      line,
      ceremony,
      awardClass,
      sourceCategory,
      nominees,
      historicalCategory: this.#cell('Category'),
      films: this.#cell('FilmId') === '' ? [] : films,
      filmText: this.#cell('Film'),
      name: this.#cell('Name'),
      winner: winner === 'True',
      detail: this.#cell('Detail'),
      note: this.#cell('Note'),
      citation: this.#cell('Citation'),
    };
  }

  #ceremony(): CeremonyFacts | undefined {
    const text = this.#cell('Ceremony');
    const { ceremonies } = this.#reference;
    const number = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
    const isLater = number > ceremonies.size;
    const facts = ceremonies.get(number) ?? (isLater ? laterCeremony(number, this.#cell('Year')) : undefined);
    if (!facts) this.#report(`bad ceremony number ${quoted(text)}`);
    return facts;
  }

  #credits(
    column: 'Film' | 'Nominees',
    idColumn: 'FilmId' | 'NomineeIds',
    validId: RegExp,
    line: number,
  ): Credit[] {
    const text = this.#cell(column);
    if (text === '') return [];
    const names = text.split('|');
    const ids = this.#cell(idColumn) === '' ? names.map(() => '') : this.#cell(idColumn).split('|');
    if (ids.length !== names.length && (column === 'Nominees' || this.#cell(idColumn) !== ''))
      this.#report(`${column} names ${names.length}, but ${idColumn} has ${ids.length}`);
    if (names.length > 1) this.#separated.bars += 1;
    else this.#countCommas(text, ids[0]!, validId, line);
    return names.map((name, index) => {
      if (name.trim() === '') this.#report(`${column} has an empty name`);
      const id = ids[index]?.trim() ?? '';
      return { name: name.trim(), filmindexId: validId.test(id) ? id : null };
    });
  }

  /** Counts a cell whose ids and names are as many by commas. Two ids of one name are an unknown id. */
  #countCommas(text: string, id: string, validId: RegExp, line: number): void {
    const ids = id.split(',').map((each) => each.trim());
    if (ids.length < 2 || ids.length !== text.split(',').length) return;
    if (!ids.some((each) => validId.test(each))) return;
    if (this.#separated.commas === 0) this.#separated.firstComma = line;
    this.#separated.commas += 1;
  }
}

/** A value as a message shows it: quoted, on one line, cut short. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
