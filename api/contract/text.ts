/** Folding and tokenizing of text, the same for building and reading. Independent of any locale. */

const ascii = /^[\0-\x7f]*$/;
const marks = /\p{M}+/gu;
const apostrophes = /['’ʼ`]/g;
const words = /[\p{L}\p{N}]+/gu;

export const isAscii = (text: string): boolean => ascii.test(text);

/** NFD, without combining marks, in lower case: `fold('Amélie') === 'amelie'`. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(marks, '').toLowerCase();
}

/** The folded words of a text in order, without apostrophes: `tokens("Schindler's List")` is `['schindlers', 'list']`. */
export function tokens(text: string): string[] {
  return fold(text).replace(apostrophes, '').match(words) ?? [];
}

/** Comparator for sort(): by UTF-16 code unit. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
