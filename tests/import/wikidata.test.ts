/** Results of the query service of Wikidata, in both forms, become values of films and people. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { commonsPage } from '../../api/contract/enrichment.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { genresOf } from '../../data/enrich/genres.ts';
import { withIds } from '../../data/enrich/queries.ts';
import { enrichFromWikidata, variables } from '../../data/enrich/wikidata.ts';
import { readTable } from '../../data/reference/reference.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everything, known, provenanceOf } from './enriching.ts';
import { addUnknown, arrayOf, type Row, resultsOf } from './wikidata-text.ts';

const folder = temporaryFolder();
let connection: Connection;
let files = 0;
beforeEach(() => {
  connection = openDatabase(':memory:');
  addUnknown(connection, ['tt1'], ['nm1']);
});

/** Enriches from files with these contents. */
function wikidata(...contents: (string | Buffer)[]) {
  const paths = contents.map((content) => {
    files += 1;
    const path = join(folder, `source-${files}`);
    writeFileSync(path, content);
    return path;
  });
  return enrichFromWikidata(connection, { files: paths });
}

const film = { imdb: 'tt1', item: 'Q7' };
const person = { imdb: 'nm1', item: 'Q8' };
/** One row per value. Rows of a film need not stand together. */
const rows: Record<string, string>[] = [
  { ...film, genreLabel: 'romance film' },
  { ...person, birth: '1899-12-25T00:00:00Z' },
  { ...film, date: '1943-01-23T00:00:00Z' },
  { ...film, duration: '102', country: 'US' },
  { ...person, death: '1957-01-14T00:00:00Z', placeLabel: 'New York City' },
  { ...film, date: '1942-11-26T00:00:00Z', genreLabel: 'drama film' },
  { ...film, country: 'FR', tmdb: '289', title: 'Casablanca (film)' },
  ...[{ ...person, tmdb: '4110' }, film],
];
const filmValues = {
  ...{ genres: ['Drama', 'Romance'], runtime: 102, release_date: '1942-11-26' },
  ...{ origin_country: ['FR', 'US'], moviedb_id: 289 },
};
const personValues = {
  ...{ birthday: '1899-12-25', deathday: '1957-01-14' },
  ...{ place_of_birth: 'New York City', moviedb_person_id: 4110 },
};

it.each<[string, () => (string | Buffer)[]]>([
  ['query results', () => [resultsOf(rows)]],
  ['query results with a byte order mark', () => [`\ufeff \r\n${resultsOf(rows)}\n \n`]],
  ['the array of the download button', () => [arrayOf(rows)]],
  ['gzip', () => [gzipSync(resultsOf(rows))]],
  ['several files, which are one source', () => [resultsOf(rows.slice(0, 4)), arrayOf(rows.slice(4))]],
])('films and people are filled, with the source of each value, from %s', async (_name, contents) => {
  const report = await wikidata(...contents());
  expect([known(connection, 'movies'), known(connection, 'nominees')]).toEqual([filmValues, personValues]);
  const counts = { wanted: 1, found: 1, changed: 1, notFound: [] };
  expect(report.resources).toMatchObject({ movies: counts, nominees: counts });
  expect([report.skipped, report.contradicted]).toEqual([[], []]);
  expect(provenanceOf(connection)).toHaveLength(9);
  expect(provenanceOf(connection)[0]).toBe('movies 1 genres: wikidata Q7');
});

it('other names are the original title and the aliases, without those that are the own name in other letters', async () => {
  connection.exec(
    "UPDATE movies SET title = 'The Bicycle Thief'; UPDATE nominees SET name = 'Vittorio De Sica'",
  );
  const names = [
    'the bicycle thief!',
    'Ladri di biciclette',
    'Bicycle Thieves',
    'bicycle thieves',
    'Q99',
    '?!',
  ];
  const { skipped } = await wikidata(
    resultsOf([
      ...names.map((otherName) => ({ ...film, otherName })),
      ...['Vittorio de Sica', '\u0412. \u0414\u0435 \u0421\u0438\u043a\u0430'].map((otherName) => ({
        ...person,
        otherName,
      })),
      ...Array.from({ length: 60 }, (_, at) => ({ imdb: 'tt2', item: 'Q9', otherName: `Name ${at + 100}` })),
    ]),
  );
  expect(skipped).toEqual([]);
  expect(known(connection, 'movies')).toEqual({ other_names: ['Bicycle Thieves', 'Ladri di biciclette'] });
  expect(known(connection, 'nominees')).toEqual({
    other_names: ['\u0412. \u0414\u0435 \u0421\u0438\u043a\u0430'],
  });
});

