/**
 * What search looks through: three indexes of MiniSearch, those of the distinct titles and names, and that of
 * the names of categories. Only the words that a query can match are loaded. Hits lead to nominations.
 */
import { LRUCache } from 'lru-cache';
import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';
import {
  firstNotBelow,
  letterOf,
  letterOfKey,
  type SearchFamily,
  searchFamilies,
  type SearchShard,
  type SearchTotals,
  type SearchWord,
  wordOf,
} from '../contract/search-index.ts';
import type { ReferencedResource } from '../contract/names.ts';
import { editDistance, type EditRules, maxEditsOf } from '../contract/nearest.ts';
import type { Directory } from '../contract/snapshot.ts';
import { tokens } from '../contract/text.ts';
import { type NominationTable, referenceTo } from './tables.ts';

/** A distinct text, named by the ids of the records that have it. */
interface IndexedText {
  id: readonly number[];
  text: string;
}

const options: Options<IndexedText> = {
  fields: ['text'],
  tokenize: tokens,
  processTerm: (word) => word,
  // A query is one word.
  searchOptions: { tokenize: (word) => [word] },
};

type LoadShard = (family: SearchFamily, hash: string) => Promise<SearchShard>;
/** The shards of one letter. */
type Letter = Readonly<Record<SearchFamily, readonly SearchShard[]>>;
type SearchedResource = Extract<ReferencedResource, 'nominees' | 'movies' | 'categories'>;
type Indexes = readonly { index: MiniSearch<IndexedText>; resource: SearchedResource }[];

/** A name or title that has a word, or one like it. */
export interface FoundText {
  resource: SearchedResource;
  /** The records that have the text, ascending. */
  ids: readonly number[];
  /** Of MiniSearch. */
  score: number;
  /** Whether the text has the word itself, and not only words that begin with it. */
  isEqual: boolean;
}

/** Words that begin alike are loaded together: all that a search for one of them can match. */
const beginningOf = (word: string): string => word.slice(0, 3);

export class SearchIndex {
  readonly #table: NominationTable;
  readonly #totals: Readonly<Record<SearchFamily, SearchTotals>>;
  readonly #families: Readonly<Record<SearchFamily, Directory>>;
  readonly #loadShard: LoadShard;
  readonly #categories: MiniSearch<IndexedText>;
  readonly #letters = new Map<number, Letter>();
  /** By the beginning of their words; strangers choose the words, so only the latest stay. */
  readonly #indexes = new LRUCache<string, Indexes>({ max: 512 });
  /** The words of the names of categories. */
  readonly #categoryWords: ReadonlySet<string>;

