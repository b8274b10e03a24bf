/** Columns of one value per row, in the forms that queries search and count by; the building blocks of the tables. */
import type { Repeats, Runs } from '../contract/snapshot.ts';
import { fold } from '../contract/text.ts';

/** Record ids, ascending, and the way back from an id to its row. Consecutive ids cost nothing but their bounds. */
export class IdColumn {
  readonly count: number;
  /** First id of each run, and the row it stands in; one more row at the end. */
  readonly #firsts: number[] = [];
  readonly #rows: number[] = [];

  constructor(shards: readonly { id: Runs }[]) {
    let count = 0;
    for (const { id: runs } of shards) {
      for (let i = 0; i < runs.length; i += 2) {
        const run = this.#firsts.length - 1;
        const continues = run >= 0 && this.#firsts[run]! + (count - this.#rows[run]!) === runs[i];
        if (!continues) {
          this.#firsts.push(runs[i]!);
          this.#rows.push(count);
        }
        count += runs[i + 1]!;
      }
    }
    this.#rows.push(count);
    this.count = count;
  }

  /** The id in a row. */
  id(row: number): number {
    const run = this.#firsts.length === 1 ? 0 : lastNotAbove(this.#rows, row);
    // The difference first: ids go up to 2^53 - 1, and no further.
    return this.#firsts[run]! + (row - this.#rows[run]!);
  }

  /** The row of an id, -1 if there is no such record. */
  row(id: number): number {
    const run = this.#firsts.length === 1 ? 0 : lastNotAbove(this.#firsts, id);
    if (run < 0) return -1;
    const row = this.#rows[run]! + (id - this.#firsts[run]!);
    return row >= this.#rows[run]! && row < this.#rows[run + 1]! ? row : -1;
  }

  /** Whether it has the ids of another column in the same rows, and perhaps further ones behind them. */
  extends(other: IdColumn): boolean {
    const last = other.#firsts.length - 1;
    return (
      this === other ||
      other.count === 0 ||
      (this.#firsts.length > last &&
        other.#firsts.every(
          (first, run) => first === this.#firsts[run] && other.#rows[run] === this.#rows[run],
        ) &&
        this.#rows[last + 1]! >= other.count)
    );
  }

  /** The ids in the rows from `start` up to `end`. */
  idsBetween(start: number, end: number): number[] {
    const ids: number[] = [];
    for (let row = start; row < Math.min(end, this.count); row += 1) ids.push(this.id(row));
    return ids;
  }

  /** A column of ids less one as one of rows, the same array where they are equal; -1, or what is not there, becomes -1. */
  toRows(column: Int32Array | Float64Array): Int32Array {
    // Ids from 1 without a gap: less one, they are the rows.
    if (column instanceof Int32Array && this.#firsts.length === 1 && this.#firsts[0] === 1) return column;
    return Int32Array.from(column, (value) => this.row(value + 1));
  }
}

/** Position of the last of some ascending values (numbers, or strings by code unit) that is not above one; -1 if all are. */
export function lastNotAbove<T extends number | string>(ascending: readonly T[], value: T): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A column of texts that can be searched for a part of them. */
export class TextColumn {
  readonly values: readonly (string | null)[];
  readonly #folded: (values: readonly (string | null)[]) => string[];
  #joined: string | undefined;
  #distinct: ReadonlySet<string> | undefined;
  #starts: Int32Array | undefined;
  /** Values as JSON, as far as they were asked for. */
  readonly #quoted: (string | undefined)[];

  /** @param folded how all values are folded, where there is a quicker way than one by one; called at the first search */
  constructor(values: readonly (string | null)[], folded = foldAll) {
    this.values = values;
    this.#quoted = new Array<string | undefined>(values.length);
    this.#folded = folded;
  }

  /** The value in a row as JSON. */
  quoted(row: number): string {
    const quoted = this.#quoted[row] ?? JSON.stringify(this.values[row] ?? null);
    this.#quoted[row] = quoted;
    return quoted;
  }

  /** The different values, folded, less what folds to nothing; for columns of few. */
  get distinct(): ReadonlySet<string> {
    this.#distinct ??= new Set(
      [...new Set(this.values)]
        .filter((value) => value !== null)
        .map(fold)
        .filter((value) => value !== ''),
    );
    return this.#distinct;
  }

