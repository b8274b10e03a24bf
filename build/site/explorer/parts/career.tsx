/** @jsxRuntime automatic @jsxImportSource preact */
/** The career of a person: nominations and wins by year. */
import { nominationsHref } from '../addresses.ts';
import { tallyOf, totalsByYear } from '../counts.ts';
import type { DetailedNomination } from '../record.ts';
import { Section } from './page.tsx';
import { PlotLegend, YearPlot } from './year-plot.tsx';

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

export function Career({ id, nominations }: { id: number; nominations: readonly DetailedNomination[] }) {
  const totals = totalsByYear(nominations);
  const { years } = tallyOf(nominations);
  if (!years || totals.length < 3 || years[1] - years[0] < minCareer) return null;
  return (
    <Section id="career" title="Career">
      <PlotLegend />
      <YearPlot
        totals={totals}
        years={years}
        hrefOf={(first, last) => nominationsHref(`nominee_ids=${id}`, first, last)}
        label="Nominations and wins by year; the table below has them all"
        isLow
      />
    </Section>
  );
}
