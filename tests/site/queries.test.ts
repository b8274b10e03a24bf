/** Promise: the search understands what readers type: the expected hit comes first, or at least among the first three. */
import fc from 'fast-check';
import { beforeAll, expect, it, vi } from 'vitest';
import { tokens } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { editDistance } from '../../api/contract/nearest.ts';
import { viewOf } from '../../build/site/explorer/addresses.ts';
import { type Reading, readingOf } from '../../build/site/explorer/record.ts';
import { find, understandIn } from '../../build/site/explorer/search/find.ts';
import { limitIn } from '../../build/site/explorer/search/limits.ts';
import { addressesOf, findFilms, findRecords } from '../../build/site/explorer/search/finder.ts';
import { type Searchable, searchableOf } from '../../build/site/explorer/search/searchable.ts';
import { understand, understandQuestion } from '../../build/site/explorer/search/meaning.ts';
import { categoryNames } from '../../api/contract/category-names.ts';
import {
  ceremonyPhrases,
  honorPhrases,
  latestPhrases,
  outcomePhrases,
  pagePhrases,
} from '../../build/site/explorer/search/phrases.ts';
import { TextColumn } from '../../api/read/columns.ts';
import { TextIndex } from '../../build/site/explorer/search/text-index.ts';
import { WordColumn } from '../../build/site/explorer/search/word-column.ts';
import { isSearch } from '../../build/site/explorer/search/words.ts';
import { importRecord } from '../../data/import/import.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { describeWithRealRecord, realRecordPath } from '../real-record.ts';
import { compileInMemory } from '../support/build.ts';
import type { Choices } from '../bench/random.ts';
import { seeded } from '../support/seed.ts';
import { runs } from '../settings.ts';
import { queries } from './queries.ts';

async function readingIn(connection: Connection): Promise<Reading> {
  const resolver = new Resolver(await compileInMemory(connection), { digest: nodeDigest });
  connection.close();
  return readingOf(resolver, async () => undefined);
}

const searchableIn = async (connection: Connection): Promise<Searchable> =>
  searchableOf(await (await readingIn(connection)).snapshot());

const labelsOf = (searchable: Searchable, query: string) =>
  find(searchable, query).groups.flatMap(({ hits }) => hits.map(({ label }) => label));

