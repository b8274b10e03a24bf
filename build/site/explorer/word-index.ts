/** Films and nominees by the words of their titles and names: what a search shows as itself, besides its nominations. */
import { fromDifferences, type TermShard } from '../../../api/contract/snapshot.ts';
import { tokens } from '../../../api/contract/text.ts';
import type { Postings } from '../../../api/read/columns.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { TextTable } from '../../../api/read/tables.ts';

/** Row → how many words of the search it has whole, for rows that have all of them at least by their beginning. */
type Matches = Map<number, number>;

export interface Found {
  id: number;
  text: string;
  /** Its nominations, ascending. */
  nominations: Int32Array;
}

/** The best films and nominees for the words of a search. @param words folded, at least one */
export async function findNamed(
  snapshot: Snapshot,
  words: readonly string[],
  most: number,
): Promise<{ films: Found[]; nominees: Found[] }> {
  const table = await snapshot.nominations();
  const shards = await Promise.all(words.map((word) => snapshot.searchShards(word, isWhole(word))));
  const films = allWords(words, shards, table.titles, 1);
  const nominees = allWords(words, shards, table.names, 2);
  return {
    films: best(films, words, table.titles, table.movie.postings, most),
    nominees: best(nominees, words, table.names, table.nominee.postings, most),
  };
}

/** A word of one letter must be a whole one, as in every search of the interface. */
const isWhole = (word: string): boolean => [...word].length === 1;

/** @param member which member of a posting: 1 films, 2 nominees */
function allWords(
  words: readonly string[],
  shards: readonly (readonly TermShard[])[],
  texts: TextTable,
  member: 1 | 2,
): Matches {
  let all: Matches | undefined;
  for (const [i, word] of words.entries()) {
    const own: Matches = new Map();
    for (const shard of shards[i]!)
      for (const posting of shard) {
        const [term] = posting;
        if (isWhole(word) ? term !== word : !term.startsWith(word)) continue;
        for (const id of fromDifferences(posting[member])) {
          const row = texts.row(id);
          own.set(row, Math.max(own.get(row) ?? 0, term === word ? 1 : 0));
        }
      }
    const before = all;
    all = before && new Map([...own].filter(([row]) => before.has(row)));
    if (all) for (const [row, whole] of all) all.set(row, whole + before!.get(row)!);
    all ??= own;
  }
  return all ?? new Map();
}

/** The very text first, then those that begin as the search does, then those with more whole words; the most nominated first. */
function best(
  matches: Matches,
  words: readonly string[],
  texts: TextTable,
  postings: Postings,
  most: number,
): Found[] {
  const searched = words.join(' ').replace(article, '');
  const keyed = Array.from(matches, ([row, whole]) => {
    const text = tokens(texts.text.values[row]!).join(' ').replace(article, '');
    const likeness = text === searched ? 2 : text.startsWith(searched) ? 1 : 0;
    return { row, whole: likeness === 0 ? whole : 0, likeness, nominated: postings.count(row) };
  });
  keyed.sort(
    (a, b) => b.likeness - a.likeness || b.whole - a.whole || b.nominated - a.nominated || a.row - b.row,
  );
  return keyed.slice(0, most).map(({ row }) => ({
    id: texts.id(row),
    text: texts.text.values[row]!,
    nominations: postings.of(row),
  }));
}

/** Nobody looks for "the". */
const article = /^(the|an?) (?=.)/;

/** The rows of a short table whose words match every word of the search; they need no index. */
export function rowsWithWords(texts: readonly (readonly string[])[], words: readonly string[]): number[] {
  return texts.flatMap((own, row) =>
    words.every((word) => own.some((term) => (isWhole(word) ? term === word : term.startsWith(word))))
      ? [row]
      : [],
  );
}
