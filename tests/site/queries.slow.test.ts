/** Promise: the search understands what readers type: the expected record comes first, or at least among the first three. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { categoryNames } from '../../api/contract/category-names.ts';
import { tokens } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { otherNames } from '../../build/site/explorer/other-names.ts';
import type { RecordKind } from '../../build/site/explorer/record-kinds.ts';
import { recordLists } from '../../build/site/explorer/records.ts';
import { findRecords } from '../../build/site/explorer/search.ts';
import { importRecord } from '../../data/import/import.ts';
import { answerAt, compiledRecord, type MemoryFolder } from '../records/build.ts';
import type { Choices } from '../records/random.ts';
import { describeWithRealRecord, realRecordPath } from '../records/real-record.ts';
import { seeded } from '../records/seed.ts';

/** Searches of readers on the real record, each with the label of the hit that must come first; after "#" stands its id. */
const queries = readFileSync(new URL('queries.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split(' -> ') as [query: string, first: string]);

const hitsOf = async (snapshot: Snapshot, query: string) =>
  (await findRecords(snapshot, query)).groups.flatMap(({ hits }) => hits);

/** One letter of the longest word is missing, added, replaced or swapped with its neighbour. */
function misspelled(text: string, choices: Choices): string {
  const longest = text.split(/[^\p{L}]+/u).reduce((a, b) => (b.length > a.length ? b : a));
  const at = choices.between(1, longest.length - 2);
  const letter = choices.pick([...'abcdefghijklmnopqrstuvwxyz']);
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
    ({ files } = await compiledRecord((connection) => importRecord(connection, realRecordPath)));
    resolver = new Resolver(files, { digest: nodeDigest });
    snapshot = await resolver.snapshot();
  });
  const freshSnapshot = () => new Resolver(files, { digest: nodeDigest }).snapshot();
  const labelsOf = async (query: string) => (await hitsOf(snapshot, query)).map(({ label }) => label);

  it(`finds what ${queries.length} readers mean`, async () => {
    expect(queries).toHaveLength(464);
    const misses: { query: string; expected: string; place: number; first: string | undefined }[] = [];
    for (const [query, expected] of queries) {
      const hits = await hitsOf(snapshot, query);
      const place = hits.findIndex(({ label, id }) => expected === (expected[0] === '#' ? `#${id}` : label));
      if (place !== 0) misses.push({ query, expected, place, first: hits[0]?.label });
    }
    expect(misses.filter(({ place }) => place < 0 || place > 2)).toEqual([]);
    expect(misses.length, JSON.stringify(misses)).toBeLessThanOrEqual(queries.length * 0.02);
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
    ['titanic 1997', 'Film · 1997 · Won 11 of 14 nominations'],
    ['bono', 'Credited as Bono'],
  ])('answers %s', async (query, answer) => {
    expect((await hitsOf(snapshot, query))[0]!.detail.slice(0, answer.length)).toBe(answer);
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
    /** The ids of all nominations at an address. */
    const listed = async (address: string): Promise<number[]> => {
      const { body } = await answerAt(resolver, `${address}&format=ndjson`);
      const lines = new TextDecoder().decode(body!).split('\n').filter(Boolean);
      return lines.map((line) => (JSON.parse(line) as { id: number }).id);
    };
    const texts = [
      ...(await snapshot.table('titles')).text.values,
      ...(await snapshot.table('names')).text.values,
    ];
    const words = texts.flatMap((text) => tokens(text!)).filter((word) => word.length > 1);
    const choices = seeded('reached');
    const typed = [...queries.map(([query]) => query), ...choices.picks(words, 60)];
    for (const query of typed.filter((text) => text.length > 1)) {
      const { nominations } = await findRecords(snapshot, query);
      const plain = `/api/search?${new URLSearchParams({ q: query })}`;
      if (nominations === plain) continue;
      const all = new Set(await listed(nominations));
      const left = (await listed(plain)).filter((id) => !all.has(id));
      expect(left, `${query} ${nominations}`).toEqual([]);
    }
  });

  it('has the same first hits in any order of searches', async () => {
    const firstHits = async (typed: readonly string[]) => {
      const fresh = await freshSnapshot();
      const all: [string, string | undefined][] = [];
      for (const query of typed) all.push([query, (await hitsOf(fresh, query))[0]?.href]);
      return all.sort();
    };
    const typed = seeded('order')
      .picks(queries, 20)
      .map(([query]) => query);
    expect(await firstHits(typed)).toEqual(await firstHits([...typed].reverse()));
  });

  it('finds every category by its names, and what another name needs, in a new process', async () => {
    for (const [category, names] of Object.entries(categoryNames))
      for (const name of names) expect(await labelsOf(name), name).toContain(category);
    for (const query of ['oscars disney', 'best director hitchcock', 'oscars lotr'])
      expect(await hitsOf(await freshSnapshot(), query), query).not.toEqual([]);
  });

  it('the records are those that are known of the awards', async () => {
    const lists = new Map((await recordLists(snapshot)).map(({ id, rows }) => [id, rows]));
    const labels = (id: RecordKind) => lists.get(id)!.map(({ label }) => label);
    expect(labels('most-wins').slice(0, 3).sort()).toEqual([
      'Ben-Hur',
      'The Lord of the Rings: The Return of the King',
      'Titanic',
    ]);
    expect(labels('without-best-picture')[0]).toBe('Cabaret');
    expect(labels('big-five').sort()).toEqual([
      'It Happened One Night',
      "One Flew over the Cuckoo's Nest",
      'The Silence of the Lambs',
    ]);
    expect(labels('films-without-win').slice(0, 2).sort()).toEqual(['The Color Purple', 'The Turning Point']);
    expect(labels('people-most-wins')[0]).toBe('Walt Disney');
    expect(labels('two-roles')).toContain('Cate Blanchett');
    expect(labels('ties')).toContain('Katharine Hepburn and Barbra Streisand');
    expect(labels('refusals').join()).toMatch(/George C. Scott/);
    expect(lists.get('write-ins')!.length).toBeGreaterThan(0);
    expect(lists.get('longest-gap')![0]!.numbers[0]).toMatch(/^\d\d years$/);
    expect(lists.get('losses')!.length).toBeGreaterThan(7);
    expect(lists.get('most-categories')!.length).toBeGreaterThan(7);
    expect(lists.get('people-without-win')!.length).toBeGreaterThan(7);
    const { category, winner, official } = await snapshot.table('nominations');
    const won = [...winner.keys()].filter((row) => winner[row] === 1 && official[row] === 1);
    expect(labels('firsts')).toHaveLength(new Set(won.map((row) => category.idAt(row))).size);
    expect(labels('firsts')).toEqual(expect.arrayContaining(['Emil Jannings', 'Janet Gaynor', 'Shrek']));
    expect(labels('animated-best-picture')).toEqual(['Up', 'Toy Story 3']);
    expect(labels('international-best-picture')).toEqual(
      expect.arrayContaining(['Z', 'Life Is Beautiful', 'Amour', 'Roma', 'Parasite', "I'm Still Here"]),
    );
    expect(labels('posthumous').join()).toMatch(/Carl Foreman|Michael Wilson/);
    // The record has no dates of birth: these lists say so.
    for (const id of ['youngest-winners', 'oldest-nominees'] as const) expect(labels(id)).toEqual([]);
  });

  it('every row of other names leads to a record, which is the first hit', async () => {
    const missed: string[] = [];
    for (const [other, name] of otherNames) {
      const [first] = await hitsOf(snapshot, other);
      const isThere = /^tt\d+$/.test(name) ? first?.resource === 'movies' : first?.label === name;
      if (!isThere) missed.push(`${other}: ${first?.label}, not ${name}`);
    }
    expect(missed).toEqual([]);
    expect(otherNames.length).toBeGreaterThan(300);
  });

  it('says what the record does not hold, and where no record has all words', async () => {
    const { nominations } = await findRecords(snapshot, 'titanic 1997');
    expect(nominations).toBe('/api/search?q=titanic&yearStart=1997&yearEnd=1998');
    const noteOf = async (query: string) => (await findRecords(snapshot, query)).note ?? '';
    const notHeld = [
      [
        'who hosted the oscars',
        /does not say who hosted .* It has the nominations, winners and honors of each\.$/,
      ],
      ['titanic box office', /no box office and no budgets\. It has what a film was nominated for/],
      ['pixar oscars', /does not say which studio .* It has companies/],
      ['longest speech', /no speeches/],
      ['women directors', /does not say the sex, .* It has names/],
      ['golden globes 1999', /Academy Awards only/],
    ] as const;
    for (const [query, sentence] of notHeld) expect(await noteOf(query), query).toMatch(sentence);
    // A word that is left out is named.
    expect(await noteOf('oscar isaac')).toBe('“oscar” is read as the awards: no record has all these words.');
    for (const query of ['oscars 2003', 'oscar hammerstein', 'how many oscars did titanic win'])
      expect(await noteOf(query), query).toBe('');
    expect((await findRecords(snapshot, "the king's speech")).note).toBeUndefined();
    expect((await findRecords(snapshot, 'the fast and furious')).isNear).toBe(true);
    for (const query of ['the kings speech', 'merryl streep', 'best picture 2020', 'qwertyuiop'])
      expect((await findRecords(snapshot, query)).isNear, query).toBeUndefined();
  });

  it('takes any text, and looks up no more than some words of a long one', async () => {
    const long = ['a'.repeat(500), 'the '.repeat(125), '🎬a'.repeat(160), 'a '.repeat(8000)];
    for (const typed of ['x', '7', '🎬', '𝔸', '', ' ', '(*+?[', 'ß', '20,000', '강', 'toString', ...long])
      expect((await hitsOf(snapshot, typed)).length).toBeLessThanOrEqual(12);
  });
});
