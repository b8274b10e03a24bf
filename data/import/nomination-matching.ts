/** Finds the nomination of each entry: the one of the same ceremony, category, film, nominee and song. */
import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { AwardEntry } from './dataset.ts';
import { addToIndex, type Index, Matching, type Merges } from './matching.ts';
import { sourceValue, type Values } from './record-merge.ts';

/** The references of a nomination are its identity. */
const fields = Object.keys(references) as ReferenceField[];

const keyOf = (partOf: (field: ReferenceField) => unknown) =>
  fields.map((field) => partOf(field) ?? '').join('\t');

/** Stands in a key for a record that is deleted, or not yet added. */
const absent = 'absent';

/** Created before the nominees of a dataset are merged. */
export class NominationMatching {
  readonly #merges: Merges;
  readonly #bySource: Index = new Map();
  readonly #byCurrent: Index = new Map();
  /** By the name of a nominee without an id. */
  readonly #byName: Index = new Map();
  /** Nominations with references to deleted records, according to sources: by the other references. */
  readonly #orphaned: Index = new Map();

  constructor(merges: Merges) {
    this.#merges = merges;
    for (const record of merges.nominations.records()) {
      const given = (field: ReferenceField) => sourceValue(record, field) as number | null;
      const add = (index: Index, partOf: (field: ReferenceField) => unknown) =>
        addToIndex(index, keyOf(partOf), record.id);
      add(this.#bySource, given);
      add(this.#byCurrent, (field) => record.current[field]);
      const nominee = merges.nominees.get(given('nominee_id')!);
      if (nominee && sourceValue(nominee, 'filmindex_id') === null) {
        const name = sourceValue(nominee, 'name');
        add(this.#byName, (field) => (field === 'nominee_id' ? name : given(field)));
      }
      const isGone = (field: ReferenceField) =>
        given(field) !== null && !this.#referred(field, given(field)!);
      if (fields.some(isGone)) add(this.#orphaned, (field) => (isGone(field) ? absent : given(field)));
    }
  }

  #referred(field: ReferenceField, id: number) {
    return this.#merges[references[field]].get(id);
  }

  /** Updates the matched nominations and adds the missing ones, in the order of the entries. @returns id → entry */
  addOrUpdate(
    entries: readonly AwardEntry[],
    valuesOf: (entry: AwardEntry) => Values,
  ): Map<number, AwardEntry> {
    const values = new Map(entries.map((entry) => [entry, valuesOf(entry)]));
    const matching = new Matching<AwardEntry>();
    // A source may give by now what an editor changed before.
    for (const index of [this.#bySource, this.#byCurrent])
      for (const [entry, own] of values) matching.offer(entry, index.get(keyOf((field) => own[field])));
    for (const [entry, own] of values) this.#offerNamesakes(matching, entry, own);
    if (this.#orphaned.size > 0) for (const [entry, own] of values) this.#offerOrphaned(matching, entry, own);
    const ids = matching.addOrUpdate(this.#merges.nominations, entries, (entry) => values.get(entry)!);
    return new Map([...ids].map(([entry, id]) => [id, entry]));
  }

  /** Offers the nominations of a namesake without an id: the source now gives the id. */
  #offerNamesakes(matching: Matching<AwardEntry>, entry: AwardEntry, values: Values): void {
    const key = keyOf((field) => (field === 'nominee_id' ? entry.creditedAs : values[field]));
    const id = matching.offer(entry, this.#byName.get(key));
    if (id === undefined) return;
    const { nominations } = this.#merges;
    // Treat the old nominee as given by the source, so that the entry's nominee counts as a change.
    nominations.remember(id, { nominee_id: sourceValue(nominations.get(id)!, 'nominee_id') });
  }

  /**
   * Offers the nominations that referred to a deleted record, to an entry whose record was just added again. The nomination
   * keeps the reference that the editor gave it instead.
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
