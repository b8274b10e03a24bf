/** Facts of Wikidata become the same values from query results and from entities; what is doubtful stays unknown. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { useEnrichment } from './enriching.ts';
import {
  addUnknown,
  amount,
  type Claims,
  country,
  dumpOf,
  entity,
  itemValue,
  linesOf,
  type Row,
  resultsOf,
  statement,
  time,
} from './wikidata-text.ts';

const { connection, file, wikidata, known, provenance, everything } = useEnrichment();

const [film, person] = ['tt0034583', 'nm0000007'];
const [filmItem, personItem] = ['Q132689', 'Q16390'];
beforeEach(() => addUnknown(connection(), [film], [person]));

const named = [
  entity('Q130232', {}, 'drama film'),
  entity('Q1054574', {}, 'romance film'),
  country('Q30', 'US'),
  country('Q142', 'FR'),
  entity('Q60', {}, 'New York City'),
];
const filmClaims: Claims = {
  P345: [statement(film)],
  P136: [statement(itemValue('Q1054574')), statement(itemValue('Q130232'))],
  P2047: [statement(amount(102))],
  P577: [statement(time('1943-01-23')), statement(time('1942-11-26'))],
  P495: [statement(itemValue('Q30')), statement(itemValue('Q142'))],
  P4947: [statement('289')],
};
const personClaims: Claims = {
  P345: [statement(person)],
  P569: [statement(time('1899-12-25'))],
  P570: [statement(time('1957-01-14'))],
  P19: [statement(itemValue('Q60'))],
  P4985: [statement('4110')],
};
const entities = [...named, entity(filmItem, filmClaims), entity(personItem, personClaims)];

const filmRow: Row = { imdb: film, item: filmItem };
const personRow: Row = { imdb: person, item: personItem };
/** One row per value. Rows of a film need not stand together. */
const rows: Row[] = [
  { ...filmRow, genreLabel: 'romance film' },
  { ...personRow, birth: '1899-12-25T00:00:00Z' },
  { ...filmRow, date: '1943-01-23T00:00:00Z' },
  { ...filmRow, duration: '102', country: 'US' },
  { ...personRow, death: '1957-01-14T00:00:00Z', placeLabel: 'New York City' },
  { ...filmRow, date: '1942-11-26T00:00:00Z', genreLabel: 'drama film' },
  { ...filmRow, country: 'FR', tmdb: '289', title: 'Casablanca (film)' },
  { ...personRow, tmdb: '4110' },
  filmRow,
];

const filmValues = {
  genres: ['Drama', 'Romance'],
  runtime: 102,
  release_date: '1942-11-26',
  origin_country: ['FR', 'US'],
  moviedb_id: 289,
};
const personValues = {
  birthday: '1899-12-25',
  deathday: '1957-01-14',
  place_of_birth: 'New York City',
  moviedb_person_id: 4110,
};

const formats: [string, () => string | Buffer][] = [
  ['query results', () => resultsOf(rows)],
  ['query results without white space', () => resultsOf(rows, 0)],
  ['query results, rows reversed', () => resultsOf(rows.toReversed())],
  ['a dump', () => dumpOf(entities)],
  ['a dump with Windows line ends', () => dumpOf(entities).replaceAll('\n', '\r\n')],
  ['a dump with a byte order mark', () => `\ufeff${dumpOf(entities)}`],
  ['a dump on one line', () => JSON.stringify(entities)],
  ['a dump without its end', () => dumpOf(entities).replace(/\]\n$/, '')],
  ['a dump in another order', () => dumpOf(entities.toReversed())],
  ['lines', () => linesOf(entities)],
  ['lines with commas and empty lines', () => linesOf(entities).replaceAll('\n', ',\n\n')],
  ['lines without a last line end', () => linesOf(entities).trimEnd()],
  [
    'entities with members in another order',
    () => linesOf(entities.map(({ claims, ...rest }) => ({ claims, ...rest }))),
  ],
];
const compressed = formats.map(([name, content]): [string, () => Buffer] => [
  `${name}, gzip`,
  () => gzipSync(content()),
]);

describe.each([...formats, ...compressed])('%s', (_name, content) => {
  it('fills films and people, with the source of each value', async () => {
    const report = await wikidata(content());
    expect(known('movies')).toEqual(filmValues);
    expect(known('nominees')).toEqual(personValues);
    expect(report.resources).toMatchObject({
      movies: { wanted: 1, found: 1, changed: 1, notFound: [] },
      nominees: { wanted: 1, found: 1, changed: 1, notFound: [] },
    });
    expect([report.skipped, report.contradicted, report.advice]).toEqual([[], [], []]);
    expect(provenance()).toHaveLength(9);
    expect(provenance()[0]).toBe(`movies 1 genres: wikidata ${filmItem}`);
  });

  it('a second time changes nothing', async () => {
    await wikidata(content());
    const before = everything();
    const { resources } = await wikidata(content());
    expect(everything()).toEqual(before);
    expect(resources.movies).toMatchObject({ found: 1, changed: 0, filled: {} });
  });
});

