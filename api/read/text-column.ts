import { fold } from '../contract/text.ts';
import { rowAt, startsOf } from './columns.ts';

/** A column of texts with substring search. */
export class TextColumn {
  readonly values: readonly (string | null)[];
  readonly #foldAll: () => readonly string[];
  #joined: string | undefined;
  #starts: Int32Array | undefined;
  #folded: (string | null)[] | undefined;

  /**
   * @param foldAll gives the folded values, and is called once, by the first search or sort. ASCII values may keep their upper
   * case: `joined` lower-cases them
   */
  constructor(
    values: readonly (string | null)[],
    foldAll: () => readonly string[] = () => values.map((value) => fold(value ?? '')),
  ) {
    this.values = values;
    this.#foldAll = foldAll;
  }

  /** The value as JSON. */
  quoted(row: number): string {
    return JSON.stringify(this.values[row] ?? null);
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
    // ASCII values may have upper case: one call of toLowerCase() for all is faster.
    this.#joined ??= this.#foldAll().join('\0').toLowerCase();
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
