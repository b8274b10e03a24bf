/** @jsxRuntime automatic @jsxImportSource preact */
/** Nominations and wins over the years: of all, of each group of categories, or of each category by decade. */
import type { CountsList } from '../../../../api/contract/answers.ts';
import type { ParameterName, Query } from '../../../../api/contract/parameters.ts';
import { count, number, span } from '../../shared/format.ts';
import { apartParameter, nominationsHref, withQuery } from '../addresses.ts';
import { groupBy, sumOf, type YearCount, type YearTotals, yearTotals } from '../counts.ts';
import { usePlace } from '../page-context.ts';
import { Filtered, filtersOf } from '../parts/filter-form.tsx';
import { decadeOf, decadesOf, TableHead } from '../parts/lists.tsx';
import { Heading, useAnswer, useInSample } from '../parts/page.tsx';
import { PlotLegend, totalsText, YearPlot } from '../parts/year-plot.tsx';
import type { Reading } from '../record.ts';

const path = '/api/nominations';
const names: readonly ParameterName[] = filtersOf(path).filter((name) => name !== 'limit' && name !== 'sort');
const views = [
  ['', 'All together'],
  ['group', 'Groups of categories'],
  ['category', 'Categories by decade'],
] as const;
type Apart = (typeof views)[number][0];

/** Counts of all nominations, or of each category. */
type Counted = { totals: readonly YearTotals[]; cells?: readonly YearCount[] };

export function YearsPage() {
  const place = usePlace();
  const query = new URLSearchParams(place.query);
  const apart: Apart = views.find(([name]) => name === query.get(apartParameter))?.[0] ?? '';
  query.delete(apartParameter);
  const filters = query.toString();
  const answer = useAnswer(`years?${place.query}`, (reading) => load(reading, filters, apart));
  return (
    <>
      <Heading title={`Over the years${useInSample()}`} />
      <Filtered
        names={names}
        address={apart === '' ? countsAddress(filters) : undefined}
        answer={answer}
        invalid="Nothing is counted until the filters above are right."
        isFolded
        above={<Views filters={filters} apart={apart} />}
      >
        {(counted) => <Counts counted={counted} apart={apart} filters={filters} />}
      </Filtered>
    </>
  );
}

/** @throws ApiError */
async function load(reading: Reading, filters: string, apart: Apart): Promise<Counted> {
  const query = reading.queryIn(filters, { parameters: names, includes: [] });
  return apart === '' ? { totals: await totalsOf(reading, filters) } : countCells(reading, query);
}

const countsAddress = (filters: string): string => `/api/stats/counts?by=year${filters && `&${filters}`}`;

async function totalsOf({ ask }: Reading, filters: string): Promise<YearTotals[]> {
  const { data } = await ask<CountsList>(countsAddress(filters));
  return data.map(({ key, entries, wins }) => ({ year: Number(key), nominations: entries, wins }));
}

async function countCells(reading: Reading, query: Query): Promise<Counted> {
  const cells = await reading.countedByCategory(query);
  return { cells, totals: yearTotals(cells) };
}

