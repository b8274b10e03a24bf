/** Cuts a stream of bytes into the parts that are parsed at once: lines, or the rows of SPARQL JSON results. */

const [newline, quote, backslash] = [0x0a, 0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Larger parts are not read: the largest entity of Wikidata has about 5 MB. */
export const maxPartBytes = 32 * 1024 * 1024;

/** The bytes of a part that began in an earlier piece, in one buffer for all parts. */
class Carried {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  #isTooLarge = false;

  get isEmpty(): boolean {
    return this.#length === 0 && !this.#isTooLarge;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    this.#isTooLarge ||= length > maxPartBytes;
    if (this.#isTooLarge) return;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  /** @returns the part that ends with some bytes, valid until the next call; undefined if it is too large */
  take(end: Buffer): Buffer | undefined {
    if (this.isEmpty) return end;
    this.add(end);
    const part = this.#isTooLarge ? undefined : this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    this.#isTooLarge = false;
    return part;
  }
}

/**
 * Calls `onLine` with each line, without its line feed, and its number from 1; with undefined for a line that is too large.
 * The bytes are valid during the call.
 */
export async function forEachLine(
  pieces: AsyncIterable<Buffer>,
  onLine: (line: Buffer | undefined, number: number) => void,
): Promise<void> {
  const carried = new Carried();
  let number = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      number += 1;
      onLine(carried.take(piece.subarray(start, end)), number);
      start = end + 1;
    }
    if (start < piece.length) carried.add(piece.subarray(start));
  }
  if (!carried.isEmpty) onLine(carried.take(Buffer.alloc(0)), number + 1);
}

/** Depth of a row: { "results": { "bindings": [ { row } ] } }. */
const rowDepth = 4;

/**
 * Calls `onRow` with the JSON text of each row of SPARQL results; with undefined for a row that is too large.
 * @returns whether the document is whole: a query that runs out of time ends in the middle, with a stack trace
 */
export async function forEachRow(
  pieces: AsyncIterable<Buffer>,
  onRow: (row: string | undefined) => void,
): Promise<boolean> {
  const carried = new Carried();
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let isWhole = false;
  for await (const piece of pieces) {
    // Of the row that is open at the beginning of this piece, or opens in it.
    let start = depth >= rowDepth ? 0 : -1;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]!;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
        continue;
      }
      // Only white space may follow the document.
      if (isWhole && byte > 0x20) return false;
      if (byte === quote) isInText = true;
      else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth === rowDepth) start = at;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) isWhole = true;
        if (depth !== rowDepth - 1 || start < 0) continue;
        onRow(carried.take(piece.subarray(start, at + 1))?.toString());
        start = -1;
      }
    }
    if (start >= 0) carried.add(piece.subarray(start));
  }
  return isWhole;
}
