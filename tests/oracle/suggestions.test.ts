/** A mistyped name is found: among the results, or among the suggestions of a search that finds nothing. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { tokens } from '../../api/contract/text.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { SearchIndex } from '../../api/read/search-index.ts';
import { importRecord } from '../../data/import/import.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import type { Choices } from '../support/random.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { seeded } from '../support/seed.ts';
import { compiledRecord, type MemoryFolder } from '../support/build.ts';

interface Answer {
  data: { nominee: string }[];
  suggestions?: string[];
}

let files: MemoryFolder;
let resolver: Resolver;
let names: string[];

async function fill(fillDatabase: (connection: Connection) => unknown): Promise<void> {
  const compiled = await compiledRecord(fillDatabase);
  names = compiled.record.nominees.map(({ name }) => name);
  files = compiled.files;
  resolver = new Resolver(files);
}

async function search(words: string, from = resolver): Promise<Answer> {
  const { body } = await from.answer({
    method: 'GET',
    path: '/api/search',
    queryString: `limit=100&q=${encodeURIComponent(words)}`,
  });
  return JSON.parse(new TextDecoder().decode(body!)) as Answer;
}

type Mistake = (word: string, choices: Choices) => string;
const letter = (choices: Choices) => String.fromCharCode(choices.between(97, 122));
const at = (word: string, choices: Choices, margin = 0) => choices.between(1, word.length - 1 - margin);

/** Each changes the longest word of a name, of at least six letters, and not its first letter. */
const mistakes: Record<string, Mistake> = {
  'a letter too much': (word, choices) => {
    const place = at(word, choices);
    return word.slice(0, place) + letter(choices) + word.slice(place);
  },
  'a letter too few': (word, choices) => {
    const place = at(word, choices);
    return word.slice(0, place) + word.slice(place + 1);
  },
  'a wrong letter': (word, choices) => {
    const place = at(word, choices);
    return word.slice(0, place) + letter(choices) + word.slice(place + 1);
  },
  'two letters swapped': (word, choices) => {
    const place = at(word, choices, 1);
    return `${word.slice(0, place)}${word[place + 1]}${word[place]}${word.slice(place + 2)}`;
  },
  'a word split': (word, choices) => {
    const place = at(word, choices);
    return `${word.slice(0, place)} ${word.slice(place)}`;
  },
};

/** The part of a sample of names that is found with a mistake. */
async function foundWith(
  change: (words: string[], choices: Choices) => string,
  sample: number,
): Promise<number> {
  const choices = seeded('mistakes');
  let found = 0;
  let asked = 0;
  for (const name of choices.picks(names, sample)) {
    const words = tokens(name);
    const longest = Math.max(0, ...words.map((word) => word.length));
    if (longest < 6 || words.length < 2) continue;
    asked += 1;
    const { data, suggestions } = await search(change(words, choices));
    if (suggestions?.includes(words.join(' ')) || data.some((it) => it.nominee === name)) found += 1;
  }
  expect(asked).toBeGreaterThan(sample / 3);
  return found / asked;
}

function expectNames(sample: number): void {
  it.each(Object.entries(mistakes))('%s', async (_what, mistake) => {
    const change = (words: string[], choices: Choices) => {
      const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
      return words.toSpliced(words.indexOf(longest), 1, mistake(longest, choices)).join(' ');
    };
    expect(await foundWith(change, sample)).toBeGreaterThanOrEqual(0.95);
  });

  it('two words joined', async () => {
    const change = (words: string[], choices: Choices) => {
      const place = choices.between(0, words.length - 2);
      return words.toSpliced(place, 2, words[place]! + words[place + 1]!).join(' ');
    };
    expect(await foundWith(change, sample)).toBeGreaterThanOrEqual(0.95);
  });
}

describe('95 of 100 names of the sample are found with', () => {
  beforeAll(() => fill(fillWithSample));
  expectNames(150);

  it('suggestions read at most three further letters of titles and names', async () => {
    const filesOf = async (words: string) => {
      const read = new Set<string>();
      const counting = async (path: string) => {
        read.add(path);
        return files.files.get(path);
      };
      const answer = await search(words, new Resolver({ file: counting, shard: counting }));
      return { read, answer };
    };
    const [right, wrong] = [await filesOf('meryl streep'), await filesOf('merryl streep')];
    expect(wrong.answer.suggestions).toContain('meryl streep');
    expect(right.answer).not.toHaveProperty('suggestions');
    const further = async (words: string) =>
      [...(await filesOf(words)).read].filter((path) => !right.read.has(path)).length;
    expect(await further('merryl streep')).toBeLessThanOrEqual(6);
    expect(await further('merylstreep')).toBeLessThanOrEqual(6);
    const many = 'manintheironmaskofthebigsleepandacatonahottinroof';
    expect(await further(`m ${many}`)).toBeLessThanOrEqual(6);
  });

  it('suggestions are looked for where the answer shows them, and not for an export', async () => {
    const near = vi.spyOn(SearchIndex.prototype, 'similarTo');
    const queryString = 'q=merryl+streep';
    for (const format of ['csv', 'ndjson']) {
      const request = { method: 'GET', path: '/api/search', queryString: `${queryString}&format=${format}` };
      expect((await resolver.answer(request)).status).toBe(200);
      expect(near).not.toHaveBeenCalled();
    }
    expect((await search('merryl streep')).suggestions).toContain('meryl streep');
    expect(near).toHaveBeenCalled();
    near.mockRestore();
  });

  it('fuzzy=true gives the answer of the first suggestion, in a file too', async () => {
    const bodyOf = async (queryString: string) =>
      new TextDecoder().decode(
        (await resolver.answer({ method: 'GET', path: '/api/search', queryString })).body!,
      );
    const corrected = await bodyOf('q=merryl+streep&fuzzy=true&limit=2');
    expect(corrected).toMatch(/^\{"query":"merryl streep","corrected":"meryl streep","data":\[\{/);
    expect(corrected.replace('merryl streep","corrected":"', '')).toBe(
      await bodyOf('q=meryl+streep&limit=2'),
    );
    const file = await bodyOf('q=merryl+streep&fuzzy=true&format=csv');
    expect(file).toBe(await bodyOf('q=meryl+streep&format=csv'));
    expect(file).toContain('Meryl Streep');
  });

  it('suggestions follow from the words alone, not from the filters', async () => {
    const filtered = async (queryString: string) => {
      const { body } = await resolver.answer({ method: 'GET', path: '/api/search', queryString });
      return JSON.parse(new TextDecoder().decode(body!)) as Answer;
    };
    expect(await filtered('q=streep&year=1900')).not.toHaveProperty('suggestions');
    expect((await filtered('q=streeep&year=1900')).suggestions).toContain('streep');
  });
});

describeWithRealRecord('95 of 100 names of the real record are found with', () => {
  beforeAll(() => fill((connection) => importRecord(connection, realRecordPath)));
  expectNames(400);
});
