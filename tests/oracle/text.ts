/** Folding and tokens by decisions.md, independent of api/contract/text. */

/** Canonical decomposition, combining marks removed, lower-cased. */
export function fold(text: string): string {
  let bare = '';
  for (const character of text.normalize('NFD')) if (!/^\p{M}$/u.test(character)) bare += character;
  return bare.toLowerCase();
}

const apostrophes = new Set(["'", '\u2019', '\u02bc', '`']);

/** Runs of letters and digits of the folded text, apostrophes dropped first; repeated words stay repeated. */
export function tokens(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of fold(text)) {
    if (apostrophes.has(character)) continue;
    if (/^[\p{L}\p{N}]$/u.test(character)) {
      word += character;
      continue;
    }
    if (word !== '') words.push(word);
    word = '';
  }
  if (word !== '') words.push(word);
  return words;
}

/** Negative if the first text comes first by code points. */
export function byCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]].map((all) => all.map((it) => it.codePointAt(0)!));
  const at = left!.findIndex((value, index) => value !== right![index]);
  if (at < 0) return left!.length - right!.length;
  return at < right!.length ? left![at]! - right![at]! : 1;
}

/** Length in characters, not in UTF-16 units. */
export function characterCount(text: string): number {
  return [...text].length;
}
