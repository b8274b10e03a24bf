/** Columns with one value per row: the building blocks of the tables. */
import type { Runs } from '../contract/snapshot.ts';
import { fold } from '../contract/text.ts';

/** Ascending record ids, stored as runs of consecutive ids. Maps row to id and id to row. */
export class IdColumn {
  readonly count: number;
  /** First id and first row of each run. `#rows` has the row count as an additional last element. */
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
    // Subtract first: ids can be as large as 2^53 - 1.
    return this.#firsts[run]! + (row - this.#rows[run]!);
  }

  /** The row of an id; -1 for an unknown id. */
  row(id: number): number {
    const run = this.#firsts.length === 1 ? 0 : lastNotAbove(this.#firsts, id);
    // An id before the first run makes NaN, which is in no run.
    const row = this.#rows[run]! + (id - this.#firsts[run]!);
    return row >= this.#rows[run]! && row < this.#rows[run + 1]! ? row : -1;
  }

  /** The ids as the shards store them. */
  get runs(): number[] {
    return this.#firsts.flatMap((first, run) => [first, this.#rows[run + 1]! - this.#rows[run]!]);
  }

  /** The ids of all rows. */
  get ids(): number[] {
    return Array.from({ length: this.count }, (_, row) => this.id(row));
  }

  /** The row of each id; -1 for null and unknown ids. */
  toRows(ids: readonly (number | null)[]): Int32Array {
    // A loop is ten times as fast as Int32Array.from() with a function, and without a call another ten times.
    const rows = new Int32Array(ids.length);
    const [first, count] = [this.#firsts[0]!, this.#firsts.length === 1 ? this.count : 0];
    for (let i = 0; i < ids.length; i += 1) {
      const id = ids[i]!;
      const row = id - first;
      rows[i] = row >= 0 && row < count ? row : id === null ? -1 : this.row(id);
    }
    return rows;
  }
}

/**
 * Binary search: the index of the last value that is not above `value`, from `low` to `high`; `low` if there
 * is none.
 */
export function lastNotAbove<T extends number | string>(
  ascending: ArrayLike<T>,
  value: T,
  low = -1,
  high = ascending.length - 1,
): number {
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The start of each row in a text of rows that are joined by NUL. */
function startsOf(text: string, count: number): Int32Array {
  const starts = new Int32Array(count);
  for (let row = 1; row < count; row += 1) starts[row] = text.indexOf('\0', starts[row - 1]) + 1;
  return starts;
}

/** The last row that starts at or before a position. Galloping search from the row `from`. */
export function rowAt(starts: Int32Array, position: number, from: number): number {
  let step = 1;
  while (from + step < starts.length && starts[from + step]! <= position) step *= 2;
  return lastNotAbove(starts, position, from + (step >> 1), Math.min(from + step, starts.length) - 1);
}

/** A column of texts with substring search. */
export class TextColumn {
  readonly values: readonly (string | null)[];
  #joined: string | undefined;
  #starts: Int32Array | undefined;
  #folded: (string | null)[] | undefined;

  constructor(values: readonly (string | null)[]) {
    this.values = values;
  }

  /** The folded values. */
  get folded(): readonly (string | null)[] {
    if (this.#folded) return this.#folded;
    // No text contains NUL.
    const texts = this.joined.split('\0');
    this.#folded = this.values.map((value, row) => (value === null ? null : texts[row]!));
    return this.#folded;
  }

  /** The folded values joined by NUL, so that one search finds the rows. Null is the empty text. */
  get joined(): string {
    this.#joined ??= this.values.map((value) => fold(value ?? '')).join('\0');
    return this.#joined;
  }

  /** The start of each row in `joined`. */
  get starts(): Int32Array {
    this.#starts ??= startsOf(this.joined, this.values.length);
    return this.#starts;
  }

  /** Rows whose folded text contains the folded needle, ascending. */
  rowsContaining(needle: string): number[] {
    const folded = fold(needle);
    // The separators are NUL, and no text contains NUL.
    if (folded.includes('\0')) return [];
    const [text, starts] = [this.joined, this.starts];
    const rows: number[] = [];
    let row = 0;
    for (let at = text.indexOf(folded); at >= 0; ) {
      row = rowAt(starts, at, row);
      // An empty needle matches every text, but not null.
      if (this.values[row] !== null) rows.push(row);
      if (row + 1 >= this.values.length) break;
      at = text.indexOf(folded, starts[row + 1]);
    }
    return rows;
  }
}

/** A column of lists of texts, such as the genres of films. */
export class TagColumn {
  readonly values: readonly (readonly string[])[];
  /**
   * Folded text → its spelling in the first record that has it, and one byte per record, 1 for those that do.
   */
  readonly #tags = new Map<string, { text: string; flags: Uint8Array }>();

  /** @param values the texts of each record */
  constructor(values: readonly (readonly string[])[]) {
    this.values = values;
    for (const [row, texts] of values.entries())
      for (const text of texts) {
        const folded = fold(text);
        const tag = this.#tags.get(folded) ?? { text, flags: new Uint8Array(values.length) };
        this.#tags.set(folded, tag);
        tag.flags[row] = 1;
      }
  }

  /** The different texts, in no particular order. */
  get texts(): string[] {
    return [...this.#tags.values()].map(({ text }) => text);
  }

  /** One byte per record, 1 for records with this text, without regard to case and accents. Read-only. */
  with(text: string): Uint8Array {
    return this.#tags.get(fold(text))?.flags ?? new Uint8Array(this.values.length);
  }
}

/**
 * For each row of a table, the nominations that refer to it: `rows` from `offsets[row]` to `offsets[row +
 * 1]`, ascending.
 */
export class Postings {
  readonly offsets: Int32Array;
  readonly rows: Int32Array;

  private constructor(offsets: Int32Array, rows: Int32Array) {
    this.offsets = offsets;
    this.rows = rows;
  }

  /**
   * A stable counting sort by reference.
   * @param references for each position the row it refers to, -1 for none
   * @param count above the highest reference
   */
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

  of(row: number): Int32Array {
    return this.rows.subarray(this.offsets[row]!, this.offsets[row + 1]!);
  }

  count(row: number): number {
    return this.offsets[row + 1]! - this.offsets[row]!;
  }
}
