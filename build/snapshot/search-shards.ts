/** The shards of the index of search, from the texts that were added, changed or removed. A full build adds all texts. */
import type { ResourceName } from '../../api/contract/names.ts';
import {
  type SearchFamily,
  type SearchShard,
  type SearchTotals,
  searchedTexts,
  searchFamilies,
  searchKey,
} from '../../api/contract/snapshot.ts';
import { byCodeUnit, tokens } from '../../api/contract/text.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween } from '../../data/records.ts';
import { type ChangedRecords, jsonShard, type MadeShard } from './blocks.ts';

/** The text of a record before and now; undefined if there was or is no such record. */
type ChangedTexts = ReadonlyMap<number, { old?: string | undefined; now?: string | undefined }>;

interface MadeSearchShard {
  family: SearchFamily | 'search/totals';
  key: number;
  /** undefined if no text has such a word. */
  shard: MadeShard | undefined;
}

/** The texts of the records with `from <= id < to`. */
type ReadTexts = (connection: Connection, from: number, to: number) => { id: number[]; text: string[] };

const readTexts: Record<SearchFamily, ReadTexts> = {
  'search/titles'(connection, from, to) {
    const { id, title } = columnsBetween(connection, 'movies', ['title'], from, to);
    return { id, text: title };
  },
  'search/names'(connection, from, to) {
    const { id, name } = columnsBetween(connection, 'nominees', ['name'], from, to);
    return { id, text: name };
  },
};

/** @param incremental the changed records, and the snapshot without the changes; default all records, and none */
export async function* searchShards(
  connection: Connection,
  incremental?: { changed: ReadonlyMap<ResourceName, ChangedRecords>; before: Snapshot },
): AsyncGenerator<MadeSearchShard> {
  const totals: Record<SearchFamily, SearchTotals> = {
    'search/titles': { texts: 0, words: 0 },
    'search/names': { texts: 0, words: 0 },
    ...(await incremental?.before.block('search/totals', 0)),
  };
  for (const family of searchFamilies) {
    const index = new ChangedIndex(family, totals[family], incremental?.before);
    const { resource } = searchedTexts[family];
    if (incremental) await index.change(connection, incremental.changed.get(resource) ?? new Map());
    else await index.addAll(connection);
    totals[family] = index.totals;
    for (const [key, shard] of index.shards) yield { family, key, shard: shard.made() };
  }
  yield { family: 'search/totals', key: 0, shard: jsonShard(totals) };
}

class ChangedIndex {
  readonly #family: SearchFamily;
  readonly #before: Snapshot | undefined;
  /** The changed shards by key. */
  readonly shards = new Map<number, ChangedShard>();
  readonly totals: SearchTotals;

  constructor(family: SearchFamily, totals: SearchTotals, before: Snapshot | undefined) {
    this.#family = family;
    this.#before = before;
    this.totals = { ...totals };
  }

