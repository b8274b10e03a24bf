/** What a search looks through, and what it finds. */
import type { NominationTexts } from '../../../../api/read/nomination-table.ts';
import type { Snapshot } from '../../../../api/read/snapshot.ts';
import type { TallyOf } from '../counts.ts';
import type { CeremonySummary } from '../record.ts';
import { summariesOfCeremonies } from '../snapshot-reading.ts';
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

/** What a hit of a kind is worth, compared with a text that has all words. */
export const worth = { page: 1.2, award: 1.02, ceremony: 0.97, category: 0.96, song: 0.86, relaxed: 0.7 };

/** The texts of a snapshot, ready for searching. */
export class Searchable {
  readonly texts: NominationTexts;
  readonly ceremonies: readonly CeremonySummary[];
  readonly films: TextIndex;
  readonly people: TextIndex;
  readonly filmTally: TallyOf;
  readonly nomineeTally: TallyOf;
  readonly categoryTally: TallyOf;
  #songs: TextIndex | undefined;
  #categories: TextIndex | undefined;

  private constructor(
    texts: NominationTexts,
    ceremonies: readonly CeremonySummary[],
    filmTally: TallyOf,
    nomineeTally: TallyOf,
    categoryTally: TallyOf,
  ) {
    this.texts = texts;
    this.ceremonies = ceremonies;
    this.filmTally = filmTally;
    this.nomineeTally = nomineeTally;
    this.categoryTally = categoryTally;
    this.films = new TextIndex(texts.titles.text);
    // A family name alone is common.
    this.people = new TextIndex(texts.names.text, 0.1);
  }

  /** @throws SnapshotUnavailable */
  static async of(snapshot: Snapshot): Promise<Searchable> {
    const [texts, ceremonies, ...tallyOf] = await Promise.all([
      snapshot.texts(),
      summariesOfCeremonies(snapshot),
      tallies(snapshot, 'movies'),
      tallies(snapshot, 'nominees'),
      tallies(snapshot, 'categories'),
    ]);
    return new Searchable(texts, ceremonies, ...tallyOf);
  }

  /** Whether the search of the API finds a word. */
  isFound(word: string): boolean {
    const { table, titles, names } = this.texts;
    return [titles.text, names.text, table.categories.name].some(
      ({ wordColumn }) => !wordColumn.rowsOfToken(word).next().done,
    );
  }

  get songs(): TextIndex {
    this.#songs ??= new TextIndex(this.texts.songs.title);
    return this.#songs;
  }

  get categories(): TextIndex {
    this.#categories ??= new TextIndex(this.texts.table.categories.name);
    return this.#categories;
  }
}
