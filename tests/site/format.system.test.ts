/** Numbers, dates and lists in words: as Intl writes them in British English. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { country, date, number, together } from '../../build/site/shared/format.ts';

const locale = 'en-GB';

it('writes numbers as British English does', () => {
  const format = new Intl.NumberFormat(locale);
  fc.assert(
    fc.property(fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(20_000)), (value) => {
      expect(number(value)).toBe(format.format(value));
    }),
  );
});

it('writes dates as British English does', () => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const dates = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, (day) => {
      expect(date(day.toISOString().slice(0, 10))).toBe(format.format(day));
    }),
  );
});

it('joins texts as British English does', () => {
  const format = new Intl.ListFormat(locale, { type: 'conjunction' });
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      expect(together(texts)).toBe(format.format(texts));
    }),
  );
});

it('names countries, and leaves other texts as they are', () => {
  expect(country('US')).toBe('United States');
  expect(country('Soviet Union')).toBe('Soviet Union');
});

it('names countries that are no more by their own names', () => {
  expect(['SU', 'CS', 'YU', 'DD'].map(country)).toEqual([
    ...['Soviet Union', 'Czechoslovakia', 'Yugoslavia', 'East Germany'],
  ]);
  expect(['CSHH', 'XC', 'CSXX'].map(country)).toEqual([
    ...['Czechoslovakia', 'Czechoslovakia', 'Serbia and Montenegro'],
  ]);
});