const genid = { type: 'uri', value: 'http://www.wikidata.org/.well-known/genid/a' };
const label = (value: string, language: string) => ({ type: 'literal', value, 'xml:lang': language });
it.each<[string, Row[], Record<string, unknown>]>([
  ['twenty seconds, and a length of 0', [{ duration: '0.333' }, { duration: '0' }], {}],
  [
    'a fraction of minutes, typed',
    [{ duration: { type: 'typed-literal', value: '101.6' } }],
    { runtime: 102 },
  ],
  ['unknown values', [{ duration: genid, date: { type: 'bnode', value: 't1' } }], {}],
  [
    'a code of a country in lower case, or withdrawn',
    [{ country: 'us' }, { country: 'CSHH' }],
    { origin_country: ['CSHH', 'US'] },
  ],
  ['a label that is only an id', [{ genreLabel: 'Q123' }], {}],
  ['a label for all languages', [{ genreLabel: label('film noir', 'mul') }], { genres: ['Film Noir'] }],
  [
    'a label in English as well',
    [{ genreLabel: label('noir', 'mul') }, { genreLabel: label('war film', 'en') }],
    { genres: ['War'] },
  ],
  [
    'another item with a higher number',
    [{ duration: '7', item: 'Q99' }, { duration: '102' }],
    { runtime: 102 },
  ],
])('%s', async (_name, own, values) => {
  const all = own.map((row) => ({ ...film, ...row }));
  for (const ordered of [all, all.toReversed()]) {
    connection = openDatabase(':memory:');
    addUnknown(connection, ['tt1', 'tt1']);
    const { skipped, contradicted } = await wikidata(resultsOf(ordered));
    expect([skipped, contradicted]).toEqual([[], []]);
    expect([1, 2].map((id) => known(connection, 'movies', id))).toEqual([values, values]);
  }
});

it('a value that cannot be read, a row without its ids, and what contradicts itself are named, and the rest is taken', async () => {
  const { skipped, contradicted } = await wikidata(
    resultsOf([
      { ...film, duration: 'long', date: '-0044-03-15T00:00:00Z', country: 'USA', tmdb: '-1' },
      ...[{ duration: '80' }, { imdb: 'tt1', duration: '80' }, { item: 'Q2' }],
      { ...film, date: '1943-01-23T00:00:00Z' },
      { ...person, birth: '1957-01-14', death: '1899-12-25' },
    ]),
  );
  expect(known(connection, 'movies')).toEqual({ release_date: '1943-01-23' });
  expect(known(connection, 'nominees')).toEqual({ birthday: '1957-01-14' });
  expect(skipped.map(({ what, reason }) => `${what}: ${reason}`.replace(/^.*(?=row)/, ''))).toEqual([
    ...['row 2: has no "imdb"', 'row 3: has no "item"', 'row 4: has no "imdb"'],
    ...['duration: "long"', 'date: "-0044-03-15T00:00:00Z"', 'tmdb: "-1"'].map(
      (value) => `tt1 (Q7) ${value} cannot be read`,
    ),
  ]);
  expect(contradicted.map(({ field, source, reason }) => `${field} ${source} ${reason}`)).toEqual([
    'origin_country USA is no code of a country',
    'deathday 1899-12-25 is before the birth, 1957-01-14',
  ]);
});

it('records that the source does not have are named, of the resources that it covers; of a company only the logo is taken', async () => {
  addUnknown(connection, ['tt404'], ['nm404', 'co1']);
  const notFound = async (row: Row) => {
    const { movies, nominees } = (await wikidata(resultsOf([row]))).resources;
    return [movies.notFound, nominees.notFound];
  };
  expect(await notFound(film)).toEqual([['tt404'], []]);
  for (const nothing of ['[]', resultsOf([])])
    expect((await wikidata(nothing)).resources.movies.found).toBe(0);
  expect(await notFound({ ...person, imdb: 'co1', birth: '1899-12-25' })).toEqual([[], ['nm1', 'nm404']]);
  expect(known(connection, 'nominees', 3)).toEqual({});
});

