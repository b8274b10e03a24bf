/** Promise: films and people that have other names are found by them, also misspelled; builds hold them as the database does. */
import { expect, it } from 'vitest';
import { familyNames, sparseTables } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { findRecords } from '../../build/site/explorer/search.ts';
import type { Connection } from '../../data/database/open.ts';
import { answerAt, compiledRecord } from '../records/build.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

const resolverOf = async (fill: (connection: Connection) => void) => {
  const { files } = await compiledRecord((connection) => {
    fillWithTinyRecord(connection);
    fill(connection);
  });
  return new Resolver(files, { digest: nodeDigest });
};
const named = (connection: Connection) =>
  connection.exec(`
    UPDATE movies SET other_names = '["Le Fabuleux Destin d''Amélie Poulain","天使愛美麗"]' WHERE id = 1;
    UPDATE movies SET other_names = '["Otto e mezzo"]' WHERE id = 3;
    UPDATE nominees SET other_names = '["Pepe Garza"]' WHERE id = 4`);

it.each([
  ['le fabuleux destin d amelie poulain', 'Amélie'],
  ['Le fabuleux destin', 'Amélie'],
  ['fabuleux destin amelie poulain', 'Amélie'],
  ['天使愛美麗', 'Amélie'],
  ['otto e mezzo', '8½'],
  ['oto e mezzo', '8½'],
  ['ottomezzo', '8½'],
  ['pepe garza', 'José Ñandú'],
  ['pepe graza', 'José Ñandú'],
  // An own name comes first.
  ['amelie', 'Amélie'],
])('a search for %s finds %s first', async (query, label) => {
  const { groups } = await findRecords(await (await resolverOf(named)).snapshot(), query);
  expect(groups[0]?.hits[0]?.label).toBe(label);
});

it('the search of the API and records without include are the same with other names, to the byte', async () => {
  const [plain, renamed] = [await resolverOf(() => undefined), await resolverOf(named)];
  const addresses = [
    'search?q=otto',
    'search?q=8',
    'movies',
    'movies/1',
    'nominees',
    'nominees/4',
    'nominations/2',
  ];
  for (const address of addresses) {
    const [one, other] = [
      await answerAt(plain, `/api/${address}`),
      await answerAt(renamed, `/api/${address}`),
    ];
    expect(other.body, address).toEqual(one.body);
  }
  const { body } = await answerAt(renamed, '/api/movies?include=other_names&fields=id,other_names');
  expect(JSON.parse(new TextDecoder().decode(body!))).toMatchObject({
    data: [{ id: 1, other_names: [expect.anything(), '天使愛美麗'] }, { id: 2, other_names: [] }, { id: 3 }],
  });
});

it('a record without other names has no family of them in its manifest', async () => {
  const manifestOf = async (fill: (connection: Connection) => void) =>
    (await (await resolverOf(fill)).snapshot()).manifest;
  const [plain, renamed] = [await manifestOf(() => undefined), await manifestOf(named)];
  const own = Object.keys(sparseTables);
  expect(Object.keys(plain.families)).toEqual(familyNames.filter((family) => !own.includes(family)));
  expect(Object.keys(renamed.families)).toEqual(familyNames);
  for (const family of ['search/titles', 'search/names', 'records/movies', 'records/nominees'] as const)
    expect(renamed.families[family]).toEqual(plain.families[family]);
});
