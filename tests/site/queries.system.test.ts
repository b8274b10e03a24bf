/** Promise: the search understands what readers type: the expected record comes first, or at least among the first three. */
import { beforeAll, expect, it } from 'vitest';
import { categoryNames } from '../../api/contract/category-names.ts';
import { tokens } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { type Finding, findRecords } from '../../build/site/explorer/search.ts';
import { importRecord } from '../../data/import/import.ts';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import type { Choices } from '../support/random.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { answerAt, compileInMemory, type MemoryFolder } from '../support/build.ts';
import { seeded } from '../support/seed.ts';
import { queries } from './queries.ts';

const resolverOf = (files: MemoryFolder) => new Resolver(files, { digest: nodeDigest });

async function compiled(
  fill: (connection: ReturnType<typeof openDatabase>) => unknown,
): Promise<MemoryFolder> {
  const connection = openDatabase(':memory:');
  await fill(connection);
  const files = await compileInMemory(connection);
  connection.close();
  return files;
}

const hitsOf = ({ groups }: Finding) => groups.flatMap(({ hits }) => hits);
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** One letter of the longest word is missing, added, replaced or swapped with its neighbour. */
function misspelled(text: string, choices: Choices): string {
  const longest = text.split(/[^\p{L}]+/u).reduce((a, b) => (b.length > a.length ? b : a));
  const at = choices.between(1, longest.length - 2);
  const letter = choices.pick(letters);
  const edited = choices.pick([
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + letter + longest.slice(at),
    longest.slice(0, at) + letter + longest.slice(at + 1),
    longest.slice(0, at) + longest[at + 1] + longest[at] + longest.slice(at + 2),
  ]);
  return text.replace(longest, edited);
}