  /** @param families the shards of the snapshot */
  constructor(
    table: NominationTable,
    totals: Readonly<Record<SearchFamily, SearchTotals>>,
    families: Readonly<Record<SearchFamily, Directory>>,
    loadShard: LoadShard,
  ) {
    this.#table = table;
    this.#totals = totals;
    this.#families = families;
    this.#loadShard = loadShard;
    this.#categoryWords = new Set(table.categories.name.values.flatMap((name) => tokens(name!)));
    this.#categories = new MiniSearch(options);
    this.#categories.addAll(
      distinct(table.categories.name.values as readonly string[], table.categories.ids),
    );
  }

  /** Loads the shards of some words, before these are looked up. @throws SnapshotUnavailable */
  async load(words: Iterable<string>): Promise<void> {
    const letters = new Set(Array.from(words, letterOf));
    await Promise.all(
      [...letters].map(async (letter) => {
        if (this.#letters.has(letter)) return;
        const [titles, names] = await Promise.all(
          searchFamilies.map((family) => this.#shardsOf(family, letter)),
        );
        this.#letters.set(letter, { 'search/titles': titles!, 'search/names': names! });
      }),
    );
  }

  #shardsOf(family: SearchFamily, letter: number): Promise<SearchShard[]> {
    const { keys, hashes } = this.#families[family];
    const own = hashes.filter((_, i) => letterOfKey(keys[i]!) === letter);
    return Promise.all(own.map((hash) => this.#loadShard(family, hash)));
  }

  #letterOf(word: string): Letter {
    const letter = this.#letters.get(letterOf(word));
    if (!letter) throw new Error('the shards of a word are not loaded');
    return letter;
  }

  #indexesOf(word: string): Indexes {
    const beginning = beginningOf(word);
    let indexes = this.#indexes.get(beginning);
    if (!indexes) {
      const letter = this.#letterOf(word);
      const load = (family: SearchFamily) =>
        MiniSearch.loadJS(plainIndex(letter[family], beginning, this.#totals[family]), options);
      indexes = [
        { index: load('search/names'), resource: 'nominees' },
        { index: load('search/titles'), resource: 'movies' },
        { index: this.#categories, resource: 'categories' },
      ];
      this.#indexes.set(beginning, indexes);
    }
    return indexes;
  }

  /** The texts that a search for a word finds. A word of one character must be whole. */
  *textsWith(word: string): Generator<FoundText> {
    const prefix = [...word].length > 1;
    for (const { index, resource } of this.#indexesOf(word))
      for (const { id: ids, score, terms } of index.search(word, { prefix }))
        yield { resource, ids: ids as readonly number[], score, isEqual: terms.includes(word) };
  }

  /**
   * Calls `note` with the nominations that a search for a word finds, and with the scores of their nominee,
   * movie and category one by one.
   */
  find(word: string, note: (row: number, score: number) => void): void {
    for (const { resource, ids, score } of this.textsWith(word))
      for (const id of ids) {
        const rows = this.#table[referenceTo[resource]].nominationsOf(id);
        for (let i = 0; i < rows.length; i += 1) note(rows[i]!, score);
      }
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    return (
      this.#categoryWords.has(word) ||
      this.#shardsWith(word).some((shard) => shard[firstNotBelow(shard, word)]?.startsWith(`["${word}",`))
    );
  }

  /**
   * The other words of all texts with the same first letter that are near a word: word → its edits.
   * @param edits at most; default those of a typing mistake in a word of this length
   */
  wordsNear(word: string, rules?: EditRules, edits = maxEditsOf(word)): Map<string, number> {
    const found = new Map<string, number>();
    if (edits === 0) return found;
    const [first = ''] = word;
    const note = (own: string) => {
      // An edit changes the length by one at most.
      if (Math.abs(own.length - word.length) > edits || !own.startsWith(first)) return;
      const distance = editDistance(word, own, edits, rules);
      if (distance > 0 && distance <= edits) found.set(own, distance);
    };
    for (const shard of this.#shardsWith(word)) for (const line of shard) note(wordOf(line));
    for (const own of this.#categoryWords) note(own);
    return found;
  }

  /** The shards with the words that begin like a word. */
  #shardsWith(word: string): SearchShard[] {
    return Object.values(this.#letterOf(word)).flat();
  }
}

/** The texts of records, each once, with the ids of its records. */
function distinct(texts: readonly string[], ids: readonly number[]): IndexedText[] {
  const byText = new Map<string, number[]>();
  for (const [row, text] of texts.entries()) byText.set(text, [...(byText.get(text) ?? []), ids[row]!]);
  return [...byText].map(([text, id]) => ({ id, text }));
}

/**
 * The words with a beginning as a serialized index of MiniSearch.
 * @param shards the blocks of their letter
 */
function plainIndex(
  shards: readonly SearchShard[],
  beginning: string,
  { texts, words: total }: SearchTotals,
): AsPlainObject {
  const words = new Map<string, Record<number, number>>();
  const documentIds: Record<string, readonly number[]> = {};
  const fieldLength: Record<string, readonly [number]> = {};
  for (const shard of shards)
    for (let at = firstNotBelow(shard, beginning); at < shard.length; at += 1) {
      const line = shard[at]!;
      // A word of one character must be whole.
      if (beginning.length === 1 ? wordOf(line) !== beginning : !wordOf(line).startsWith(beginning)) break;
      const [word, having] = JSON.parse(line) as SearchWord;
      const postings = words.get(word) ?? {};
      words.set(word, postings);
      for (const [text, times, length, ...others] of having) {
        postings[text] = times;
        documentIds[text] = [text, ...others];
        fieldLength[text] = [length];
      }
    }
  return {
    // Of all shards. The average follows from a sum of integers, so that it does not depend on the order of
    // the texts.
    documentCount: texts,
    averageFieldLength: [total / texts],
    nextId: 0,
    documentIds,
    fieldIds: { text: 0 },
    fieldLength,
    storedFields: {},
    dirtCount: 0,
    index: [...words].map(([word, postings]) => [word, { 0: postings }]),
    serializationVersion: 2,
  } as unknown as AsPlainObject;
}
