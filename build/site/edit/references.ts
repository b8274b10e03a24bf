/** What is typed into a reference field means: a film, a person, a song, a ceremony or a category. */
import type { ReferencedResource } from '../../../api/contract/names.ts';
import { fold } from '../../../api/contract/text.ts';
import { categoryMeant, loadNames, meaningOf } from './matching.ts';
import { describe, isNamed } from './naming.ts';
import { list } from './reading.ts';

/** A record that is meant. */
interface Option {
  id: number;
  label: string;
  note: string;
}

/** `id` is 0 for a new record, and undefined where the editor must choose. */
export interface ReferenceMeaning {
  id: number | undefined;
  options: readonly Option[];
  reason: string;
}

/** @param year of the ceremony that the name is for @throws Refusal */
export async function referenceMeant(
  collection: ReferencedResource,
  text: string,
  year: number | undefined,
): Promise<ReferenceMeaning> {
  if (isNamed(collection)) return meaningOf(await loadNames(), collection, text, year);
  const options = collection === 'categories' ? await categories(text) : await ceremonies(text);
  return { id: options[0]?.id, options, reason: '' };
}

const described = (record: { id: number }): Option => {
  const [label, note] = describe({ ...record });
  return { id: record.id, label, note };
};

async function categories(text: string): Promise<Option[]> {
  const all = await list('categories');
  const meant = categoryMeant(all, text);
  const others = all.filter((one) => one !== meant && fold(one.category_name).includes(fold(text)));
  return [...(meant ? [meant] : []), ...others].map(described);
}

/** By number, year or a part of the title; a number first. */
async function ceremonies(text: string): Promise<Option[]> {
  const all = await list('ceremonies');
  const numbered = all.filter(({ id }) => String(id) === text);
  const others = all.filter(
    ({ ceremony_year, show_title }) =>
      String(ceremony_year) === text || fold(show_title ?? '').includes(fold(text)),
  );
  return [...new Set([...numbered, ...others])].slice(0, 8).map(described);
}
