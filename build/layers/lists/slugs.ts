/** The names of the folders of categories. */
import { ceremonyOfSlug } from '../../../api/contract/lists.ts';
import { fold, withoutApostrophes } from '../../../api/contract/text.ts';
import type { CategoryTable } from '../../../api/read/tables.ts';

/** A file name has at most 255 bytes, and an address should be readable. */
const maxLength = 80;

/** Category id → its slug. Of categories with equal slugs the one with the lowest id keeps it, the others get their id. */
export function categorySlugs(categories: CategoryTable): ReadonlyMap<number, string> {
  const taken = new Set<string>();
  const slugs = new Map<number, string>();
  for (let row = 0; row < categories.count; row += 1) {
    const id = categories.id(row);
    let slug = slugOf(categories.name.values[row] ?? '');
    while (slug === '' || taken.has(slug) || ceremonyOfSlug(slug) !== undefined)
      slug = slug === '' ? `category-${id}` : `${slug}-${id}`;
    taken.add(slug);
    slugs.set(id, slug);
  }
  return slugs;
}

/** "Writing (Original Screenplay)" → "writing-original-screenplay". Empty where there is no letter a to z and no digit. */
const slugOf = (name: string): string =>
  withoutApostrophes(fold(name))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, '');
