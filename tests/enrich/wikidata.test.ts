/** Facts of Wikidata become the same values from query results and from entities. Doubtful values stay unknown. */
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

const { connection, file, wikidata, known, provenance } = useEnrichment();

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
  ['query results, gzip', () => gzipSync(resultsOf(rows))],
  ['a dump, gzip', () => gzipSync(dumpOf(entities))],
];

it.each(formats)(
  'films and people are filled, with the source of each value, from %s',
  async (_name, content) => {
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
  },
);

it('gzip in several members, as parallel compressors write it', async () => {
  const text = linesOf(entities);
  const halves = [text.slice(0, 300), text.slice(300)].map((half) => gzipSync(half));
  await wikidata(Buffer.concat(halves));
  expect(known('movies')).toEqual(filmValues);
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