/** The id of the record at an address; undefined for other pages. */
function idIn(href: string): number | undefined {
  const view = viewOf(href);
  return view.kind === 'record' ? view.id : undefined;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One letter of the longest word is missing, added, replaced or swapped with its neighbour. */
function misspelled(text: string, choices: Choices): string {
  const longest = text.split(/[^\p{L}]+/u).reduce((a, b) => (b.length > a.length ? b : a));
  const at = choices.between(1, longest.length - 2);
  const letter = choices.pick([...letters]);
  const edited = choices.pick([
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + letter + longest.slice(at),
    longest.slice(0, at) + letter + longest.slice(at + 1),
    longest.slice(0, at) + longest[at + 1] + longest[at] + longest.slice(at + 2),
  ]);
  return text.replace(longest, edited);
}

describeWithRealRecord('on the real record', () => {
  let reading: Reading;
  let searchable: Searchable;
  let namesThen: { name: string; category: string }[];
  beforeAll(async () => {
    const connection = openDatabase(':memory:');
    await importRecord(connection, realRecordPath);
    namesThen = connection
      .prepare<[], { name: string; category: string }>(
        `SELECT DISTINCT historical_category AS name, category_name AS category
           FROM nominations JOIN categories ON categories.id = category_id WHERE name IS NOT NULL`,
      )
      .all();
    reading = await readingIn(connection);
    searchable = await searchableOf(await reading.snapshot());
  });

  it(`finds what ${queries.length} readers mean`, () => {
    const misses = queries.flatMap(([query, expected]) => {
      const hits = find(searchable, query).groups.flatMap((group) => group.hits);
      const place = hits.findIndex(({ label, href }) =>
        expected.startsWith('#') ? idIn(href) === Number(expected.slice(1)) : label === expected,
      );
      return place === 0 ? [] : [{ query, expected, place, first: hits[0]?.label }];
    });
    expect(misses.filter(({ place }) => place < 0 || place > 2)).toEqual([]);
    expect(misses.length, JSON.stringify(misses)).toBeLessThanOrEqual(queries.length * 0.05);
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
  ])('answers %s', (query, answer) => {
    expect(find(searchable, query).groups[0]!.hits[0]!.detail.split(' · ')[0]).toBe(answer);
  });

  it.each([
    ['did hitchcock win', 'Alfred Hitchcock'],
    ['has amy adams ever won', 'Amy Adams'],
    ['has scorsese ever won an oscar', 'Martin Scorsese'],
    ['did rocky win', 'Rocky'],
    ['did elvis win', 'Elvis'],
    ['did lincoln win', 'Lincoln'],
  ])('takes “%s” for a question about the one with more nominations', (query, label) => {
    expect(labelsOf(searchable, query)[0]).toBe(label);
  });

  it.each([
    ['list of best picture winners', 'Best Picture'],
    ['best picture winners by year', 'Best Picture'],
    ['oscar winners 1994 list', '66th Academy Awards'],
    ['show me all winners of best director', 'Directing'],
    ['who holds the record for most oscars', 'Films with the most wins'],
    ['who sang shallow', '“Shallow”'],
  ])('takes no word of “%s” for a title', (query, label) => {
    expect(labelsOf(searchable, query)[0]).toBe(label);
    expect(find(searchable, query).isNear).toBeUndefined();
  });

  it.each([
    ['golden', '“Golden”'],
    ['jean', '“Jean”'],
    ['king richard', 'King Richard'],
    ['argentina, 1985', 'Argentina, 1985'],
  ])('ranks a whole title before names with the words: %s', (query, label) => {
    expect(labelsOf(searchable, query)[0]).toBe(label);
  });

  it.each([
    ['who directed get out', 'Get Out'],
    ['did first man win', 'First Man'],
    ['when did all about eve win', 'All about Eve'],
  ])('keeps the words of “%s” that are of the title', (query, label) => {
    expect(labelsOf(searchable, query)[0]).toBe(label);
  });

  it.each([
    ['most nominated film of 1939', '/rankings/top-movies?year=1939'],
    ['most nominated composer', '/rankings/top-nominees?category=Music+%28Original+Score%29'],
    ['most nominated film editor', '/rankings/top-nominees?category=Film+Editing'],
    ['most nominated movie editor', '/rankings/top-nominees?category=Film+Editing'],
    ['movie with most oscar wins', '/rankings/top-movies?sort=wins'],
    ['most oscar-nominated film', '/rankings/top-movies'],
    ['film with the most academy award nominations', '/rankings/top-movies'],
    ['most oscar-winning film', '/rankings/top-movies?sort=wins'],
    ['most academy award winning actor', '/rankings/top-nominees?category_group=Acting&sort=wins'],
    ['most awarded director', '/rankings/top-nominees?category_group=Direction&sort=wins'],
    ['biggest winner of 1998', '/rankings/top-movies?sort=wins&year=1998'],
    ['biggest losers', '/rankings/without-win'],
    ['top films of the 1990s', '/rankings/top-movies?yearStart=1990&yearEnd=1999'],
    ['top actors', '/rankings/top-nominees?category_group=Acting'],
    ['rankings', '/rankings/top-movies'],
    ['who has been nominated the most', '/rankings/top-nominees'],
    ['which film was nominated the most', '/rankings/top-movies'],
    ['most oscars in the 1990s', '/rankings/top-movies?sort=wins&yearStart=1990&yearEnd=1999'],
    ['actor with most nominations without a win', '/rankings/without-win'],
    ['director with most nominations no wins', '/rankings/without-win'],
    ['actress most nominations never won', '/rankings/without-win'],
    ['movies that won 11 oscars', '/rankings/top-movies?sort=wins'],
    ['most nominated film of all time', '/rankings/top-movies'],
    ['most oscar nominations of all time', '/rankings/top-nominees'],
    ['most oscars of all time', '/rankings/top-movies?sort=wins'],
  ])('leads from %s to the ranking of no more', (query, href) => {
    expect(find(searchable, query).groups[0]!.hits[0]!.href).toBe(href);
  });

  it('finds the honors of every name that is no scientific one', async () => {
    const names = new Set<string>();
    for (const page of [1, 2, 3, 4]) {
      const address = `/api/honors?class=Special&limit=100&page=${page}`;
      const { data } = await reading.ask<{ data: { category: string }[] }>(address);
      for (const { category } of data) names.add(category.replace(/ \(.*/, ''));
    }
    expect(names.size).toBe(10);
    for (const name of names) {
      const { href } = find(searchable, name).groups[0]!.hits[0]!;
      const filters = new URLSearchParams(href.split('?')[1]);
      expect(href, name).toMatch(/^\/honors\?/);
      expect(name.toLowerCase()).toContain(filters.get('category'));
    }
  });

  it('finds every category by the names that it had, up to ten words', () => {
    // A screenplay could be original or adapted.
    const typed = namesThen.filter(
      ({ name }) => tokens(name).length <= 10 && !/^WRITING( \(Screenplay\))?$/.test(name),
    );
    expect(typed.length).toBeGreaterThan(80);
    for (const { name, category } of typed) expect(labelsOf(searchable, name)[0], name).toBe(category);
  });

  it('finds every category by its name, and with “best” and a year', () => {
    const { table } = searchable.texts;
    const names = table.categories.name.values as string[];
    expect(names).toHaveLength(30);
    for (const [row, name] of names.entries()) {
      const [given] = table.category.nominationsOf(table.categories.id(row));
      const year = table.yearAt(given!);
      expect(labelsOf(searchable, name)[0]).toBe(name);
      expect(labelsOf(searchable, `best ${name} ${year}`)[0]).toBe(`${name}, ${year}`);
    }
  });

  it.each([
    ['compare titanic and avatar', ['Titanic and Avatar', 'Titanic', 'Avatar']],
    ['titanic vs avatar', ['Titanic and Avatar', 'Titanic', 'Avatar']],
    ['kramer vs kramer', ['Kramer vs. Kramer']],
    ['the people vs larry flynt', ['The People vs. Larry Flynt']],
    ['emma stone vs emma watson', ['Emma Stone']],
  ])('finds what “%s” compares, and no comparison in a title', async (query, expected) => {
    const { groups } = await findRecords(reading, query);
    const labels = groups.flatMap(({ hits }) => hits.map(({ label }) => label));
    expect(labels[0]).toBe(expected[0]);
    expect(labels).toEqual(expect.arrayContaining(expected));
  });

  it('ranks a year with two ceremonies once', () => {
    const hrefs = find(searchable, 'most nominated film 1930').groups[0]!.hits.map(({ href }) => href);
    expect(new Set(hrefs).size).toBe(hrefs.length);
  });

  it('says where a text has only some of the words', () => {
    expect(find(searchable, 'the fast and furious').isNear).toBe(true);
    for (const query of ['the kings speech', 'merryl streep', 'best picture 2020', 'qwertyuiop'])
      expect(find(searchable, query).isNear, query).toBeUndefined();
  });

  it('takes a title for a title, though its words ask for more than the record holds', () => {
    for (const query of [
      'the kings speech',
      'kings speech 2010',
      'the dress',
      'little women director',
      'longest day',
    ])
      expect(limitIn(searchable, query), query).toBeUndefined();
    for (const query of [
      'speech',
      'meryl streep speech',
      'female director winners',
      'first woman to win best director',
      'longest best picture',
    ])
      expect(limitIn(searchable, query), query).toBeDefined();
  });

  it.each(['the host', 'who hosted', 'the oldest'])(
    'looks for no name where “%s” asks only for more than the record holds',
    (query) => {
      expect(limitIn(searchable, query)?.rest).toBe('');
    },
  );

  it.each(['anora', 'parasite', 'tom hanks best actor', 'king'])(
    'takes no word of “%s” for a mistake, because a text is all of them or many have them',
    (query) => {
      const labels = labelsOf(searchable, query);
      expect(labels.filter((label) => /\b(Aaron|Paradise|Thanks|Zing|Kind)\b/.test(label))).toEqual([]);
    },
  );

  it.each(['winner', 'nominees', 'costumes'])(
    'looks for no mistyped name where “%s” has a meaning',
    (query) => {
      const labels = labelsOf(searchable, query);
      expect(labels.filter((label) => /Winger|Winter|Zinner|Costner/.test(label))).toEqual([]);
    },
  );

  it.each([
    ['pixar', []],
    ['marvel', ["Marvel's The Avengers"]],
    ['golden globes', []],
    ['emmy', []],
    ['best director women', ['Directing']],
    ['woman director winners', ['Directing']],
  ])(
    'lists no stranger below the sentence that “%s” asks for more than the record holds',
    async (query, expected) => {
      const { groups, limit } = await findRecords(reading, query);
      expect(limit).toBeDefined();
      expect(groups.flatMap(({ hits }) => hits.map(({ label }) => label))).toEqual(expected);
    },
  );

  it('lists the nominations of what is left without the words that ask for more than the record holds', async () => {
    const addresses = await addressesOf(reading, 'q=best+director+women');
    expect(addresses[0]).toBe('/api/nominations?category_ids=6&sort=-year');
    expect(await findFilms(reading, 'best director women')).toBeUndefined();
  });

  it('takes no number for a part of a name where a text has only some of the words', () => {
    expect(labelsOf(searchable, 'big five').filter((label) => /\bV\b/.test(label))).toEqual([]);
  });

  it.each(['golden globes 2020', 'emmy', 'bafta awards'])('says that “%s” asks for other awards', (query) => {
    expect(limitIn(searchable, query)?.sentence).toBe('The record has the Academy Awards only.');
  });

  it.each(['films by pixar', 'a24', 'netflix movies'])('says that “%s” asks for a studio', (query) => {
    expect(limitIn(searchable, query)).toMatchObject({
      sentence: expect.stringContaining('studio'),
      rest: '',
    });
  });

  it('searches as often for 200 question words before a name as for 20', () => {
    const find = vi.spyOn(searchable.films, 'find');
    const searchesOf = (words: number) => {
      find.mockClear();
      understandIn(searchable, [...Array.from({ length: words }, () => 'who'), 'man', 'best', 'picture']);
      return find.mock.calls.length;
    };
    expect(searchesOf(200)).toBe(searchesOf(20));
    expect(searchesOf(20)).toBeGreaterThan(0);
    find.mockRestore();
  });

  it('takes a word for a mistake where a single song has it', () => {
    expect(labelsOf(searchable, 'loin')).toEqual(expect.arrayContaining(['“Loin De Paname”', 'Lion']));
  });

  it.each(['titles', 'names'] as const)(
    'finds 95 of 100 %s with a typing mistake in the longest word',
    (kind) => {
      const choices = seeded(`misspelled ${kind}`);
      const texts = searchable.texts[kind].text.values as string[];
      const long = texts.filter((text) => /\p{L}{4}/u.test(text));
      const drawn = Array.from({ length: 300 }, () => choices.pick(long));
      const missed = drawn.filter((text) => !labelsOf(searchable, misspelled(text, choices)).includes(text));
      expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(drawn.length * 0.05);
    },
  );
});

it('finds every title and name of the sample by its own text, and without accents, marks and capitals', async () => {
  const connection = openDatabase(':memory:');
  fillWithSample(connection);
  const searchable = await searchableIn(connection);
  for (const texts of [searchable.texts.titles, searchable.texts.names])
    for (const text of texts.text.values as string[]) {
      expect(labelsOf(searchable, text)).toContain(text);
      expect(labelsOf(searchable, tokens(text).join(' ').toUpperCase())).toContain(text);
    }
});

it.each([
  ['who won best actress in 2019', ''],
  ['how many oscars did titanic win', 'titanic'],
  ['who won', ''],
  // Nothing else would be left to find.
  ['the who', 'the who'],
])('the words of a question are no names: %s', (typed, names) => {
  expect(understandQuestion(tokens(typed)).names.join(' ')).toBe(names);
});

it('understands every phrase as a whole, those of categories with "best", in the plural and with "movie"', () => {
  const categories = Object.entries(categoryNames).flatMap(([name, own]) =>
    own.flatMap((phrase) => {
      const forms = [phrase, `${phrase}${phrase.endsWith('s') ? 'es' : 's'}`];
      const all = [...forms, ...forms.map((form) => `best ${form}`)];
      return [...all, ...all.map((form) => form.replace('film', 'movie'))].map((form) => ({ form, name }));
    }),
  );
  for (const { form, name } of categories)
    expect(understand(tokens(form)), form).toEqual({
      names: [],
      category: { name, words: form.split(' ') },
    });
  const others = [outcomePhrases, honorPhrases, pagePhrases].flatMap((own) => Object.values(own).flat());
  for (const phrase of [...others, ...latestPhrases, ...ceremonyPhrases]) {
    const { names, ...meanings } = understand(tokens(phrase));
    expect(names, phrase).toEqual([]);
    expect(Object.values(meanings), phrase).toMatchObject([{ words: phrase.split(' ') }]);
  }
});

it('takes every text that has a letter or a digit', () => {
  for (const text of ['Z', '8', ' é ']) expect(isSearch(text)).toBe(true);
  for (const text of ['', ' ', '!?', "'"]) expect(isSearch(text)).toBe(false);
});

it('the distance of two words is the number of letters missing, added, replaced or swapped', () => {
  const plain = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length;
    const replaced = plain(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1);
    const edits = [plain(a.slice(1), b) + 1, plain(a, b.slice(1)) + 1, replaced];
    if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
      edits.push(plain(a.slice(2), b.slice(2)) + 1);
    return Math.min(...edits);
  };
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, max) => {
      expect(editDistance(a, b, max)).toBe(Math.min(plain(a, b), max + 1));
    }),
    { numRuns: runs(200) },
  );
});