function Views({ filters, apart }: { filters: string; apart: Apart }) {
  const hrefOf = (name: Apart) => {
    const query = new URLSearchParams(filters);
    if (name !== '') query.set(apartParameter, name);
    return withQuery('/years', query);
  };
  return (
    <nav class="tabs" aria-label="What is counted">
      {views.map(([name, text]) => (
        <a key={name} href={hrefOf(name)} aria-current={name === apart ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function Counts({ counted, apart, filters }: { counted: Counted; apart: Apart; filters: string }) {
  const { totals, cells = [] } = counted;
  const [first, last] = [totals[0]?.year, totals.at(-1)?.year];
  if (first === undefined || last === undefined)
    return <p role="status">No nominations match these filters.</p>;
  const { nominations, wins } = sumOf(totals);
  const summary = `${count(nominations, 'nomination')} and ${count(wins, 'win')}, ${span(first, last)}`;
  const years = [first, last] as const;
  return (
    <>
      <p class="total" role="status">
        {summary}
      </p>
      {apart === 'category' ? (
        <DecadeTable cells={cells} filters={filters} />
      ) : (
        <>
          <PlotLegend />
          {apart === 'group' ? (
            <GroupPlots cells={cells} years={years} filters={filters} />
          ) : (
            <YearPlot
              totals={totals}
              years={years}
              hrefOf={(from, to) => nominationsHref(filters, from, to)}
              label="Nominations and wins by year; the table below has the numbers"
            />
          )}
          <details>
            <summary>The numbers as a table</summary>
            <YearTable totals={totals} filters={filters} />
          </details>
        </>
      )}
    </>
  );
}

/** A plot for each group of categories, all of one scale. */
function GroupPlots(props: {
  cells: readonly YearCount[];
  years: readonly [number, number];
  filters: string;
}) {
  const { cells, years, filters } = props;
  const groups = groupBy(cells, ({ group }) => group)
    .map(([group, own]) => ({ group, own, totals: yearTotals(own) }))
    .sort((a, b) => sumOf(b.totals).nominations - sumOf(a.totals).nominations);
  const max = Math.max(...groups.flatMap(({ totals }) => totals.map((own) => own.nominations)));
  return (
    <div class="group-plots">
      {groups.map(({ group, own, totals }) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <YearPlot
            totals={totals}
            years={years}
            max={max}
            hrefOf={(from, to) =>
              nominationsHref(filters, from, to, [...new Set(own.map(({ category_id }) => category_id))])
            }
            label={`${group}: nominations and wins by year`}
            rest={totalsText(sumOf(totals))}
          />
        </section>
      ))}
    </div>
  );
}

function YearTable({ totals, filters }: { totals: readonly YearTotals[]; filters: string }) {
  const { nominations, wins } = sumOf(totals);
  return (
    <table class="numbers">
      <TableHead columns={['Year', 'Nominations', 'Wins']} />
      <tbody>
        {[...totals].reverse().map((own) => (
          <tr key={own.year}>
            <th scope="row">
              <a href={nominationsHref(filters, own.year, own.year)}>{own.year}</a>
            </th>
            <td>{number(own.nominations)}</td>
            <td>{number(own.wins)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{number(nominations)}</td>
          <td>{number(wins)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Shades of the cells of a table, from few to many. */
const shades = 6;

/** Nominations of each category in each decade. */
function DecadeTable({ cells, filters }: { cells: readonly YearCount[]; filters: string }) {
  const decades = decadesOf(cells.map(({ year }) => year)).reverse();
  const rows = groupBy(cells, ({ category_id }) => category_id)
    .sort(([a], [b]) => a - b)
    .map(([id, own]) => ({
      id,
      name: own[0]!.category,
      sums: decades.map((decade) => sumOf(own.filter(({ year }) => decadeOf(year) === decade))),
    }));
  const max = Math.max(...rows.flatMap(({ sums }) => sums.map(({ nominations }) => nominations)));
  return (
    <div class="scroll">
      <table class="grid">
        <caption>Nominations by category and decade; each number leads to its nominations.</caption>
        <TableHead columns={['Category', ...decades.map((decade) => `${decade}s`)]} />
        <tbody>
          {rows.map(({ id, name, sums }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {sums.map(({ nominations, wins }, i) => (
                <td key={decades[i]} class={`shade-${Math.ceil((nominations / max) * shades)}`}>
                  {nominations > 0 && (
                    <a
                      href={nominationsHref(filters, decades[i]!, decades[i]! + 9, [id])}
                      title={`${name}, ${decades[i]}s: ${count(nominations, 'nomination')}, ${count(wins, 'win')}`}
                    >
                      {number(nominations)}
                    </a>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
