/**
 * The shards of the index of search, from the texts that were added, changed or removed. A full build adds
 * all texts.
 */
import {
  firstNotBelow,
  type SearchFamily,
  type SearchShard,
  type SearchTotals,
  searchedTexts,
  searchFamilies,
  searchKey,
  type SearchWord,
  wordOf,
} from '../../api/contract/search-index.ts';
import { recordShardText } from '../../api/contract/snapshot.ts';
import { tokens } from '../../api/contract/text.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Connection } from '../../data/database/open.ts';
import { columnsBetween } from '../../data/record/records.ts';
import { type ChangedRecords, type Difference, jsonShard, type MadeShard } from './blocks.ts';

/** The text of a record before and now; undefined if there was or is no such record. */
type ChangedTexts = ReadonlyMap<number, { old?: string | undefined; now?: string | undefined }>;

interface MadeSearchShard {
  family: SearchFamily | 'search/totals';
  key: number;
  /** undefined if no text has such a word. */
  shard: MadeShard | undefined;
}

/** The texts of the records with `from <= id < to`. */
function readTexts(connection: Connection, family: SearchFamily, from: number, to: number) {
  const { resource, field } = searchedTexts[family];
  const columns = columnsBetween(connection, resource as 'movies', [field as 'title'], from, to);
  return { ids: columns.id, texts: columns[field as 'title'] };
}

/** @param difference default all records, and no snapshot before */
export async function* searchShards(
  connection: Connection,
  difference?: Difference,
): AsyncGenerator<MadeSearchShard> {
  const totals: Record<SearchFamily, SearchTotals> = {
    'search/titles': { texts: 0, words: 0 },
    'search/names': { texts: 0, words: 0 },
    ...(await difference?.before.block('search/totals', 0)),
  };
  for (const family of searchFamilies) {
    const index = new ChangedIndex(family, totals[family], difference?.before);
    const { resource } = searchedTexts[family];
    if (difference) await index.change(connection, difference.changed.get(resource) ?? new Map());
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
    const all = readTexts(connection, this.#family, 0, Number.POSITIVE_INFINITY);
    for (const [row, text] of all.texts.entries()) {
      const ids = texts.get(text);
      if (ids) ids.push(all.ids[row]!);
      else texts.set(text, [all.ids[row]!]);
    }
    for (const [text, own] of texts) await this.#add(text, own);
  }

  async change(connection: Connection, changed: ChangedRecords): Promise<void> {
    const { field } = searchedTexts[this.#family];
    const own = [...changed].filter(([, fields]) => !fields || fields.has(field)).map(([id]) => id);
    if (own.length === 0) return;
    const table = await (field === 'title' ? this.#before!.table('titles') : this.#before!.table('names'));
    const texts = table.text.values as readonly string[];
    const changes: ChangedTexts = new Map(
      own.map((id) => {
        const [now] = readTexts(connection, this.#family, id, id + 1).texts;
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
    const shard = new ChangedShard((await this.#before?.lines(this.#family, key)) ?? []);
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

type TextsOfWord = Map<number, SearchWord[1][number]>;

class ChangedShard {
  readonly #before: SearchShard;
  /** The changed words, with the texts that have them. */
  readonly #changed = new Map<string, TextsOfWord>();

  constructor(before: SearchShard) {
    this.#before = before;
  }

  #textsOf(word: string): TextsOfWord {
    let texts = this.#changed.get(word);
    if (!texts) {
      const line = this.#before[firstNotBelow(this.#before, word)];
      const [, before] =
        line !== undefined && wordOf(line) === word ? (JSON.parse(line) as SearchWord) : [word, []];
      texts = new Map(before.map((own) => [own[0], own]));
      this.#changed.set(word, texts);
    }
    return texts;
  }

  remove(word: string, text: number): void {
    this.#textsOf(word).delete(text);
  }

  add(word: string, times: number, [text, ...others]: readonly number[], length: number): void {
    this.#textsOf(word).set(text!, [text!, times, length, ...others]);
  }

  /** @returns undefined without words */
  made(): MadeShard | undefined {
    const lines = [...this.#before];
    for (const [word, texts] of this.#changed) {
      const sorted = [...texts.values()].sort(([one], [other]) => one - other);
      const now = sorted.length === 0 ? [] : [JSON.stringify([word, sorted] satisfies SearchWord)];
      const at = firstNotBelow(lines, word);
      lines.splice(at, at < lines.length && wordOf(lines[at]!) === word ? 1 : 0, ...now);
    }
    return lines.length === 0 ? undefined : { value: lines, text: recordShardText(lines) };
  }
}
