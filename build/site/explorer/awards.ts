/** The nominations of a ceremony, by category. */
import type { Movie, Nomination } from '../../../api/contract/resources.ts';
import { everyPage } from '../shared/api.ts';
import { groupBy } from './counts.ts';
import type { CategorySummary, Reading } from './record.ts';

/** A category at a ceremony, with its nominations there. */
export interface Award<N extends Nomination = Nomination> {
  category: CategorySummary;
  nominations: N[];
}

/** Awards of a ceremony as a page shows them. */
export interface ShownAwards<N extends Nomination = Nomination> {
  awards: Award<N>[];
  /** Address of the poster of the film that won the first award. */
  poster: string | null;
}

export const awardsKey = (ceremony: number): string => `awards/${ceremony}`;

/** All nominations of a ceremony. @throws ApiError */
export const nominationsAt = ({ ask }: Reading, ceremony: number): Promise<Nomination[]> =>
  everyPage<Nomination>(ask, `/api/nominations?ceremony_ids=${ceremony}`);

/** Whether the awards of a group of categories are for people; all others are for films. */
export const isPersonal = (group: string | null): boolean => group === 'Acting' || group === 'Direction';

/** Groups nominations by category, in the order of the categories. @throws ApiError */
export async function awardsOf<N extends Nomination>(
  reading: Reading,
  nominations: readonly N[],
): Promise<Award<N>[]> {
  const categories = await reading.categories();
  const groups = new Map(groupBy(nominations, ({ category_id }) => category_id));
  return categories.flatMap((category) => {
    const own = groups.get(category.id);
    return own ? [{ category, nominations: own }] : [];
  });
}

/** Address of the poster of the first winner's film. @param won awards with a winner @throws ApiError */
export async function leadPoster(reading: Reading, won: readonly Award[]): Promise<string | null> {
  const lead = won[0]?.nominations[0];
  return lead ? (await reading.record<Movie>('movies', lead.movie_id)).poster_path : null;
}
