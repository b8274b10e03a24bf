/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Columns of nominations and wins by year, in decades. Each column leads to its year, each decade below to its years. Only
 * attributes and classes, so that a server can render it: the policy of the pages forbids inline styles.
 */
import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { count, number } from '../../shared/format.ts';
import { groupBy, type YearTotals } from '../counts.ts';
import { decadeOf } from './lists.tsx';

/** The next round number: 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((round) => round >= value)!;
}

export const totalsText = ({ nominations, wins }: Omit<YearTotals, 'year'>): string =>
  `${count(nominations, 'nomination')}, ${count(wins, 'win')}`;

const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** The arrow keys move between the years, which share one stop of the Tab key. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<SVGAElement>('svg a')];
  const at = links.indexOf(document.activeElement as SVGAElement & HTMLElement);
  const ends: Readonly<Record<string, number>> = { Home: 0, End: links.length - 1 };
  const to = ends[event.key] ?? (moves[event.key] === undefined ? undefined : at + moves[event.key]!);
  if (at < 0 || to === undefined || !links[to]) return;
  event.preventDefault();
  links[to].focus();
}

/** A decade with fewer years on the axis has no room for its name. */
const labelledYears = 5;

export const PlotLegend = () => (
  <p class="legend">
    <span class="nominations">Nominations</span> <span class="wins">Wins</span>
  </p>
);

interface PlotProps {
  totals: readonly YearTotals[];
  /** First and last year of the axis. */
  years: readonly [number, number];
  /** Nominations at the top of the axis, at least; of the highest column if left out. */
  max?: number;
  hrefOf: (first: number, last: number) => string;
  label: string;
  /** Shown until a year is pointed at. */
  rest?: string;
  isLow?: boolean;
}

export function YearPlot(props: PlotProps) {
  const { totals, years, hrefOf, label, rest = 'Each column leads to its year.', isLow = false } = props;
  const [first, last] = years;
  const [read, setRead] = useState<number>();
  const top = roundUp(props.max ?? Math.max(...totals.map(({ nominations }) => nominations)));
  const byYear = new Map(totals.map((own) => [own.year, own]));
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const shown = read === undefined ? undefined : byYear.get(read);
  const latest = totals.at(-1)?.year;
  return (
    <figure class={isLow ? 'plot low' : 'plot'} aria-label={label}>
      <figcaption class="readout">
        {shown ? (
          <>
            <strong>{shown.year}</strong> {totalsText(shown)}
          </>
        ) : (
          rest
        )}
      </figcaption>
      <div class="plot-area">
        <div class="scale" aria-hidden="true">
          <span>{number(top)}</span>
          <span>{top % 2 === 0 ? number(top / 2) : ''}</span>
          <span>0</span>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its links take the keys. */}
        <div class="decades" onKeyDown={moveFocus} onPointerLeave={() => setRead(undefined)}>
          {groupBy(all, decadeOf).map(([decade, own]) => (
            <div key={decade} class={`decade span-${own.length}${own.at(-1) === last ? ' last' : ''}`}>
              <svg viewBox={`0 0 ${own.length} ${top}`} preserveAspectRatio="none">
                <title>{`The ${decade}s`}</title>
                {own.map((year, i) => {
                  const total = byYear.get(year);
                  return (
                    total && (
                      <Column
                        key={year}
                        total={total}
                        x={i}
                        top={top}
                        href={hrefOf(year, year)}
                        isStop={year === (read ?? latest)}
                        onRead={() => setRead(year)}
                      />
                    )
                  );
                })}
              </svg>
              {own.length >= labelledYears && (
                <a href={hrefOf(Math.max(first, decade), Math.min(last, decade + 9))}>{decade}s</a>
              )}
            </div>
          ))}
        </div>
      </div>
    </figure>
  );
}

interface ColumnProps {
  total: YearTotals;
  x: number;
  top: number;
  href: string;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  onRead: () => void;
}

function Column({ total, x, top, href, isStop, onRead }: ColumnProps) {
  const { year, nominations, wins } = total;
  const text = `${year}: ${totalsText(total)}`;
  return (
    <a href={href} aria-label={text} tabIndex={isStop ? 0 : -1} onFocus={onRead} onPointerEnter={onRead}>
      <title>{text}</title>
      <rect class="field" x={x} width="1" height={top} />
      <rect class="nominations" x={x + 0.08} width="0.84" y={top - nominations} height={nominations} />
      <rect class="wins" x={x + 0.08} width="0.84" y={top - wins} height={wins} />
    </a>
  );
}
