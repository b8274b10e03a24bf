/** Labels of genres become plain names, so that a filter by genre finds all films of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fold } from '../../api/contract/text.ts';
import { variables } from '../../data/enrich/wikidata.ts';
import { genresOf } from '../../data/enrich/genres.ts';
import { withIds } from '../../data/enrich/queries.ts';
import { readTable } from '../../data/reference/reference.ts';
import { readSample } from '../../data/sample/sample.ts';

it.each<[string, string[]]>([
  ['drama film', ['Drama']],
  ['Drama', ['Drama']],
  ['drama', ['Drama']],
  ['science fiction film', ['Science Fiction']],
  ['Science Fiction', ['Science Fiction']],
  ['romantic comedy', ['Comedy', 'Romance']],
  ['romantic comedy film', ['Comedy', 'Romance']],
  ['film noir', ['Film Noir']],
  ['war movie', ['War']],
  ['disaster film', ['Disaster']],
  ['Kammerspielfilm', ['Kammerspielfilm']],
  ['été film', ['Été']],
  ['silent film', []],
  ['TV Movie', []],
  ['film', []],
  [' film ', []],
  ['', []],
  ['<script>', ['<script>']],
])('%j is %j', (label, genres) => {
  expect(genresOf([label])).toEqual(genres);
});

it('several labels of one genre count once, in ascending order', () => {
  expect(genresOf(['war film', 'drama film', 'War', 'melodrama', 'comedy drama'])).toEqual([
    'Comedy',
    'Drama',
    'War',
  ]);
});

it('a genre that was mapped stays the same', () => {
  const table = readTable(new URL('../../data/enrich/genres.tsv', import.meta.url));
  for (const { label, genres } of table) {
    expect(label).toBe(label!.toLowerCase());
    const once = genresOf([label!]);
    expect(genresOf(once), label).toEqual(once);
    expect(once.length, label).toBe(genres === '-' ? 0 : genres!.split('|').length);
  }
});

it('the genres of the sample are names of the table', () => {
  for (const { genres } of readSample().films.values()) expect(genresOf(genres)).toEqual([...genres].sort());
});

it.each([
  ['films.rq', 'movies'],
  ['people.rq', 'nominees'],
] as const)('%s asks for the variables that are read, and takes ids', (name, resource) => {
  const query = readFileSync(new URL(`../../data/enrich/${name}`, import.meta.url), 'utf8');
  const selected = [.../SELECT DISTINCT (.*) WHERE/.exec(query)![1]!.matchAll(/\?(\w+)/g)].map(
    ([, word]) => word!,
  );
  expect(selected).toEqual(expect.arrayContaining(['imdb', 'item', ...variables[resource]]));
  for (const variable of selected) expect(query.split(`?${variable}`).length, variable).toBeGreaterThan(2);
  for (const [prefix] of query.matchAll(/\b[a-z]+(?=:[A-Za-z])/g))
    if (prefix !== 'http' && prefix !== 'https') expect(query).toContain(`PREFIX ${prefix}: <`);
  expect(withIds(query, ['tt1', 'tt2'])).toContain('VALUES ?imdb { "tt1" "tt2" }\n');
  expect(fold(query)).not.toContain('undefined');
});