it('gzip in several members, as parallel compressors write it', async () => {
  const text = linesOf(entities);
  const halves = [text.slice(0, 300), text.slice(300)].map((half) => gzipSync(half));
  await wikidata(Buffer.concat(halves));
  expect(known('movies')).toEqual(filmValues);
});

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
  ...named,
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
      ...rows.slice(1, 3),
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

it('a day that no calendar has, and a text with control characters, are refused as those of an editor', async () => {
  const claims = {
    P345: [statement(film)],
    P577: [statement(time('1943-02-30'))],
    P136: [statement(itemValue('Q7'))],
  };
  const { skipped } = await wikidata(
    linesOf([entity(filmItem, claims), entity('Q7', {}, 'dra\u0007ma \ud800')]),
  );
  expect(known('movies')).toEqual({});
  expect(skipped).toEqual([
    { what: `movies 1 (${film}) genres`, reason: 'has control characters' },
    {
      what: `movies 1 (${film}) release_date`,
      reason: 'must be a calendar date as YYYY-MM-DD or null',
    },
  ]);
});

it('a film with several ids, and an id of several records, are all filled', async () => {
  addUnknown(connection(), ['tt0000002', film]);
  const claims = { ...filmClaims, P345: [statement(film), statement('tt0000002'), statement('ev0000003')] };
  await wikidata(linesOf([...named, entity(filmItem, claims)]));
  expect([1, 2, 3].map((id) => known('movies', id))).toEqual([filmValues, filmValues, filmValues]);
});

it('of two items with one id the lower number counts, in any order', async () => {
  const other = entity('Q99999999', { P345: [statement(film)], P2047: [statement(amount(7))] });
  for (const content of [linesOf([...entities, other]), linesOf([other, ...entities])]) {
    connection().exec('UPDATE movies SET runtime = NULL; DELETE FROM provenance');
    await wikidata(content);
    expect(known('movies').runtime).toBe(102);
  }
});

it('a company has no facts', async () => {
  connection().exec("UPDATE nominees SET filmindex_id = 'co0000007'");
  const { resources } = await wikidata(
    linesOf([entity(personItem, { ...personClaims, P345: [statement('co0000007')] })]),
  );
  expect(resources.nominees).toMatchObject({ wanted: 0, found: 0 });
  expect(known('nominees')).toEqual({});
});

describe('names of genres, countries and places', () => {
  const unnamed = linesOf([entity(filmItem, filmClaims), entity(personItem, personClaims)]);

  it('come from a file of labels', async () => {
    const { advice } = await wikidata(unnamed, { labels: file(gzipSync(dumpOf(named))) });
    expect(known('movies')).toEqual(filmValues);
    expect(known('nominees')).toEqual(personValues);
    expect(advice).toEqual([]);
  });

  it('that are missing leave these fields unset, and the report says what to do', async () => {
    const { advice } = await wikidata(unnamed);
    expect(known('movies')).toEqual({ runtime: 102, release_date: '1942-11-26', moviedb_id: 289 });
    expect(advice).toEqual([expect.stringContaining('5 genres, countries and places have no name')]);
    await wikidata(unnamed, { labels: file(dumpOf(named)) });
    expect(known('movies')).toEqual(filmValues);
  });

  it('may be one label for all languages', async () => {
    const place = { ...entity('Q60'), labels: { mul: { language: 'mul', value: 'New York City' } } };
    await wikidata(linesOf([place, entity(personItem, personClaims)]));
    expect(known('nominees').place_of_birth).toBe('New York City');
  });
});

it('several files count as one source', async () => {
  const files = [file(resultsOf(rows.slice(0, 4))), file(resultsOf(rows.slice(4)))];
  const { resources } = await wikidata('', { files });
  expect(known('movies')).toEqual(filmValues);
  expect(resources.movies.changed).toBe(1);
});

it('names the records that the source does not have, of the resources that it covers', async () => {
  addUnknown(connection(), ['tt0000404'], ['nm0000404']);
  expect((await wikidata(resultsOf([filmRow]))).resources).toMatchObject({
    movies: { notFound: ['tt0000404'] },
    nominees: { notFound: [] },
  });
  expect((await wikidata(resultsOf([{ imdb: 'tt9', item: 'Q9' }]))).resources).toMatchObject({
    movies: { notFound: [film, 'tt0000404'] },
    nominees: { notFound: [person, 'nm0000404'] },
  });
});