  /** Rows whose folded text contains the folded needle, ascending. */
  rowsContaining(needle: string): number[] {
    const folded = fold(needle);
    // No text holds a NUL, and this one would match the seams between them.
    if (folded.includes('\0')) return [];
    const [joined, starts] = this.#join();
    const rows: number[] = [];
    let row = 0;
    for (let at = joined.indexOf(folded); at >= 0; ) {
      row = rowAt(starts, at, row);
      // An empty needle is contained in every text, but null is no text.
      if (this.values[row] !== null) rows.push(row);
      if (row + 1 >= this.values.length) break;
      at = joined.indexOf(folded, starts[row + 1]);
    }
    return rows;
  }

  /** All values folded and joined by NUL, and where each begins: one search over one string instead of one per value. */
  #join(): readonly [string, Int32Array] {
    if (this.#joined === undefined || this.#starts === undefined) {
      const folded = this.#folded(this.values);
      this.#joined = folded.join('\0');
      this.#starts = new Int32Array(folded.length);
      for (let row = 1; row < folded.length; row += 1)
        this.#starts[row] = this.#starts[row - 1]! + folded[row - 1]!.length + 1;
    }
    return [this.#joined, this.#starts];
  }
}

const foldAll = (values: readonly (string | null)[]): string[] => values.map((value) => fold(value ?? ''));

/** The last row that begins at or before a position, not before `from`; rows near `from` are found soonest. */
function rowAt(starts: Int32Array, position: number, from: number): number {
  let step = 1;
  while (from + step < starts.length && starts[from + step]! <= position) step *= 2;
  let low = from + (step >> 1);
  let high = Math.min(from + step, starts.length) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** For each row of one table, the rows of nominations that refer to it, ascending: those from offsets[row] up to offsets[row + 1]. */
export class Postings {
  readonly offsets: Int32Array;
  readonly rows: Int32Array;

  private constructor(offsets: Int32Array, rows: Int32Array) {
    this.offsets = offsets;
    this.rows = rows;
  }

  /** @param references the row each nomination refers to, -1 for none */
  static of(references: Int32Array, count: number): Postings {
    const offsets = new Int32Array(count + 1);
    for (let row = 0; row < references.length; row += 1) {
      const reference = references[row]!;
      if (reference >= 0) offsets[reference + 1]! += 1;
    }
    for (let row = 0; row < count; row += 1) offsets[row + 1]! += offsets[row]!;
    const next = offsets.slice();
    const rows = new Int32Array(offsets[count]!);
    for (let row = 0; row < references.length; row += 1) {
      const reference = references[row]!;
      if (reference >= 0) rows[next[reference]!++] = row;
    }
    return new Postings(offsets, rows);
  }

  /** The same where the other table has further rows, to which nothing refers. */
  extendedTo(count: number): Postings {
    const offsets = new Int32Array(count + 1).fill(this.rows.length);
    offsets.set(this.offsets);
    return new Postings(offsets, this.rows);
  }

  of(row: number): Int32Array {
    return this.rows.subarray(this.offsets[row]!, this.offsets[row + 1]!);
  }

  count(row: number): number {
    return this.offsets[row + 1]! - this.offsets[row]!;
  }
}

type Column = Int32Array | Float64Array | Uint8Array;

/** Plain columns of several shards, one after the other. */
export function joinPlain<T extends Column>(columns: readonly (readonly number[])[], into: T): T {
  let at = 0;
  for (const column of columns) {
    into.set(column, at);
    at += column.length;
  }
  return into;
}

/** Columns of repeats of several shards, one after the other. */
export function joinRepeats<T extends Column>(columns: readonly Repeats[], into: T): T {
  let at = 0;
  for (const column of columns) {
    for (let i = 0; i < column.length; i += 2) {
      into.fill(column[i]!, at, at + column[i + 1]!);
      at += column[i + 1]!;
    }
  }
  return into;
}

/** Values of several shards in one array. */
export const concatenate = <S, T>(shards: readonly S[], column: (shard: S) => readonly T[]): T[] =>
  ([] as T[]).concat(...shards.map(column));
