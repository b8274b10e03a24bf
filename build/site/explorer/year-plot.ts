/** Draws nominations and wins over the years. A chunk of its own: the plotting library is larger than all the rest. */
import { axisX, axisY, plot, rectY, ruleY } from '@observablehq/plot';
import type { YearCount } from './counts.ts';

/** Bars of nominations by year, what was won standing out; groups below each other where there are several. */
export function drawYears(counts: readonly YearCount[], width: number, height: number): Element {
  const groups = [...new Set(counts.map(({ group }) => group))].sort();
  const apart = groups.length > 1;
  const years = counts.map(({ year }) => year);
  const bars = (member: 'nominations' | 'wins', fill: string) =>
    rectY(counts, {
      x1: (entry: YearCount) => entry.year - 0.5,
      x2: (entry: YearCount) => entry.year + 0.5,
      y: member,
      ...(apart && { fy: 'group' }),
      fill,
      insetLeft: 0.5,
      insetRight: 0.5,
    });
  const drawing = plot({
    className: 'years-plot',
    width,
    height,
    marginLeft: 44,
    marginRight: apart ? 96 : 12,
    marginBottom: 32,
    x: { domain: [Math.min(...years) - 0.5, Math.max(...years) + 0.5], label: null },
    y: { label: null, nice: true },
    fy: { domain: groups, label: null, padding: 0.2 },
    marks: [
      axisX({ tickFormat: 'd', ticks: Math.max(2, Math.floor(width / 90)), tickSize: 0 }),
      axisY({ ticks: apart ? 2 : 5, tickSize: 0 }),
      bars('nominations', 'var(--bar)'),
      bars('wins', 'var(--gold)'),
      ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  });
  // Its style sheet would need a policy that allows styles in the page; styles/forms.css has what it says.
  drawing.querySelector('style')?.remove();
  // What it shows stands in words beside it.
  drawing.setAttribute('aria-hidden', 'true');
  return drawing;
}
