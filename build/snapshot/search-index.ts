/**
 * Search shards: postings of the terms of titles and names, ascending by term, cut by size. Terms are grouped by their first
 * character, and each group is cut on its own. A change therefore affects only the groups of the words it adds or removes.
 */
import { fromDifferences, toDifferences } from '../../api/contract/encodings.ts';
import { searchGroup, type TermShard } from '../../api/contract/snapshot.ts';
import { byCodeUnit, tokens } from '../../api/contract/text.ts';
import type { MadeShard } from './blocks.ts';

/** Maximum characters of a shard, unless a single term is longer. */
const searchShardSize = 3072;

/** Ids of the records that contain a term; an id stands once for each occurrence. */
interface Posting {
  movies: number[];
  nominees: number[];
}

export type IndexedField = keyof Posting;

interface SearchShard extends MadeShard {
  /** The first term. */
  key: string;
}

/** A term in its encoded form, until it changes. */
type Entry = TermShard[number];

/** The postings of whole groups of terms: every group in a full build, the affected groups otherwise. */
export class SearchIndex {
  readonly #groups = new Map<string, Map<string, Posting | Entry>>();

  /** Adds a record's words. */
  add(field: IndexedField, id: number, text: string): void {
    for (const term of tokens(text)) this.#posting(term)[field].push(id);
  }

  /** Removes a record's words. */
  remove(field: IndexedField, id: number, text: string): void {
    for (const term of tokens(text)) {
      const ids = this.#posting(term)[field];
      const position = ids.indexOf(id);
      if (position < 0) throw new Error(`"${term}" has no posting of ${field} ${id}`);
      ids.splice(position, 1);
    }
  }

  /** Adds the postings of an existing shard. */
  load(shard: TermShard): void {
    for (const entry of shard) this.#group(entry[0]).set(entry[0], entry);
  }

  /** The shards of each group, both ascending; a group without terms has none. */
  *shards(): Generator<{ group: string; shards: SearchShard[] }> {
    for (const group of [...this.#groups.keys()].sort(byCodeUnit))
      yield { group, shards: cut(this.#groups.get(group)!) };
  }

  #group(term: string): Map<string, Posting | Entry> {
    const name = searchGroup(term);
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = new Map();
      this.#groups.set(name, group);
    }
    return group;
  }

  #posting(term: string): Posting {
    const group = this.#group(term);
    const known = group.get(term);
    if (known !== undefined && 'movies' in known) return known;
    const [, movies, nominees] = known ?? [term, [], []];
    const posting: Posting = { movies: fromDifferences(movies), nominees: fromDifferences(nominees) };
    group.set(term, posting);
    return posting;
  }
}

const ascending = (a: number, b: number) => a - b;

function toEntry(term: string, { movies, nominees }: Posting): Entry {
  return [term, toDifferences(movies.sort(ascending)), toDifferences(nominees.sort(ascending))];
}

/** The text of each entry. Unchanged entries stay in the cache of the reader from build to build. */
const texts = new WeakMap<Entry, string>();

function textOf(entry: Entry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = JSON.stringify(entry);
  texts.set(entry, text);
  return text;
}

function cut(group: ReadonlyMap<string, Posting | Entry>): SearchShard[] {
  const shards: SearchShard[] = [];
  let entries: Entry[] = [];
  let lines: string[] = [];
  let size = 0;
  const close = () => {
    if (entries.length > 0)
      shards.push({ key: entries[0]![0], value: entries, text: `[${lines.join(',\n')}]\n` });
    entries = [];
    lines = [];
    size = 0;
  };
  for (const term of [...group.keys()].sort(byCodeUnit)) {
    const known = group.get(term)!;
    if ('movies' in known && known.movies.length === 0 && known.nominees.length === 0) continue;
    const entry = 'movies' in known ? toEntry(term, known) : known;
    const text = textOf(entry);
    if (size + text.length > searchShardSize) close();
    entries.push(entry);
    lines.push(text);
    size += text.length;
  }
  close();
  return shards;
}
