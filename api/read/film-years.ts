/** The years of films: a film has the year of the first ceremony that nominated it. */
import { filmYear } from '../contract/film-year.ts';
import type { NominationTable } from './nomination-table.ts';
import type { Snapshot } from './snapshot.ts';

/** The film year of each film; null for a film without a nomination. @throws SnapshotUnavailable */
export const filmYears = (snapshot: Snapshot): Promise<readonly (number | null)[]> =>
  snapshot.derive('film years', ['nominations'], async () =>
    filmYearsOf(await snapshot.table('nominations')),
  );

function filmYearsOf({ ceremonies, ceremony, movie, count }: NominationTable): (number | null)[] {
  const { year, movies_eligible } = ceremonies.columns;
  const first = new Int32Array(movie.table.count).fill(-1);
  for (let row = 0; row < count; row += 1) {
    const [film, own] = [movie.rows[row]!, ceremony.rows[row]!];
    const known = first[film]!;
    // Two ceremonies can be in one year: the lower number was first.
    if (known < 0 || year[own]! < year[known]! || (year[own] === year[known] && own < known))
      first[film] = own;
  }
  const years = year.map((own, row) =>
    filmYear({ ceremony_year: own, movies_eligible: movies_eligible[row]! }),
  );
  return Array.from(first, (own) => (own < 0 ? null : years[own]!));
}
