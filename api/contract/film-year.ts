/** The years of films: the source has them with the ceremonies. */
import type { Ceremony } from './resources.ts';

/** The years that the text of a ceremony's eligibility window names, in its order; undefined for none. */
export const eligibleYears = (eligibility: string | null): number[] | undefined =>
  eligibility?.match(/\b[0-9]{4}\b/g)?.map(Number);

/** The last year of the films of a ceremony; without a text, the year before it. */
export function filmYear(ceremony: Pick<Ceremony, 'movies_eligible' | 'ceremony_year'>): number {
  const years = eligibleYears(ceremony.movies_eligible);
  return years ? Math.max(...years) : ceremony.ceremony_year - 1;
}
