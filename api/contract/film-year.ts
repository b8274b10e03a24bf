/** The years of films: the source has them with the ceremonies. */
import type { Ceremony } from './resources.ts';

/**
 * The years that the text of a ceremony's eligibility window names, in its order; undefined for none.
 * "1927/28" names both.
 */
export function eligibleYears(eligibility: string | null): number[] | undefined {
  const named = eligibility?.matchAll(/\b([0-9]{4})(?:\/([0-9]{2}))?\b/g) ?? [];
  const years = [...named].flatMap(([, first, second]) => {
    const year = Number(first);
    return second === undefined ? [year] : [year, year + ((((Number(second) - year) % 100) + 100) % 100)];
  });
  return years.length > 0 ? years : undefined;
}

/** The last year of the films of a ceremony; without a text, the year before it. */
export function filmYear(ceremony: Pick<Ceremony, 'movies_eligible' | 'ceremony_year'>): number {
  const years = eligibleYears(ceremony.movies_eligible);
  return years ? Math.max(...years) : ceremony.ceremony_year - 1;
}