describe('is refused in one line, also beside a good file, and changes nothing:', () => {
  const results = resultsOf(rows);
  const neither = /has no SPARQL JSON results: .*; it begins with /;
  const tooMany = 64 * 1024 * 1024 + 1;
  const tooLarge = /source-\d+ is larger than 64 MB; ask for fewer ids at once$/;
  const stackTrace = 'SPARQL-QUERY: queryStr=SELECT ?item WHERE {}\njava.util.concurrent.TimeoutException';
  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /source-\d+ is empty$/],
    ['a web page', '<!doctype html><title>429</title>', neither],
    ['another JSON document', '{"films":[1,2,3]}\n', neither],
    ['the stack trace of a query', stackTrace, neither],
    [
      'results that end in a stack trace',
      results.slice(0, -30) + stackTrace,
      /cut off after row 8: the query ran out/,
    ],
    ['results that end in the middle', results.slice(0, -4), /cut off after row 9/],
    ['an array that ends in the middle', arrayOf(rows).slice(0, -4), /cut off after row 8/],
    ['gzip that is cut off', gzipSync(results).subarray(0, -9), /its gzip data is cut off; fetch it again$/],
    ['a small gzip file of more than 64 MB', gzipSync(Buffer.alloc(tooMany, ' ')), tooLarge],
  ])('%s', async (_name, content, message) => {
    const before = everything(connection);
    const refusal = (await wikidata(results, content).catch((error: unknown) => error)) as Error;
    expect(refusal).toMatchObject({ name: 'UserError', message: expect.stringMatching(message) });
    expect(refusal.message).not.toContain('\n');
    expect(everything(connection)).toEqual(before);
  });
});

it.each<[string[], string[]]>([
  [['drama film', 'Drama', 'drama'], ['Drama']],
  [['science fiction film', 'Science Fiction'], ['Science Fiction']],
  [
    ['war movie', 'romantic comedy film', 'melodrama', 'comedy drama'],
    ['Comedy', 'Drama', 'Romance', 'War'],
  ],
  [
    ['film noir', 'disaster film', 'Kammerspielfilm', 'été film'],
    ['Disaster', 'Film Noir', 'Kammerspielfilm', 'Été'],
  ],
  [['silent film', 'TV Movie', 'film', ' film ', ''], []],
  [['<script>'], ['<script>']],
])('the genres of %j are %j', (labels, genres) => {
  expect(genresOf(labels)).toEqual(genres);
});

it('a genre of the table, or of the sample, stays the same when it is mapped again', () => {
  for (const { label: name, genres } of readTable(new URL('../../data/enrich/genres.tsv', import.meta.url))) {
    const once = genresOf([name!]);
    expect([name, genresOf(once)]).toEqual([name!.toLowerCase(), once]);
    expect(once.length, name).toBe(genres === '-' ? 0 : genres!.split('|').length);
  }
  for (const film of readTable(new URL('../../data/sample/films.tsv', import.meta.url))) {
    const genres = film.genres!.split('|').filter(Boolean);
    expect(genresOf(genres)).toEqual(genres.toSorted());
  }
});

it.each([
  ['films.rq', 'movies'],
  ['people.rq', 'nominees'],
] as const)('%s asks for the variables that are read, and takes ids', (name, resource) => {
  const query = readFileSync(new URL(`../../data/enrich/${name}`, import.meta.url), 'utf8');
  const [, selected] = /SELECT DISTINCT (.*) WHERE/.exec(query)!;
  const names = [...selected!.matchAll(/\?(\w+)/g)].map(([, word]) => word!);
  expect(names).toEqual(expect.arrayContaining(['imdb', 'item', ...variables[resource]]));
  for (const variable of names) expect(query.split(`?${variable}`).length, variable).toBeGreaterThan(2);
  expect(withIds(query, ['tt1', 'tt2'])).toContain('VALUES ?imdb { "tt1" "tt2" }\n');
});

it('the image of a person and the logo of a company are addresses at Wikimedia Commons; others are not taken', async () => {
  const file = 'http://commons.wikimedia.org/wiki/Special:FilePath/';
  addUnknown(connection, [], ['co1', 'nm2', 'nm3', 'nm4']);
  const picture = (imdb: string, value: string, type = 'uri') => ({
    imdb,
    item: 'Q9',
    image: { type, value },
  });
  await wikidata(
    resultsOf([
      picture('nm1', `${file}Humphrey%20Bogart%20%281940%29.jpg`),
      picture('nm1', `${file}Older.jpg`),
      picture('co1', `${file}Warner%20logo.svg`),
      picture('nm2', 'http://www.wikidata.org/.well-known/genid/1'),
      picture('nm3', 'https://evil.example/wiki/Special:FilePath/A.jpg'),
      picture('nm4', `${file}A.jpg/../../x`),
    ]),
  );
  const address = (name: string) => `https://commons.wikimedia.org/wiki/Special:FilePath/${name}?width=400`;
  expect([1, 2, 3, 4, 5].map((id) => known(connection, 'nominees', id))).toEqual([
    { profile_path: address('Humphrey%20Bogart%20%281940%29.jpg') },
    { profile_path: address('Warner%20logo.svg') },
    ...[{}, {}, {}],
  ]);
  expect(commonsPage(address('Warner%20logo.svg'))).toBe(
    'https://commons.wikimedia.org/wiki/File:Warner%20logo.svg',
  );
  for (const other of [null, 'https://posters.example/A.jpg', `${file}A.jpg?width=1&x`])
    expect(commonsPage(other)).toBeUndefined();
});
