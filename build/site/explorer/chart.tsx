/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Nominations and wins by year as columns, and the same numbers as a table. Positions are shares of the width
 * and the height: the policy of the pages forbids inline styles. The script moves the focus between columns
 * with the arrow keys.
 */
import { count, number } from '../shared/format.ts';
import { yearsSentence } from './happened.ts';
import type { YearTotals } from './record.ts';

/** Above the highest column is room for its label: a larger share of a low chart. */
const roomForLabel = { low: 0.22, high: 0.1 };

interface ChartProps {
  /** Ascending. */
  totals: readonly YearTotals[];
  /** What the columns show: "Nominations of Meryl Streep by ceremony year". */
  label: string;
  hrefOf: (year: number) => string;
  isLow?: true;
}

/** Per cent of the height for the columns; the rest is for the names of decades. */
const area = 88;
/** Per cent of the height of the mark that leads from a column to the name of its decade. */
const tick = 3;

/** A decade that is nearer to an end has no room for its label, which stands below its column. */
const labelWidth = 0.02;

/** A label above its column, towards the middle of the chart. */
const placeOfLabel = (x: number, width: number) =>
  x > 50
    ? { x: percent(x + width), 'text-anchor': 'end' as const, dy: -6 }
    : { x: percent(x), 'text-anchor': 'start' as const, dy: -6 };

/** The share of the width between two labels that do not touch. */
const labelDistance = 30;

const percent = (share: number): string => `${Math.round(share * 1000) / 1000}%`;

/** What stands above a column: "182 nominations in 1943". */
const labelText = ({ year, nominations, wins }: YearTotals, isPeak: boolean): string =>
  isPeak
    ? `${count(nominations, 'nomination')} in ${year}`
    : `${number(nominations)} in ${year}${wins > 0 ? `, ${number(wins)} won` : ''}`;

export function Chart({ totals, label, hrefOf, isLow }: ChartProps) {
  const [first, last] = [totals[0]!.year, totals.at(-1)!.year];
  const highest = Math.max(...totals.map(({ nominations }) => nominations));
  const top = highest * (1 + roomForLabel[isLow ? 'low' : 'high']);
  const width = 100 / (last - first + 1);
  const x = (year: number) => (year - first) * width;
  const height = (value: number) => (value / top) * area;
  const peak = totals.find(({ nominations }) => nominations === highest)!;
  const isInside = (year: number) => Math.min(year - first, last - year) / (last - first) > labelWidth;
  const decades = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(
    (year) => year % 10 === 0 && (last === first || isInside(year)),
  );
  const latest = totals.at(-1)!;
  const isApart = x(last) - x(peak.year) > labelDistance;
  // Columns of one nomination each need no number.
  const labelled = highest > 1 ? [peak, ...(isApart ? [latest] : [])] : [];
  return (
    <figure class={isLow ? 'chart low' : 'chart'}>
      <figcaption>
        <span>{yearsSentence(totals)}</span> <output class="readout soft" />
      </figcaption>
      <svg>
        <title>{label}</title>
        {decades.map((year) => (
          <g key={year} class={year % 20 === 0 ? 'decade' : 'decade odd'}>
            <line
              x1={percent(x(year) + width / 2)}
              x2={percent(x(year) + width / 2)}
              y1={percent(area)}
              y2={percent(area + tick)}
            />
            <text x={percent(x(year) + width / 2)} text-anchor="middle" y="100%" dy="-2">
              {year}
            </text>
          </g>
        ))}
        {totals.map((own) => {
          const text = `${own.year}: ${count(own.nominations, 'nomination')}, ${count(own.wins, 'win')}`;
          const bar = (value: number, name: string) => (
            <rect
              class={name}
              x={percent(x(own.year) + width * 0.08)}
              width={percent(width * 0.84)}
              y={percent(area - height(value))}
              height={percent(height(value))}
            />
          );
          return (
            <a key={own.year} href={hrefOf(own.year)} aria-label={text} tabIndex={own.year === last ? 0 : -1}>
              <title>{text}</title>
              <rect class="field" x={percent(x(own.year))} width={percent(width)} y="0" height={`${area}%`} />
              {bar(own.nominations, 'nominations')}
              {bar(own.wins, 'wins')}
            </a>
          );
        })}
        {labelled.map((own) => (
          <text
            key={own.year}
            class="direct"
            {...placeOfLabel(x(own.year), width)}
            y={percent(area - height(own.nominations))}
          >
            {labelText(own, own === peak)}
          </text>
        ))}
      </svg>
      <details>
        <summary>The numbers as a table</summary>
        <table class="numbers">
          <caption class="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Ceremony year</th>
              <th scope="col">Nominations</th>
              <th scope="col">Wins</th>
            </tr>
          </thead>
          <tbody>
            {[...totals].reverse().map((own) => (
              <tr key={own.year}>
                <th scope="row">
                  <a href={hrefOf(own.year)}>{own.year}</a>
                </th>
                <td>{number(own.nominations)}</td>
                <td>{number(own.wins)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
