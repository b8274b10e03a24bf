/** Folding and tokenizing of text, the same for building and reading. Independent of any locale. */

const ascii = /^[\0-\x7f]*$/;
const marks = /\p{M}+/gu;
const apostrophes = /['’ʼ`]/g;
/** The words of a text, folded and without apostrophes. */
export const wordsIn = /[\p{L}\p{N}]+/gu;

export const isAscii = (text: string): boolean => ascii.test(text);

/** NFD, without combining marks, in lower case: `fold('Amélie') === 'amelie'`. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(marks, '').toLowerCase();
}

/**
 * The folded words of a text in order, without apostrophes: `tokens("Schindler's List")` is `['schindlers',
 * 'list']`.
 */
export function tokens(text: string): string[] {
  return withoutApostrophes(fold(text)).match(wordsIn) ?? [];
}

/** The text that tokens() cuts into words. */
export const withoutApostrophes = (folded: string): string => folded.replace(apostrophes, '');

/** Characters that XML 1.0 cannot have, not even escaped. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in XML, also within an attribute. */
export const escapedXml = (text: string): string =>
  text.replaceAll(impossible, '\ufffd').replaceAll(/[&<>"]/g, (character) => entities[character]!);

/**
 * Comparator for sort(): by code point. Differs from the order by code unit where a surrogate meets U+E000 to
 * U+FFFF.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one === other) continue;
    const [isHigh, isOtherHigh] = [isSurrogate(one), isSurrogate(other)];
    return isHigh === isOtherHigh ? one - other : isHigh ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Comparator for sort(): by UTF-16 code unit. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
