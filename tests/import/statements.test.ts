/** Each row becomes the right value. Doubtful values stay unknown. Unreadable rows are named. */
import { beforeEach, expect, it } from 'vitest';
import { useEnrichment } from './enriching.ts';
import { addUnknown, resultsOf, type Row } from './wikidata-text.ts';

const { connection, wikidata, known } = useEnrichment();

const [film, filmItem] = ['tt0034583', 'Q132689'];
const filmRow: Row = { imdb: film, item: filmItem };
beforeEach(() => addUnknown(connection(), [film]));

it.each<[string, Row, Record<string, unknown>]>([
  ['twenty seconds', { duration: '0.333' }, {}],
  ['a length of 0', { duration: '0' }, {}],
  ['a silent film', { genreLabel: 'silent film' }, {}],
  ['a genre in no table', { genreLabel: 'disaster film' }, { genres: ['Disaster'] }],
  ['markup', { genreLabel: '<script>alert(1)</script> film' }, { genres: ['<script>alert(1)</script>'] }],
  ['a fraction', { duration: '101.6' }, { runtime: 102 }],
  [
    'an unknown value',
    { duration: { type: 'uri', value: 'http://www.wikidata.org/.well-known/genid/a' } },
    {},
  ],
  ['a blank node', { date: { type: 'bnode', value: 't1' } }, {}],
  ['a typed literal', { duration: { type: 'typed-literal', value: '102' } }, { runtime: 102 }],
  ['a country in lower case', { country: 'us' }, { origin_country: ['US'] }],
  ['a country that is no more', { country: 'CSHH' }, { origin_country: ['CSHH'] }],
  ['a label that is only an id', { genreLabel: 'Q123' }, {}],
  ['a variable that is not asked for', { director: 'X' }, {}],
])('a row with %s', async (_name, row, values) => {
  await wikidata(resultsOf([{ ...filmRow, ...row }]));
  expect(known('movies')).toEqual(values);
});

it('a value that cannot be read is skipped and named, and the others are taken', async () => {
  const { skipped } = await wikidata(
    resultsOf([
      { ...filmRow, duration: 'long', date: 'spring', country: 'USA', tmdb: '-1' },
      { ...filmRow, date: '1943-01-23T00:00:00Z' },
    ]),
  );
  expect(known('movies')).toEqual({ release_date: '1943-01-23' });
  expect(skipped.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
    `${film} (${filmItem}) duration: "long" cannot be read`,
    `${film} (${filmItem}) date: "spring" cannot be read`,
    `${film} (${filmItem}) tmdb: "-1" cannot be read`,
  ]);
});
