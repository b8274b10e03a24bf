/** @jsxRuntime automatic @jsxImportSource preact */
/** The numbers of nominations by year. */
import type { CountsList } from '../../../../api/contract/answers.ts';
import type { ParameterFault } from '../../../../api/contract/problems.ts';
import { countsPath } from '../../../../api/contract/routes.ts';
import { count, nominationsText, span } from '../../shared/format.ts';
import { changed, withQuery } from '../addresses.ts';
import { ask, Refusal, tallyAt } from '../ask.ts';
import { Chart } from '../chart.tsx';
import { filterForm, filtersOf, takenAt } from '../filters.tsx';
import { Heading, inSample, type Page, RequestShown, type Visit } from '../parts.tsx';

/** How many nominations and wins each year had. */
export async function yearsPage(visit: Visit): Promise<Page> {
  const { snapshot, query } = visit;
  const names = filtersOf(countsPath).filter((name) => name !== 'limit' && name !== 'official');
  const taken = takenAt(countsPath, query);
  taken.delete('by');
  const asked = taken.has('official') ? '' : '&official=true';
  const address = withQuery(countsPath, `by=year${asked}${String(taken) && `&${taken}`}`);
  let counted: CountsList | undefined;
  let faults: readonly ParameterFault[] = [];
  try {
    counted = await ask<CountsList>(snapshot, address);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults = error.faults;
  }
  const form = await filterForm(visit, names, faults);
  const totals =
    counted?.data.map(({ key, entries, wins }) => ({ year: Number(key), nominations: entries, wins })) ?? [];
  const title = `Nominations by year${inSample(visit)}`;
  const [first, last] = [totals[0], totals.at(-1)];
  const tally = first && (await tallyAt(snapshot, query));
  const summary =
    tally && last
      ? `${nominationsText(tally)} and ${count(tally.wins, 'win')}, ${span(first.year, last.year)}`
      : 'No nominations match these filters.';
  // A query can have thousands of ids, and each year has a link: it is written once.
  const ofYear = changed('/nominations', query, { year: '0', yearStart: undefined, yearEnd: undefined });
  const hrefOf = (year: number) => ofYear.replace(/(?<=[?&]year=)0(?=&|$)/, String(year));
  const body = (
    <>
      <Heading title={title} />
      {form}
      <section id="results" aria-label="Results">
        <p class="total" role="status">
          {counted === undefined ? 'Correct the marked filters to see the numbers.' : summary}
        </p>
        {totals.length > 0 && (
          <Chart totals={totals} label="Nominations and wins by ceremony year" hrefOf={hrefOf} />
        )}
        {totals.length > 0 && <p class="advice">A nomination shared by several people counts once.</p>}
      </section>
      {counted && <RequestShown visit={visit} address={address} />}
    </>
  );
  const description = 'How many nominations and wins each ceremony year had, with filters.';
  return { title, description, body, ...(faults.length > 0 && { isIndexed: false as const }) };
}
