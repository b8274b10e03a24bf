/**
 * Plain genre names: "drama film" is "Drama", so that filters and counts by genre put equal things together.
 */
import { byCodeUnit, fold } from '../../api/contract/text.ts';
import { readTable } from '../reference/reference.ts';

/** In the table: a form, such as "silent film", and no genre. */
const noGenre = '-';
const suffix = / (film|films|movie|movies)$/;

const table: ReadonlyMap<string, string> = new Map(
  readTable(new URL('genres.tsv', import.meta.url)).map((row) => [row.label!, row.genres!]),
);

/**
 * The genres of some labels, each once, ascending. A label counts with and without "film" at its end. A label
 * that is not in genres.tsv is kept without "film", its first letter in upper case.
 */
export function genresOf(labels: Iterable<string>): string[] {
  const genres = new Map<string, string>();
  for (const label of labels) {
    const text = label.trim().replace(/\s+/g, ' ');
    const key = text.toLowerCase();
    const plain = text.slice(0, key.replace(suffix, '').length);
    const known = table.get(key) ?? table.get(plain.toLowerCase());
    const names = known === undefined ? [plain.charAt(0).toUpperCase() + plain.slice(1)] : known.split('|');
    for (const name of names) if (name !== '' && name !== noGenre) genres.set(fold(name), name);
  }
  return [...genres.values()].sort(byCodeUnit);
}
