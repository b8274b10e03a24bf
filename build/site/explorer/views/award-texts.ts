/** Nominations in words, for search engines and shared links. */
import { span, summaryText } from '../../shared/format.ts';
import { pagesElsewhere } from '../addresses.ts';
import { inSample, type Visit } from '../parts.tsx';
import { type DetailedNomination, entriesOf, type Tally } from '../record.ts';

/** "Won 11 of 14 nominations, 1998. Awards: Directing, Film Editing." */
export function tallyText(visit: Visit, tally: Tally, all: readonly DetailedNomination[] = []): string {
  const { years } = tally;
  const won = entriesOf(all.filter(({ winner }) => winner)).map(({ first }) => first.category);
  return [
    summaryText(tally),
    years ? `, ${span(...years)}` : '',
    inSample(visit),
    '.',
    won.length > 0 ? ` Awards: ${[...new Set(won)].join(', ')}.` : '',
  ].join('');
}

/** "Directing, 1998 (won)", each once. */
export const awardTexts = (nominations: readonly DetailedNomination[]): string[] => [
  ...new Set(
    entriesOf(nominations).map(
      ({ first, winner }) => `${first.category}, ${first.ceremony_year} (${winner ? 'won' : 'nominated'})`,
    ),
  ),
];

export const sameAs = (...ids: Parameters<typeof pagesElsewhere>): string[] =>
  pagesElsewhere(...ids).map(([, address]) => address);