it('a text is found by its words in any order, joined or split', () => {
  const index = new TextIndex(new TextColumn(['Spider-Man', 'The Wall', 'Daniel Day-Lewis', 'M*A*S*H']));
  const rowsOf = (...words: string[]) => index.find(words).map(({ row }) => row);
  expect(rowsOf('man', 'spider')).toEqual([0]);
  expect(rowsOf('spiderman')).toEqual([0]);
  expect(rowsOf('the', 'wa', 'll')).toEqual([1]);
  expect(rowsOf('daniel', 'daylewis')).toEqual([2]);
  expect(rowsOf('mash')).toEqual([3]);
  expect(rowsOf('spider', 'wall')).toEqual([]);
});

it('a title is found with an article that it lacks', () => {
  const index = new TextIndex(new TextColumn(['Joker', 'The Joker Is Wild', 'Jokers', 'The Artist']));
  expect(index.find(['the', 'joker'], 1, false).map(({ row }) => row)).toEqual([0, 1]);
  expect(index.find(['a', 'artist'], 1, false).map(({ row }) => row)).toEqual([3]);
});

it('a search of many words looks up each word once', () => {
  const words = [...letters].flatMap((letter) => [`a${letter}`, `b${letter}`]);
  const column = new TextColumn([words.join(' ')]);
  const lookUp = vi.spyOn(WordColumn.prototype, 'wordsWith');
  expect(new TextIndex(column).find(words)).toMatchObject([{ row: 0, isWhole: true }]);
  expect(lookUp).toHaveBeenCalledTimes(words.length);
  lookUp.mockRestore();
});
