/** Which nomination of the database each entry of a dataset is: same ceremony, category, film, nominee and song. */
import type { AwardEntry } from './dataset.ts';
import { addToIndex, type Index, Matching, type Merges } from './matching.ts';
import { sourceValue, type Values } from './record-merge.ts';

/** What a nomination refers to; together they are its identity. */
const references = {
  ceremony_id: 'ceremonies',
  category_id: 'categories',
  movie_id: 'movies',
  nominee_id: 'nominees',
  song_id: 'songs',
} as const satisfies Record<string, keyof Merges>;
type Reference = keyof typeof references;
const fields = Object.keys(references) as Reference[];

const keyOf = (partOf: (field: Reference) => unknown) =>
  fields.map((field) => partOf(field) ?? '').join('\t');

/** Stands in a key for a record that is no longer, or not yet, in the database. */
const absent = 'absent';

/** The nominations as they were; to be made before anything of a dataset is merged into the nominees. */
export class NominationMatching {
  readonly #merges: Merges;
  readonly #bySource: Index = new Map();
  readonly #byCurrent: Index = new Map();
  /** By the name of the nominee, where that one has no id. */
  readonly #byName: Index = new Map();
  /** Those that to sources refer to a record that has been deleted since, by all else. */
  readonly #orphaned: Index = new Map();

  constructor(merges: Merges) {
    this.#merges = merges;
    for (const record of merges.nominations.records()) {
      const given = (field: Reference) => sourceValue(record, field) as number | null;
      addToIndex(this.#bySource, keyOf(given), record.id);
      addToIndex(
        this.#byCurrent,
        keyOf((field) => record.current[field]),
        record.id,
      );
      const nominee = merges.nominees.get(given('nominee_id')!);
      if (nominee && sourceValue(nominee, 'filmindex_id') === null) {
        const name = sourceValue(nominee, 'name');
        addToIndex(
          this.#byName,
          keyOf((field) => (field === 'nominee_id' ? name : given(field))),
          record.id,
        );
      }
      const isGone = (field: Reference) => given(field) !== null && !this.#referred(field, given(field)!);
      if (fields.some(isGone))
        addToIndex(
          this.#orphaned,
          keyOf((field) => (isGone(field) ? absent : given(field))),
          record.id,
        );
    }
  }

  #referred(field: Reference, id: number) {
    return this.#merges[references[field]].get(id);
  }

  /** Finds each entry's nomination or adds it: entries by id, in their own order where they are new. */
  addOrUpdate(
    entries: readonly AwardEntry[],
    valuesOf: (entry: AwardEntry) => Values,
  ): Map<number, AwardEntry> {
    const values = new Map(entries.map((entry) => [entry, valuesOf(entry)]));
    const matching = new Matching<AwardEntry>();
    // What an editor has made of a nomination may be what the source says by now.
    for (const index of [this.#bySource, this.#byCurrent])
      for (const [entry, own] of values) matching.offer(entry, index.get(keyOf((field) => own[field])));
    for (const [entry, own] of values) this.#offerNamesakes(matching, entry, own);
    if (this.#orphaned.size > 0) for (const [entry, own] of values) this.#offerOrphaned(matching, entry, own);
    const ids = matching.addOrUpdate(this.#merges.nominations, entries, (entry) => values.get(entry)!);
    return new Map([...ids].map(([entry, id]) => [id, entry]));
  }

  /** Those of a namesake without an id: the source now knows better who that is. */
  #offerNamesakes(matching: Matching<AwardEntry>, entry: AwardEntry, values: Values): void {
    const key = keyOf((field) => (field === 'nominee_id' ? entry.creditedAs : values[field]));
    const id = matching.offer(entry, this.#byName.get(key));
    if (id === undefined) return;
    const { nominations } = this.#merges;
    // It was that name's so far, whoever entered it; what the source gives now is news, and moves it.
    nominations.remember(id, { nominee_id: sourceValue(nominations.get(id)!, 'nominee_id') });
  }

  /**
   * Those that refer to a deleted record, for an entry with one that the source has just brought back: the editor who
   * deleted it has already decided what the nomination refers to instead.
   */
  #offerOrphaned(matching: Matching<AwardEntry>, entry: AwardEntry, values: Values): void {
    const added = fields.filter((field) => this.#referred(field, values[field] as number)?.isNew);
    if (added.length === 0) return;
    const key = keyOf((field) => (added.includes(field) ? absent : values[field]));
    const id = matching.offer(entry, this.#orphaned.get(key));
    if (id !== undefined)
      this.#merges.nominations.remember(
        id,
        Object.fromEntries(added.map((field) => [field, values[field]!])),
      );
  }
}
