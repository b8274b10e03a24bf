/** The choices that the record gives for filters. */
import type { ParameterName } from '../../../api/contract/parameters.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Choice } from './filter-words.ts';
import { categoriesOf, ceremoniesOf } from './record.ts';

export type Choices = Partial<Record<ParameterName, readonly Choice[]>>;

const distinct = (values: readonly (string | null)[]): Choice[] =>
  [...new Set(values)]
    .filter((value) => value !== null)
    .sort()
    .map((value) => [value, value]);

/** The choices that the record gives. A filter without any is not shown: it has no effect. */
export async function choicesIn(
  snapshot: Snapshot,
  path: string,
  names: readonly ParameterName[],
): Promise<Choices> {
  const choices: Choices = {};
  if (names.some((name) => name.startsWith('category'))) {
    const all = await categoriesOf(snapshot);
    choices.category = choices.category_name = all.map(({ category_name: name }) => [name, name]);
    choices.category_group = distinct(all.map((category) => category.category_group));
  }
  if (names.includes('ceremony_ids'))
    choices.ceremony_ids = (await ceremoniesOf(snapshot)).map(({ id, show_title, ceremony_year }) => [
      String(id),
      `${ceremony_year}${show_title === null ? '' : ` · ${show_title}`}`,
    ]);
  if (names.includes('genre')) choices.genre = distinct((await snapshot.table('films')).genres.texts);
  if (names.includes('known_for_department'))
    choices.known_for_department = distinct((await snapshot.table('people')).department.values);
  if (path === '/songs' && (await snapshot.table('songs')).year.every((year) => year === null))
    choices.year = choices.yearStart = choices.yearEnd = [];
  return choices;
}
