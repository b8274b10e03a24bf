/** Calendar dates by arithmetic, without Date: no clock and no time zone can reach them. */
import type { Random } from './random.ts';

/** The year in which the invented world stands still. */
export const presentYear = 2026;

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A random day of a year, or of some of its months (1 to 12, both included), as YYYY-MM-DD. */
export function dayIn(random: Random, year: number, firstMonth = 1, lastMonth = 12): string {
  const month = random.between(firstMonth, lastMonth);
  const leap = month === 2 && isLeap(year) ? 1 : 0;
  const day = random.between(1, daysOfMonths[month - 1]! + leap);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

const earlyYears = [1929, 1930, 1930, 1931, 1932];

/** The year in which a ceremony was held: early on two fell into one year, and 1933 had none. */
export function ceremonyYear(ceremony: number): number {
  return earlyYears[ceremony - 1] ?? 1928 + ceremony;
}

/** The day on which a ceremony was held: in spring, except when a year had its second. */
export function ceremonyDay(random: Random, ceremony: number): string {
  const autumn = ceremony >= 3 && ceremony <= 5;
  return dayIn(random, ceremonyYear(ceremony), autumn ? 11 : 2, autumn ? 11 : 4);
}
