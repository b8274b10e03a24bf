/** The names of categories: the table of the contract, compared with the oracle's own means. */
import { categoryNames } from '../../api/contract/category-names.ts';
import { tokens } from './text.ts';

/** The names as the table has them. */
export const knownNames: readonly string[] = Object.values(categoryNames).flat();

/** The category that a text names: perhaps with "best", "movie" for "film", in the plural, or after the group in its own name. */
export function categoryKnownAs(text: string): string | undefined {
  const words = tokens(text).join(' ').replace('movie', 'film');
  for (const spelling of [words, words.startsWith('best ') ? words.slice(5) : words])
    for (const [category, names] of Object.entries(categoryNames)) {
      const [group] = category.toLowerCase().split(' ');
      const isGroup = group === 'music' || group === 'writing';
      const own = isGroup && spelling.startsWith(`${group} `) ? spelling.slice(group.length + 1) : spelling;
      const isNamed = (some: string) =>
        names.some((name) => [name, name + (name.endsWith('s') ? 'es' : 's')].includes(some));
      if (isNamed(spelling) || isNamed(own)) return category;
    }
  return undefined;
}
