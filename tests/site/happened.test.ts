/** The sentences that say what a chart of years shows, and which honors a record received. */
import { expect, it } from 'vitest';
import type { Honor } from '../../api/contract/resources.ts';
import { honorsSentence, yearsSentence } from '../../build/site/explorer/happened.ts';

/** Totals from the number of nominations of each year, from 1990 on; years with 0 have none. */
const totalsOf = (numbers: readonly number[]) =>
  numbers
    .map((nominations, at) => ({ year: 1990 + at, nominations, wins: 1 }))
    .filter(({ nominations }) => nominations > 0);

const repeated = (times: number, value: number): number[] => Array.from({ length: times }, () => value);

it.each([
  ['a peak', [2, 5, 3], '1991 had the most: 5 nominations.'],
  ['two peaks', [5, 2, 5, 4], '1990 and 1992 had the most: 5 nominations each.'],
  ['many peaks', [3, 2, 3, 2, 3, 3, 2], '4 of 7 years had the most: 3 nominations each.'],
  ['never two in a year', [1, 0, 1], 'Nominated in 2 years, never twice in a year.'],
  ['an even number since a year', [3, 6, ...repeated(11, 5)], 'Every ceremony since 1992 had 5 nominations.'],
  ['an even number throughout', repeated(12, 5), 'Every ceremony since 1990 had 5 nominations.'],
  [
    'a long wait',
    [1, 0, 0, 0, 0, 0, 1],
    'Nominated in 2 years, never twice in a year. The longest wait was 6 years, from 1990 to 1996.',
  ],
])('a chart of years says what it shows: %s', (_, numbers, sentence) => {
  expect(yearsSentence(totalsOf(numbers))).toBe(sentence);
});

it.each<
  [honors: readonly (readonly [category: string, honorClass: string, winner: boolean])[], said?: string]
>([
  [[]],
  [[['HONORARY AWARD', 'Special', true]], 'Received the Honorary Award.'],
  [
    [
      ['HONORARY AWARD', 'Special', true],
      ['HONORARY AWARD', 'Special', true],
      ['JEAN HERSHOLT HUMANITARIAN AWARD', 'Special', true],
    ],
    'Received the Honorary Award and the Jean Hersholt Humanitarian Award.',
  ],
  [[['SOUND RECORDING', 'Competitive', false]]],
  [
    [
      ['SOUND RECORDING', 'Competitive', true],
      ['SPECIAL AWARD', 'Special', true],
    ],
    'Won Sound Recording. Received the Special Award.',
  ],
])('the honors %j are one sentence', (rows, said) => {
  const honors = rows.map(
    ([category, honorClass, winner]) => ({ category, class: honorClass, winner }) as Honor,
  );
  expect(honorsSentence(honors)).toBe(said);
});
