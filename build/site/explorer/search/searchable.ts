/** What a search looks through, and what it finds. */
import { textsOf } from '../../../../api/read/nominations.ts';
import type { Snapshot } from '../../../../api/read/snapshot.ts';
import { summariesOfCeremonies } from '../record.ts';
import { tallies } from '../table-counts.ts';
import { TextIndex } from './text-index.ts';

export interface Hit {
  href: string;
  label: string;
  detail: string;
  /** Whether it won at least once. Absent for what is not nominated. */
  won?: boolean;
}

export interface Scored extends Hit {
  score: number;
  /** Whether the words are all of a title or a name. */
  isWhole?: boolean;
}

/** What a hit of a kind is worth, compared with a text that has all words; `whole` is added where it has no others. */
export const worth = {
  page: 1.2,
  award: 1.02,
  ceremony: 0.97,
  category: 0.96,
  song: 0.86,
  relaxed: 0.7,
  whole: 0.08,
};

/** The texts of a snapshot, ready for searching. */
export type Searchable = Awaited<ReturnType<typeof searchableOf>>;

/** @throws SnapshotUnavailable */
export async function searchableOf(snapshot: Snapshot) {
  const [texts, ceremonies, filmTally, nomineeTally, categoryTally] = await Promise.all([
    textsOf(snapshot),
    summariesOfCeremonies(snapshot),
    tallies(snapshot, 'movies'),
    tallies(snapshot, 'nominees'),
    tallies(snapshot, 'categories'),
  ]);
  const { table, titles, names, songs } = texts;
  const films = new TextIndex(titles.text);
  // A family name alone is common.
  const people = new TextIndex(names.text, 0.1);
  const categories = new TextIndex(table.categories.name);
  return {
    texts,
    ceremonies,
    filmTally,
    nomineeTally,
    categoryTally,
    films,
    people,
    songs: new TextIndex(songs.title),
    categories,
    /** Whether the search of the API finds a word. */
    isFound: (word: string): boolean => [films, people, categories].some((index) => index.hasWord(word)),
  };
}