describeWithRealRecord('on the real record', () => {
  let files: MemoryFolder;
  let resolver: Resolver;
  let snapshot: Snapshot;
  beforeAll(async () => {
    files = await compiled((connection) => importRecord(connection, realRecordPath));
    resolver = resolverOf(files);
    snapshot = await resolver.snapshot();
  });
  const labelsOf = async (query: string) =>
    hitsOf(await findRecords(snapshot, query)).map(({ label }) => label);
  /** The ids of all nominations at an address. */
  const listed = async (address: string): Promise<number[]> => {
    const { body } = await answerAt(resolver, `${address}&format=ndjson`);
    const lines = new TextDecoder()
      .decode(body as Uint8Array)
      .trim()
      .split('\n');
    return lines.filter(Boolean).map((line) => (JSON.parse(line) as { id: number }).id);
  };

  it(`finds what ${queries.length} readers mean`, async () => {
    const misses: { query: string; expected: string; place: number; first: string | undefined }[] = [];
    for (const [query, expected] of queries) {
      const hits = hitsOf(await findRecords(snapshot, query));
      const place = hits.findIndex(({ label, id }) =>
        expected.startsWith('#') ? id === Number(expected.slice(1)) : label === expected,
      );
      if (place !== 0) misses.push({ query, expected, place, first: hits[0]?.label });
    }
    expect(misses.filter(({ place }) => place < 0 || place > 2)).toEqual([]);
    expect(misses.length, JSON.stringify(misses)).toBeLessThanOrEqual(queries.length * 0.07);
  });

  it.each([
    ['who won best actor in 1994', 'Won by Tom Hanks for Philadelphia'],
    ['best actor 1929', 'Won by Emil Jannings for The Last Command and The Way of All Flesh'],
    [
      'best actress 1969',
      'Won by Katharine Hepburn for The Lion in Winter and Barbra Streisand for Funny Girl',
    ],
    ['best director 2008', 'Won by Joel Coen and Ethan Coen for No Country for Old Men'],
    ['oscars 1998 best song', 'Won by “My Heart Will Go On” from Titanic'],
    ['best picture 2020', 'Won by Parasite'],
    ['who won in 2015', 'Best Picture: Birdman or (The Unexpected Virtue of Ignorance)'],
    ['titanic 1997', 'Film · 1997 · 14 nominations, 11 wins'],
    ['bono', 'Credited as Bono'],
  ])('answers %s', async (query, answer) => {
    expect(hitsOf(await findRecords(snapshot, query))[0]!.detail).toSatisfy((text: string) =>
      text.startsWith(answer),
    );
  });

  it.each(['oscars disney', 'best director hitchcock', 'oscars lotr'])(
    'reads what another name needs, in a new process: %s',
    async (query) => {
      const own = await resolverOf(files).snapshot();
      expect(hitsOf(await findRecords(own, query)).length).toBeGreaterThan(0);
    },
  );

  it('looks up no more than some words of a long text', async () => {
    const long = 'a '.repeat(8000);
    expect(await findRecords(snapshot, long)).toMatchObject({ nominations: expect.any(String) as string });
  });

  it.each(['titles', 'names'] as const)('finds 95 of 100 %s with a typing mistake', async (kind) => {
    const choices = seeded(`misspelled ${kind}`);
    const texts = (await snapshot.table(kind)).text.values as string[];
    const long = texts.filter((text) => /\p{L}{4}/u.test(text));
    const missed: string[] = [];
    for (const text of choices.picks(long, 100))
      if (!(await labelsOf(misspelled(text, choices))).includes(text)) missed.push(text);
    expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(5);
  });

  it('lists every nomination that the search of the API finds', async () => {
    const choices = seeded('reached');
    const texts = (['titles', 'names'] as const).map(
      async (kind) => (await snapshot.table(kind)).text.values as string[],
    );
    const words = (await Promise.all(texts))
      .flat()
      .flatMap(tokens)
      .filter((word) => word.length > 1);
    const typed = [...queries.map(([query]) => query), ...choices.picks(words, 60)];
    for (const query of typed.filter((text) => text.length > 1)) {
      const { nominations } = await findRecords(snapshot, query);
      const plain = `/api/search?${new URLSearchParams({ q: query })}`;
      if (nominations === plain) continue;
      const all = await listed(nominations);
      expect(all, `${query} ${nominations}`).toEqual(expect.arrayContaining(await listed(plain)));
    }
  });

  it('has the same first hits in any order of searches', async () => {
    const firstHits = async (typed: readonly string[]) => {
      const fresh = await resolverOf(files).snapshot();
      const all: [string, string | undefined][] = [];
      for (const query of typed) all.push([query, hitsOf(await findRecords(fresh, query))[0]?.href]);
      return all.sort();
    };
    const typed = seeded('order')
      .picks(queries, 40)
      .map(([query]) => query);
    expect(await firstHits(typed)).toEqual(await firstHits([...typed].reverse()));
  });

  it('finds every category by its names', async () => {
    for (const [category, names] of Object.entries(categoryNames))
      for (const name of names) expect(await labelsOf(name), name).toContain(category);
  });

  it('says in one sentence that the record does not hold what words ask for', async () => {
    expect((await findRecords(snapshot, 'who hosted the oscars')).note).toMatch(/^The record holds .*\.$/);
    expect((await findRecords(snapshot, "the king's speech")).note).toBeUndefined();
  });

  it('says where no record has all words', async () => {
    expect((await findRecords(snapshot, 'the fast and furious')).isNear).toBe(true);
    for (const query of ['the kings speech', 'merryl streep', 'best picture 2020', 'qwertyuiop'])
      expect((await findRecords(snapshot, query)).isNear, query).toBeUndefined();
  });
});

it('takes any text', async () => {
  const snapshot = await resolverOf(await compiled(fillWithSample)).snapshot();
  const long = ['a'.repeat(500), 'the '.repeat(125), '🎬a'.repeat(160)];
  for (const typed of ['x', '7', '🎬', '𝔸', '', ' ', '(*+?[', 'ß', '20,000', '강', 'toString', ...long])
    expect(hitsOf(await findRecords(snapshot, typed)).length).toBeLessThanOrEqual(12);
});
