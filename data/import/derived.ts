/** Fields of the record that follow from its nominations: the era of a category, the department of a person. */
import type { Reference } from '../reference/reference.ts';
import type { AwardEntry } from './dataset.ts';
import { departmentsOf } from './departments.ts';
import type { Merges } from './matching.ts';

/** First to last year in which a category has a nomination in the database, whoever entered it. */
export function deriveEras({ nominations, ceremonies, categories }: Merges): void {
  const years = new Map<number, { first: number; last: number }>();
  for (const { current } of nominations.records()) {
    const year = ceremonies.get(current.ceremony_id as number)!.current.ceremony_year as number;
    const category = current.category_id as number;
    const { first, last } = years.get(category) ?? { first: year, last: year };
    years.set(category, { first: Math.min(first, year), last: Math.max(last, year) });
  }
  for (const [category, { first, last }] of years)
    categories.derive(category, 'era', first === last ? `${first}` : `${first}–${last}`);
}

/** Counts all nominations in the database of the people the source names, those the source has first, in its order. */
export function deriveDepartments(
  { nominations, nominees }: Merges,
  entries: ReadonlyMap<number, AwardEntry>,
  people: ReadonlySet<number>,
  reference: Reference,
  categoryOf: ReadonlyMap<number, number>,
): void {
  const departmentOf = new Map(
    [...reference.categories.values()].map(({ id, department }) => [categoryOf.get(id)!, department]),
  );
  const others = [...nominations.records()].filter(({ id }) => !entries.has(id));
  const appearances = [...[...entries.keys()].map((id) => nominations.get(id)!), ...others].flatMap(
    ({ current }) => {
      const department = departmentOf.get(current.category_id as number);
      const nominee = current.nominee_id as number;
      if (department === undefined || !people.has(nominee)) return [];
      return [{ nominee, ceremony: current.ceremony_id as number, department }];
    },
  );
  for (const [nominee, department] of departmentsOf(appearances))
    nominees.derive(nominee, 'known_for_department', department);
}
