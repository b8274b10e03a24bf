/** The values that may not be passed on: left out of downloads, or named in their notices. */
import { clearFields } from '../../api/contract/bodies.ts';
import { enrichedResources, termsOf } from '../../api/contract/enrichment.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { type RestrictedField, restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';

type RestrictedById = ReadonlyMap<number, readonly RestrictedField[]>;

/** The values of a snapshot that may not be passed on. */
export class Restricted {
  /** The notices of the sources whose values the files include. */
  readonly notices: string[];
  readonly #removed: Readonly<Partial<Record<ResourceName, RestrictedById>>>;

  private constructor(notices: string[], removed: Partial<Record<ResourceName, RestrictedById>>) {
    this.notices = notices;
    this.#removed = removed;
  }

  static async of(snapshot: Snapshot, isIncluded: boolean): Promise<Restricted> {
    const fields: Partial<Record<ResourceName, RestrictedById>> = {};
    for (const resource of enrichedResources) fields[resource] = await restrictedFields(snapshot, resource);
    if (!isIncluded) return new Restricted([], fields);
    const all = Object.values(fields).flatMap((byId) => [...byId.values()].flat());
    const sources = [...new Set(all.map(({ source }) => source))].sort(byCodeUnit);
    return new Restricted(
      sources.map((source) => termsOf(source)?.notice ?? `Some values are from ${source}.`),
      {},
    );
  }

  /** Sets the restricted fields of a record to unknown. */
  removeFrom(resource: ResourceName, record: Record<string, unknown>): void {
    clearFields(record, this.#removed[resource]?.get(record.id as number) ?? []);
  }
}
