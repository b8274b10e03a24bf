/** The choices that the record gives for the filters and orders of a page. */
import type { ParameterName } from '../../../api/contract/parameters.ts';
import { type Choice, type Choices, choice } from './filters.ts';
import type { Reading } from './record.ts';

const distinct = (values: readonly (string | null)[]): Choice[] =>
  [...new Set(values)]
    .filter((value) => value !== null)
    .sort()
    .map((value) => choice(value));

/** Whether a column has no value. */
const isEmpty = (column: readonly unknown[]): boolean => column.every((value) => value === null);

/** The keys of `sort` whose values no record of a list has. */
async function unknownKeys({ snapshot }: Reading, path: string): Promise<string[]> {
  const tables = await snapshot();
  const keys: string[] = [];
  if (path === '/movies') {
    const films = await tables.table('films');
    if (isEmpty(films.releaseDate)) keys.push('release_date');
    if (isEmpty(films.runtime)) keys.push('runtime');
  }
  if (path === '/nominees' && isEmpty((await tables.table('people')).birthday)) keys.push('birthday');
  if (path === '/songs' && isEmpty((await tables.table('songs')).year)) keys.push('year');
  return keys;
}

/**
 * The choices from the record for these parameters; none for one that has no effect.
 * @param path of the page
 * @param orders that the page offers
 */
export async function loadChoices(
  reading: Reading,
  path: string,
  names: readonly ParameterName[],
  orders: readonly Choice[] = [],
): Promise<Choices> {
  const choices: Choices = {};
  const unknown = await unknownKeys(reading, path);
  choices.sort = orders.filter(({ value }) => !unknown.includes(value.replace('-', '')));
  // The years of songs are filters too.
  if (unknown.includes('year')) choices.year = choices.yearStart = choices.yearEnd = [];
  if (names.some((name) => name.startsWith('category'))) {
    const all = await reading.categories();
    choices.category = choices.category_name = all.map((category) => choice(category.category_name));
    choices.category_group = distinct(all.map((category) => category.category_group));
    choices.category_ids = all.map((category) => choice(String(category.id), category.category_name));
  }
  if (names.includes('ceremony_ids')) {
    choices.ceremony_ids = (await reading.ceremonies()).map(({ id, show_title, ceremony_year }) =>
      choice(String(id), `${ceremony_year}${show_title === null ? '' : ` · ${show_title}`}`),
    );
  }
  if (names.includes('genre')) {
    const { genres } = await (await reading.snapshot()).table('films');
    choices.genre = distinct(genres.texts);
  }
  if (names.includes('known_for_department')) {
    const { department } = await (await reading.snapshot()).table('people');
    choices.known_for_department = distinct(department.values);
  }
  return choices;
}
