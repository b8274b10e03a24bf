/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Nominations and wins by year as columns, and the same numbers as a table. Positions are shares of the width
 * and the height: the policy of the pages forbids inline styles. The script moves the focus between columns
 * with the arrow keys.
 */
import { count, number } from '../shared/format.ts';
import { yearsSentence } from './happened.ts';
import type { YearTotals } from './record.ts';

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

/** The share of the height above the highest column, for its label. */
const labelShare = 0.22;

/** A decade that is nearer to the end has no room for its label. */
const labelWidth = 0.04;

/** A label beside its column, towards the middle of the chart. */
const placeOfLabel = (x: number, width: number) =>
  x > 50
    ? { x: percent(x + width), 'text-anchor': 'end' as const, dy: -6 }
    : { x: percent(x), 'text-anchor': 'start' as const, dy: -6 };

/** The next round number: 1, 2, 5 times a power of ten, and some between. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((round) => round >= value)!;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 1000}%`;

export function Chart({ totals, label, hrefOf, isLow }: ChartProps) {
  const [first, last] = [totals[0]!.year, totals.at(-1)!.year];
  const highest = Math.max(...totals.map(({ nominations }) => nominations));
  const top = roundUp(highest) * (1 + labelShare);
  const width = 100 / (last - first + 1);
  const x = (year: number) => (year - first) * width;
  const height = (value: number) => (value / top) * area;
  const peak = totals.find(({ nominations }) => nominations === highest)!;
  const decades = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(
    (year) => year % 10 === 0 && (last === first || (last - year) / (last - first) > labelWidth),
  );
  return (
    <figure class={isLow ? 'chart low' : 'chart'}>
      <figcaption>
        <span>{yearsSentence(totals)}</span> <output class="readout soft" />
      </figcaption>
      <svg>
        <title>{label}</title>
        {decades.map((year) => (
          <g key={year} class={year % 20 === 0 ? 'decade' : 'decade odd'}>
            <line x1={percent(x(year))} x2={percent(x(year))} y1="0" y2="100%" />
            <text x={percent(x(year))} dx="4" y="100%" dy="-2">
              {year}
            </text>
          </g>
        ))}
        <text
          class="peak"
          {...placeOfLabel(x(peak.year), width)}
          y={percent(area - height(peak.nominations))}
        >
          {count(peak.nominations, 'nomination')}
        </text>
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
