/** @jsxRuntime automatic @jsxImportSource preact */
/** The career of a person: nominations and wins by year. */
import { tallyOf, totalsByYear } from '../counts.ts';
import type { DetailedNomination } from '../record.ts';
import { Section } from './page.tsx';
import { YearPlot } from './year-plot.tsx';

/** "1979", or "1979, about 30 years old" where the birthday is known; undefined without nominations. */
export function firstYear(
  nominations: readonly DetailedNomination[],
  birthday: string | null,
): string | undefined {
  const year = tallyOf(nominations).years?.[0];
  if (year === undefined) return undefined;
  return birthday === null ? String(year) : `${year}, about ${year - Number(birthday.slice(0, 4))} years old`;
}

/** A shorter career needs no timeline. */
const minCareer = 8;

/** The nominations and wins of a person by year. */
export function Career({ id, nominations }: { id: number; nominations: readonly DetailedNomination[] }) {
  const totals = totalsByYear(nominations);
  const { years } = tallyOf(nominations);
  if (!years || totals.length < 3 || years[1] - years[0] < minCareer) return null;
  const hrefOf = (first: number, last: number) => {
    const query = new URLSearchParams({ nominee_ids: String(id) });
    if (first === last) query.set('year', String(first));
    else
      for (const [name, year] of [
        ['yearStart', first],
        ['yearEnd', last],
      ] as const)
        query.set(name, String(year));
    return `/nominations?${query}`;
  };
  return (
    <Section id="career" title="Career">
      <p class="legend">
        <span class="nominations">Nominations</span> <span class="wins">Wins</span>
      </p>
      <YearPlot
        totals={totals}
        years={years}
        max={Math.max(...totals.map((own) => own.nominations))}
        hrefOf={hrefOf}
        label="Nominations and wins by year; the table below has them all"
        isLow
      />
    </Section>
  );
}
