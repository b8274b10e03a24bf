/** Each statement and each row becomes the right value. Doubtful values stay unknown. Unreadable rows are named. */
import { beforeEach, expect, it } from 'vitest';
import { useEnrichment } from './enriching.ts';
import {
  addUnknown,
  amount,
  type Claims,
  country,
  entity,
  itemValue,
  linesOf,
  resultsOf,
  type Row,
  statement,
  time,
} from './wikidata-text.ts';

const { connection, wikidata, known } = useEnrichment();

const [film, filmItem] = ['tt0034583', 'Q132689'];
const filmRow: Row = { imdb: film, item: filmItem };
beforeEach(() => addUnknown(connection(), [film]));

/** What one statement more or less makes of a field. */
const statements: [string, Claims, Record<string, unknown>][] = [
  ['seconds', { P2047: [statement(amount(6120, 'Q11574'))] }, { runtime: 102 }],
  ['hours', { P2047: [statement(amount('1.7', 'Q25235'))] }, { runtime: 102 }],
  ['a fraction of a minute', { P2047: [statement(amount('101.6'))] }, { runtime: 102 }],
  [
    'several lengths: the shortest',
    { P2047: [statement(amount(130)), statement(amount(99))] },
    { runtime: 99 },
  ],
  [
    'a preferred length',
    { P2047: [statement(amount(99)), statement(amount(130), { rank: 'preferred' })] },
    { runtime: 130 },
  ],
  [
    'a deprecated length',
    { P2047: [statement(amount(99), { rank: 'deprecated' }), statement(amount(130))] },
    { runtime: 130 },
  ],
  ['only a deprecated length', { P2047: [statement(amount(99), { rank: 'deprecated' })] }, {}],
  ['an unknown length', { P2047: [statement(null, { snaktype: 'somevalue' })] }, {}],
  ['no length', { P2047: [statement(null, { snaktype: 'novalue' })] }, {}],
  [
    'a length that is preferably unknown',
    { P2047: [statement(amount(99)), statement(null, { rank: 'preferred', snaktype: 'somevalue' })] },
    {},
  ],
  ['twenty seconds', { P2047: [statement(amount(20, 'Q11574'))] }, {}],
  ['a length of 0', { P2047: [statement(amount(0))] }, {}],
  ['a year', { P577: [statement(time('1943-00-00', 9))] }, {}],
  ['a month', { P577: [statement(time('1943-01-00', 10))] }, {}],
  ['a minute of a day', { P577: [statement(time('1943-01-23', 13))] }, { release_date: '1943-01-23' }],
  [
    'a year and a later day',
    { P577: [statement(time('1942-00-00', 9)), statement(time('1943-01-23'))] },
    { release_date: '1943-01-23' },
  ],
  [
    'a preferred later day',
    { P577: [statement(time('1942-11-26')), statement(time('1943-01-23'), { rank: 'preferred' })] },
    { release_date: '1943-01-23' },
  ],
  [
    'a day before Christ',
    { P577: [statement({ ...time('0043-01-23'), time: '-0043-01-23T00:00:00Z' })] },
    {},
  ],
  [
    'a Julian day, in the Gregorian calendar',
    { P577: [statement(time('1898-01-10', 11, 'Q1985786'))] },
    { release_date: '1898-01-22' },
  ],
  [
    'the Julian leap day of 1900',
    { P577: [statement(time('1900-02-29', 11, 'Q1985786'))] },
    { release_date: '1900-03-13' },
  ],
  ['a country without a code', { P495: [statement(itemValue('Q60'))] }, {}],
  [
    'an item without its text id',
    { P495: [statement({ 'entity-type': 'item', 'numeric-id': 30 })] },
    { origin_country: ['US'] },
  ],
  ['a silent film', { P136: [statement(itemValue('Q226730'))] }, {}],
  ['a genre that no entity names', { P136: [statement(itemValue('Q404'))] }, {}],
  ['a genre in no table', { P136: [statement(itemValue('Q846544'))] }, { genres: ['Disaster'] }],
  ['a genre that is text', { P136: [statement(itemValue('Q1'))] }, { genres: ['<script>alert(1)</script>'] }],
  ['several ids: the lowest', { P4947: [statement('900'), statement('289')] }, { moviedb_id: 289 }],
  ['claims of other types', { P2047: 'x', P577: [null, 7], P495: {}, P136: [statement(['x'])] }, {}],
];

const others = [
  country('Q30', 'US'),
  entity('Q60', {}, 'New York City'),
  entity('Q226730', {}, 'silent film'),
  entity('Q846544', {}, 'disaster film'),
  entity('Q1', {}, '<script>alert(1)</script> film'),
];

it.each(statements)('%s', async (_name, claims, values) => {
  await wikidata(linesOf([entity(filmItem, { P345: [statement(film)], ...claims }), ...others]));
  expect(known('movies')).toEqual(values);
});

it.each<[string, Row, Record<string, unknown>]>([
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
    `${film} (${filmItem}) country: "USA" cannot be read`,
    `${film} (${filmItem}) tmdb: "-1" cannot be read`,
  ]);
});

it('a length in a unit that is no time is skipped and named', async () => {
  const claims = {
    P345: [statement(film)],
    P2047: [statement(amount(3, 'Q11573')), statement(amount(9, '1'))],
  };
  const { skipped } = await wikidata(linesOf([entity(filmItem, claims)]));
  expect(skipped.map(({ reason }) => reason)).toEqual([
    '"+3 Q11573" cannot be read',
    '"+9 without unit" cannot be read',
  ]);
});
