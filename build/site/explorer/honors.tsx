/** @jsxRuntime automatic @jsxImportSource preact */
/** Honors on the pages of the ceremony, category, film or person that they are of. */
import type { Honor } from '../../../api/contract/resources.ts';
import { type HonorReference, honorRecords, honorRows } from '../../../api/read/honors.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { honorTitle, joined, titleCased } from '../shared/format.ts';
import { recordLink, Section } from './parts.tsx';
import { type Award, categoriesOf } from './record.ts';

/** The honors of a record, ascending by id. @throws SnapshotUnavailable */
export async function honorsOf(snapshot: Snapshot, of: HonorReference, id: number): Promise<Honor[]> {
  return honorRecords(snapshot, (await honorRows(snapshot, of)).get(id) ?? []);
}

export const isCompetitive = (honor: Honor): boolean => honor.class === 'Competitive';

/** An award with the competitive honors of its category. */
export interface HonoredAward extends Award {
  honors: readonly Honor[];
}

/** The awards of a ceremony with its competitive honors, also of categories without a nomination. */
export async function withHonors(
  snapshot: Snapshot,
  awards: readonly Award[],
  honors: readonly Honor[],
): Promise<HonoredAward[]> {
  return (await categoriesOf(snapshot)).flatMap((category) => {
    const award = awards.find((own) => own.category.id === category.id);
    const own = honors.filter(({ category_id }) => category_id === category.id);
    return award || own.length > 0 ? [{ category, nominations: award?.nominations ?? [], honors: own }] : [];
  });
}

/** Why an award of a category is an honor; said once where such honors are shown. */
export const whyHonors =
  'Awards that named no film or no person are listed as honors. They do not count as nominations.';

/** What an honor lacks to be a nomination: "no film named"; empty for other classes. */
export const lackOf = (honor: Honor): string =>
  isCompetitive(honor)
    ? joined(honor.movie_id === null && 'no film named', honor.recipients === null && 'no person named')
    : '';

/** "Won", "Nominated". */
export const outcomeOf = ({ winner }: Honor): string => (winner ? 'Won' : 'Nominated');

interface HonorListProps {
  honors: readonly Honor[];
  /** Whether the page is not that of a ceremony, so that each has its year. */
  hasYears?: boolean;
  /** Whether each has the name of the award. */
  hasCategories?: boolean;
}

/** Honors as entries of a list, those that were won first. */
export function HonorList({ honors, hasYears = false, hasCategories = false }: HonorListProps) {
  const sorted = [...honors].sort((a, b) => Number(b.winner) - Number(a.winner));
  return (
    <ul class="entries">
      {(hasYears ? honors : sorted).map((honor) => (
        <li key={honor.id} class={isCompetitive(honor) && honor.winner ? 'entry won' : 'entry'}>
          <span class="first">
            {recordLink('honors', honor.id, honorTitle(honor))}
            {isCompetitive(honor) && honor.winner && ' '}
            {isCompetitive(honor) && honor.winner && <span class="badge">Won</span>}
          </span>
          <span class="second">
            {joined(
              hasCategories && titleCased(honor.category),
              hasYears && String(honor.ceremony_year),
              !honor.winner && (isCompetitive(honor) ? 'nominated' : 'not awarded'),
              lackOf(honor),
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The honors of a film or a person; nothing without one. */
export const Honors = ({ honors }: { honors: readonly Honor[] }) =>
  honors.length > 0 && (
    <Section id="honors" title="Honors">
      {honors.some(isCompetitive) && <p class="advice">{whyHonors}</p>}
      <HonorList honors={honors} hasYears hasCategories />
    </Section>
  );
