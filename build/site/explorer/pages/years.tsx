/** Nominations and wins over the years, for whatever is filtered: a plot, drawn by a program loaded for it alone, and a table. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ParameterName, parseQuery } from '../../../../api/contract/parameters.ts';
import { useAnswer } from '../answers.ts';
import { countByYear, type YearCount } from '../counts.ts';
import { groupBy } from '../entries.ts';
import { count, number, span } from '../format.ts';
import { navigate, usePlace } from '../navigation.ts';
import { FilterForm } from '../parts/filter-form.tsx';
import { Heading, Shown } from '../parts/page.tsx';
import { RequestShown } from '../parts/request.tsx';
import { Unanswered } from '../record.ts';
import { faultsOf, settable } from './list.tsx';

const path = '/api/nominations';
const names: readonly ParameterName[] = settable(path).filter((name) => name !== 'limit');
/** Of this page alone: the interface has no such parameter. */
const apart = 'apart';

export function YearsPage() {
  const place = usePlace();
  const query = new URLSearchParams(place.query);
  const byGroup = query.get(apart) === 'group';
  query.delete(apart);
  const filters = query.toString();
  const answer = useAnswer(`years?${place.query}`, async () => {
    const parsed = parseQuery(filters, names);
    if (!parsed.ok) throw new Unanswered(400, 'the filters are wrong', parsed.faults);
    return countByYear(parsed.query, byGroup);
  });
  const faults = faultsOf(answer);
  return (
    <>
      <Heading title="Over the years" />
      <FilterForm names={names} faults={faults} folded />
      <label class="choice">
        <input type="checkbox" checked={byGroup} onChange={() => navigate(yearsHref(filters, !byGroup))} />
        Groups of categories apart
      </label>
      {faults ? (
        <p role="status">Nothing is counted until the filters above are right.</p>
      ) : (
        <Shown answer={answer} what="nomination">
          {(counts) => <Counted counts={counts} byGroup={byGroup} />}
        </Shown>
      )}
      {!faults && <RequestShown address={filters === '' ? path : `${path}?${filters}`} />}
    </>
  );
}

function yearsHref(filters: string, byGroup: boolean): string {
  const query = new URLSearchParams(filters);
  if (byGroup) query.set(apart, 'group');
  return query.size === 0 ? '/years' : `/years?${query}`;
}

function Counted({ counts, byGroup }: { counts: readonly YearCount[]; byGroup: boolean }) {
  const nominations = counts.reduce((sum, entry) => sum + entry.nominations, 0);
  const wins = counts.reduce((sum, entry) => sum + entry.wins, 0);
  const [first, last] = [counts[0]?.year, counts.at(-1)?.year];
  if (first === undefined || last === undefined)
    return <p role="status">No nominations match these filters.</p>;
  const summary = `${count(nominations, 'nomination')} and ${count(wins, 'win')}, ${span(first, last)}`;
  return (
    <>
      <p class="total" role="status">
        {summary}
      </p>
      <p class="legend">
        <span class="nominations">Nominations</span> <span class="wins">Wins</span>
      </p>
      <Plot counts={counts} label={`${summary}; the table below has the numbers`} />
      <details>
        <summary>The numbers as a table</summary>
        <YearTable counts={counts} byGroup={byGroup} />
      </details>
    </>
  );
}

/** Height of the drawing, kept free before it is there. */
const heights = { all: 320, group: 90 };

function Plot({ counts, label }: { counts: readonly YearCount[]; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const groups = new Set(counts.map(({ group }) => group)).size;
  const height = groups > 1 ? groups * heights.group + 60 : heights.all;
  useEffect(() => {
    let wanted = true;
    const draw = async () => {
      const { drawYears } = await import('../year-plot.ts');
      const own = holder.current;
      if (wanted && own) own.replaceChildren(drawYears(counts, own.clientWidth, height));
    };
    const redraw = () => void draw().catch(() => wanted && setFailed(true));
    redraw();
    addEventListener('resize', redraw);
    return () => {
      wanted = false;
      removeEventListener('resize', redraw);
    };
  }, [counts, height]);
  if (failed) return <p>The plot cannot be drawn at the moment; the table has the same numbers.</p>;
  return <div ref={holder} class="plot" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}

function YearTable({ counts, byGroup }: { counts: readonly YearCount[]; byGroup: boolean }) {
  const years = groupBy(counts, ({ year }) => year).reverse();
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Year</th>
          {byGroup && <th scope="col">Group</th>}
          <th scope="col">Nominations</th>
          <th scope="col">Wins</th>
        </tr>
      </thead>
      <tbody>
        {years.flatMap(([year, own]) =>
          own.map((entry) => (
            <tr key={`${year} ${entry.group}`}>
              <th scope="row">
                <a href={`/nominations?year=${year}`}>{year}</a>
              </th>
              {byGroup && <td>{entry.group}</td>}
              <td>{number(entry.nominations)}</td>
              <td>{number(entry.wins)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
