/** How text is compared (fold) and cut into words (tokens): the one definition that building and reading share. */

const ascii = /^[\0-\x7f]*$/;
const marks = /\p{M}+/gu;
const apostrophes = /['’ʼ`]/g;
const words = /[\p{L}\p{N}]+/gu;

export const isAscii = (text: string): boolean => ascii.test(text);

/** NFD, combining marks removed, lower-cased: `fold('Amélie') === 'amelie'`. Independent of any locale. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(marks, '').toLowerCase();
}

/** The words of a text in order, folded, apostrophes dropped: `tokens("Schindler's List")` is `['schindlers', 'list']`. */
export function tokens(text: string): string[] {
  return fold(text).replace(apostrophes, '').match(words) ?? [];
}

/** Orders strings by UTF-16 code unit, the same on every machine; for sort(). */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
