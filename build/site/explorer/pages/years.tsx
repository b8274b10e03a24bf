/** @jsxRuntime automatic @jsxImportSource preact */
/** Nominations and wins over the years: a table, and a plot with a library of its own. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ParameterName } from '../../../../api/contract/parameters.ts';
import { parseQuery } from '../../../../api/contract/query-string.ts';
import { ApiError } from '../../shared/api.ts';
import { count, number, span } from '../../shared/format.ts';
import { withQuery } from '../addresses.ts';
import { countByYear, groupBy, type YearCount } from '../counts.ts';
import { navigate, usePlace } from '../navigation.ts';
import { Filtered, filtersOf, groupParameter } from '../parts/filter-form.tsx';
import { Heading, useAnswer } from '../parts/page.tsx';
import { usePageContext } from '../page-context.ts';
import { columns } from '../record.ts';

const path = '/api/nominations';
const names: readonly ParameterName[] = filtersOf(path).filter((name) => name !== 'limit' && name !== 'sort');
export function YearsPage() {
  const place = usePlace();
  const query = new URLSearchParams(place.query);
  const byGroup = query.get(groupParameter) === 'group';
  query.delete(groupParameter);
  const filters = query.toString();
  const answer = useAnswer(`years?${place.query}`, async () => {
    const parsed = parseQuery(filters, { parameters: names, includes: [] });
    if (!parsed.ok) throw new ApiError(400, 'the filters are wrong', parsed.faults);
    return countByYear(await columns(), parsed.query, byGroup);
  });
  const toggle = () => {
    const toggled = new URLSearchParams(filters);
    if (!byGroup) toggled.set(groupParameter, 'group');
    navigate(withQuery('/years', toggled));
  };
  return (
    <>
      <Heading title="Over the years" />
      <Filtered
        names={names}
        address={withQuery(path, filters)}
        answer={answer}
        what="nomination"
        invalid="Nothing is counted until the filters above are right."
        isFolded
        above={
          <label class="choice">
            <input
              type="checkbox"
              name={groupParameter}
              value="group"
              form="filters"
              checked={byGroup}
              onChange={toggle}
            />
            Groups of categories apart
          </label>
        }
      >
        {(counts) => <YearCounts counts={counts} byGroup={byGroup} />}
      </Filtered>
    </>
  );
}

function YearCounts({ counts, byGroup }: { counts: readonly YearCount[]; byGroup: boolean }) {
  const [first, last] = [counts[0]?.year, counts.at(-1)?.year];
  if (first === undefined || last === undefined)
    return <p role="status">No nominations match these filters.</p>;
  const sum = (member: 'nominations' | 'wins') => counts.reduce((total, entry) => total + entry[member], 0);
  const totals = `${count(sum('nominations'), 'nomination')} and ${count(sum('wins'), 'win')}`;
  const summary = `${totals}, ${span(first, last)}`;
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

function Plot({ counts, label }: { counts: readonly YearCount[]; label: string }) {
  const { browser } = usePageContext();
  const holder = useRef<HTMLDivElement>(null);
  const [isFailed, setFailed] = useState(false);
  const groups = new Set(counts.map(({ group }) => group)).size;
  const height = groups > 1 ? groups * 90 + 60 : 320;
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const { drawYears } = await browser!.plots();
      const own = holder.current;
      if (isCurrent && own) own.replaceChildren(drawYears(counts, own.clientWidth, height));
    };
    const redraw = () => void draw().catch(() => isCurrent && setFailed(true));
    redraw();
    addEventListener('resize', redraw);
    return () => {
      isCurrent = false;
      removeEventListener('resize', redraw);
    };
  }, [counts, height]);
  if (isFailed) return <p>The plot cannot be drawn at the moment; the table has the same numbers.</p>;
  // The minimum height prevents a layout shift.
  return <div ref={holder} class="plot" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}

function YearTable({ counts, byGroup }: { counts: readonly YearCount[]; byGroup: boolean }) {
  const latestFirst = groupBy(counts, ({ year }) => year)
    .reverse()
    .flatMap(([, own]) => own);
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
        {latestFirst.map(({ year, group, nominations, wins }) => (
          <tr key={`${year} ${group}`}>
            <th scope="row">
              <a href={`/nominations?year=${year}`}>{year}</a>
            </th>
            {byGroup && <td>{group}</td>}
            <td>{number(nominations)}</td>
            <td>{number(wins)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