  async addAll(connection: Connection): Promise<void> {
    const texts = new Map<string, number[]>();
    const all = readTexts[this.#family](connection, 0, Number.POSITIVE_INFINITY);
    for (const [row, text] of all.text.entries()) {
      const id = all.id[row]!;
      const ids = texts.get(text);
      if (ids) ids.push(id);
      else texts.set(text, [id]);
    }
    for (const [text, ids] of texts) await this.#add(text, ids);
  }

  async change(connection: Connection, changed: ChangedRecords): Promise<void> {
    const { field } = searchedTexts[this.#family];
    const own = [...changed].filter(([, fields]) => !fields || fields.has(field)).map(([id]) => id);
    if (own.length === 0) return;
    const table = await (field === 'title' ? this.#before!.table('titles') : this.#before!.table('names'));
    const texts = table.text.values as readonly string[];
    const changes: ChangedTexts = new Map(
      own.map((id) => {
        const [now] = readTexts[this.#family](connection, id, id + 1).text;
        return [id, { old: texts[table.row(id)], now }];
      }),
    );
    const added: [text: string, ids: number[]][] = [];
    for (const text of new Set([...changes.values()].flatMap(({ old, now }) => [old, now]))) {
      if (text === undefined) continue;
      const before: number[] = [];
      for (let row = texts.indexOf(text); row >= 0; row = texts.indexOf(text, row + 1))
        before.push(table.id(row));
      const after = before.filter((id) => !changes.has(id));
      for (const [id, { now }] of changes) if (now === text) after.push(id);
      after.sort((one, other) => one - other);
      if (before.join() === after.join()) continue;
      if (before.length > 0) await this.#remove(text, before[0]!);
      if (after.length > 0) added.push([text, after]);
    }
    // Last: two records may have swapped their texts.
    for (const [text, ids] of added) await this.#add(text, ids);
  }

  /** @param ids of the records that have the text, ascending */
  async #add(text: string, ids: readonly number[]): Promise<void> {
    const counts = countsIn(text);
    this.totals.texts += 1;
    this.totals.words += counts.size;
    for (const [word, times] of counts) (await this.#shard(ids[0]!, word)).add(word, times, ids, counts.size);
  }

  async #remove(text: string, id: number): Promise<void> {
    const counts = countsIn(text);
    this.totals.texts -= 1;
    this.totals.words -= counts.size;
    for (const word of counts.keys()) (await this.#shard(id, word)).remove(word, id);
  }

  async #shard(text: number, word: string): Promise<ChangedShard> {
    const key = searchKey(text, word);
    const known = this.shards.get(key);
    if (known) return known;
    const shard = new ChangedShard(await this.#before?.block(this.#family, key));
    this.shards.set(key, shard);
    return shard;
  }
}

/** The words of a text, and how often it has each. */
function countsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of tokens(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

type Postings = Record<number, number>;

class ChangedShard {
  readonly #before: SearchShard | undefined;
  /** The changed words. Their postings are copies: the shard of the snapshot before is cached. */
  readonly #changed = new Map<string, Postings>();
  readonly #lengths: Record<number, readonly [number]>;
  readonly #shared: Record<number, readonly number[]>;

  constructor(before: SearchShard | undefined) {
    this.#before = before;
    this.#lengths = { ...before?.fieldLength };
    this.#shared = { ...before?.shared };
  }

  #postingsOf(word: string): Postings {
    let postings = this.#changed.get(word);
    if (!postings) {
      postings = { ...this.#before?.index.find(([own]) => own === word)?.[1][0] };
      this.#changed.set(word, postings);
    }
    return postings;
  }

  remove(word: string, text: number): void {
    delete this.#postingsOf(word)[text];
    delete this.#lengths[text];
    delete this.#shared[text];
  }

  add(word: string, times: number, [text, ...others]: readonly number[], length: number): void {
    this.#postingsOf(word)[text!] = times;
    this.#lengths[text!] = [length];
    if (others.length > 0) this.#shared[text!] = [text!, ...others];
  }

  /** @returns undefined without words */
  made(): MadeShard | undefined {
    const same = (this.#before?.index ?? []).filter(([word]) => !this.#changed.has(word));
    const changed = [...this.#changed]
      .filter(([, postings]) => Object.keys(postings).length > 0)
      .map(([word, postings]) => [word, { 0: inOrder(postings) }] as const);
    const index = [...same, ...changed].sort(([one], [other]) => byCodeUnit(one, other));
    if (index.length === 0) return undefined;
    return jsonShard({
      index,
      fieldLength: inOrder(this.#lengths),
      shared: inOrder(this.#shared),
    } satisfies SearchShard);
  }
}

/** An object keeps its members ascending by id by itself up to this id. */
const maxIndex = 2 ** 32 - 2;

/** The members ascending by id. */
function inOrder<T>(members: Record<number, T>): Record<number, T> {
  const keys = Object.keys(members);
  // Larger ids come last, in the order of their insertion.
  if (Number(keys.at(-1) ?? 0) <= maxIndex) return members;
  return Object.fromEntries(
    keys.sort((one, other) => Number(one) - Number(other)).map((key) => [key, members[Number(key)]!]),
  );
}
