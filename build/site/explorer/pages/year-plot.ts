/** Draws nominations and wins over the years. A chunk of its own, because the plotting library is large. */
import { axisX, axisY, plot, rectY, ruleY } from '@observablehq/plot';
import type { YearCount } from '../counts.ts';

/** Bars of nominations and wins by year; several groups stand below each other. */
export function drawYears(counts: readonly YearCount[], width: number, height: number): Element {
  const groups = [...new Set(counts.map(({ group }) => group))].sort();
  const hasGroups = groups.length > 1;
  const years = counts.map(({ year }) => year);
  const bars = (member: 'nominations' | 'wins', fill: string) =>
    rectY(counts, {
      x1: (entry: YearCount) => entry.year - 0.5,
      x2: (entry: YearCount) => entry.year + 0.5,
      y: member,
      ...(hasGroups && { fy: 'group' }),
      fill,
      insetLeft: 0.5,
      insetRight: 0.5,
    });
  const drawing = plot({
    className: 'years-plot',
    width,
    height,
    marginLeft: 44,
    marginRight: hasGroups ? 96 : 12,
    marginBottom: 32,
    x: { domain: [Math.min(...years) - 0.5, Math.max(...years) + 0.5], label: null },
    y: { label: null, nice: true },
    fy: { domain: groups, label: null, padding: 0.2 },
    marks: [
      axisX({ tickFormat: 'd', ticks: Math.max(2, Math.floor(width / 90)), tickSize: 0 }),
      axisY({ ticks: hasGroups ? 2 : 5, tickSize: 0 }),
      bars('nominations', 'var(--bar)'),
      bars('wins', 'var(--gold)'),
      ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  });
  // The page's policy forbids inline styles; styles/lists.css has the same rules.
  drawing.querySelector('style')?.remove();
  // The page says the same in words.
  drawing.setAttribute('aria-hidden', 'true');
  return drawing;
}
