/** A ranking as bars: a list of links whose numbers stand in words, with a bar beside them for the eye. */
import { count } from '../format.ts';

export interface Ranked {
  href: string;
  label: string;
  nominations: number;
  wins: number;
}

/** @param props.by which of the two numbers the list is ordered by */
export function Bars(props: { ranked: readonly Ranked[]; by: 'nominations' | 'wins'; label: string }) {
  const { ranked, by, label } = props;
  const most = Math.max(1, ...ranked.map((entry) => entry.nominations));
  return (
    <ol class="bars" aria-label={label}>
      {ranked.map((entry) => (
        <li key={entry.href}>
          <a href={entry.href}>{entry.label}</a>
          <span
            class="bar"
            aria-hidden="true"
            style={{ '--nominations': entry.nominations / most, '--wins': entry.wins / most }}
          >
            <i class="nominations" />
            <i class="wins" />
          </span>
          <span class="numbers">
            <span class={by === 'nominations' ? 'leading' : ''}>
              {count(entry.nominations, 'nomination')}
            </span>{' '}
            <span class={by === 'wins' ? 'leading wins' : 'wins'}>{count(entry.wins, 'win')}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
