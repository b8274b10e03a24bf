/** What is typed into a reference field means: a film, a person, a song, a ceremony or a category. */
import type { ReferencedResource } from '../../../api/contract/names.ts';
import { fold } from '../../../api/contract/text.ts';
import { joined } from '../shared/format.ts';
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

/** "Meryl Streep · Acting · 1979–2018" for a number or a name; else why it is none. */
export async function personMeant(text: string, year: number | undefined): Promise<string> {
  const names = await loadNames();
  const id = Number(text);
  if (id > 0) {
    const isKnown = names.search.columns.nominees.ids.row(id) >= 0;
    if (!isKnown) return `There is no person or company no. ${text}`;
    const { label, note } = names.describeId('nominees', id);
    return joined(`${text}: ${label}`, note);
  }
  const { id: meant, options, reason } = await meaningOf(names, 'nominees', text, year);
  if (meant === 0) return `${text}: a new person or company`;
  const chosen = options.find((one) => one.id === meant);
  const numbers = options.map((one) => joined(`no. ${one.id}`, one.label, one.note)).join('; ');
  return chosen ? joined(chosen.label, chosen.note) : `${text}: ${reason}; type the number: ${numbers}`;
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
