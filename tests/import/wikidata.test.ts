/** Facts of Wikidata become the same values from both forms of results. */
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { useEnrichment } from './enriching.ts';
import { addUnknown, arrayOf, type Row, resultsOf } from './wikidata-text.ts';

const { connection, file, wikidata, known, provenance } = useEnrichment();

const [film, person] = ['tt0034583', 'nm0000007'];
const [filmItem, personItem] = ['Q132689', 'Q16390'];
beforeEach(() => addUnknown(connection(), [film], [person]));

const filmRow = { imdb: film, item: filmItem };
const personRow = { imdb: person, item: personItem };
/** One row per value. Rows of a film need not stand together. */
const rows: Record<string, string>[] = [
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
  ['query results with a byte order mark and white space', () => `\ufeff \r\n${resultsOf(rows)}\n \n`],
  ['the array of the download button', () => arrayOf(rows)],
  ['the array over several lines', () => JSON.stringify(JSON.parse(arrayOf(rows)), null, 2)],
  ['query results, gzip', () => gzipSync(resultsOf(rows))],
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
    expect([report.skipped, report.contradicted]).toEqual([[], []]);
    expect(provenance()).toHaveLength(9);
    expect(provenance()[0]).toBe(`movies 1 genres: wikidata ${filmItem}`);
  },
);

it('gzip in several members, as parallel compressors write it', async () => {
  const text = resultsOf(rows);
  const halves = [text.slice(0, 300), text.slice(300)].map((half) => gzipSync(half));
  await wikidata(Buffer.concat(halves));
  expect(known('movies')).toEqual(filmValues);
});

it('an id of several records fills all', async () => {
  addUnknown(connection(), [film]);
  await wikidata(resultsOf(rows));
  expect([1, 2].map((id) => known('movies', id))).toEqual([filmValues, filmValues]);
});

it('of two items with one id the lower number counts, in any order', async () => {
  const other = { imdb: film, item: 'Q99999999', duration: '7' };
  for (const all of [
    [...rows, other],
    [other, ...rows],
  ]) {
    connection().exec('UPDATE movies SET runtime = NULL; DELETE FROM given');
    await wikidata(resultsOf(all));
    expect(known('movies').runtime).toBe(102);
  }
});

it('a company has no facts', async () => {
  connection().exec("UPDATE nominees SET filmindex_id = 'co0000007'");
  const { resources } = await wikidata(resultsOf([{ ...personRow, imdb: 'co0000007', birth: '1899-12-25' }]));
  expect(resources.nominees).toMatchObject({ wanted: 0, found: 0 });
  expect(known('nominees')).toEqual({});
});

it('labels for all languages count where there is none in English, in any order of the rows', async () => {
  const label = (value: string, language: string) => ({ type: 'literal', value, 'xml:lang': language });
  const labels: Row[] = [
    { ...personRow, placeLabel: label('Nova Iorque', 'mul') },
    { ...personRow, placeLabel: label('New York City', 'en') },
    { ...filmRow, genreLabel: label('film noir', 'mul') },
  ];
  for (const all of [labels, labels.toReversed()]) {
    connection().exec("UPDATE nominees SET place_of_birth = NULL; UPDATE movies SET genres = '[]'");
    connection().exec('DELETE FROM given');
    await wikidata(resultsOf(all));
    expect(known('nominees')).toEqual({ place_of_birth: 'New York City' });
    expect(known('movies')).toEqual({ genres: ['Film Noir'] });
  }
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
