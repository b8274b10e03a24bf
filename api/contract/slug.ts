/** Words of a title in an address: lower-case ASCII letters and digits, joined by hyphens. */
import { fold, withoutApostrophes } from './text.ts';

/** Letters that have no accent to remove. */
const spelledOut: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Longer slugs end after a whole word. */
const maxLength = 60;

/** `slugOf('Amélie & Schindler’s List')` is "amelie-schindlers-list". Empty for a text without Latin letters and digits. */
export function slugOf(text: string): string {
  const plain = withoutApostrophes(fold(text)).replace(/[æœøßłđðþı]/g, (letter) => spelledOut[letter]!);
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  let slug = (words[0] ?? '').slice(0, maxLength);
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > maxLength) break;
    slug += `-${word}`;
  }
  return slug;
}
