/** The values that may not be passed on: left out of downloads, or named in their notices. */
import type { Source } from '../../api/contract/resources.ts';
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

  /** The sources of the values in the files. */
  readonly sources: Source[];

  private constructor(
    sources: Source[],
    notices: string[],
    removed: Partial<Record<ResourceName, RestrictedById>>,
  ) {
    this.sources = sources;
    this.notices = notices;
    this.#removed = removed;
  }

  static async of(snapshot: Snapshot, isIncluded: boolean): Promise<Restricted> {
    const fields: Partial<Record<ResourceName, RestrictedById>> = {};
    for (const resource of enrichedResources) fields[resource] = await restrictedFields(snapshot, resource);
    const all = [...snapshot.manifest.sources];
    if (!isIncluded) {
      const free = all.filter(({ name }) => termsOf(name)?.isRestricted !== true);
      return new Restricted(free, [], fields);
    }
    const included = Object.values(fields).flatMap((byId) => [...byId.values()].flat());
    const sources = [...new Set(included.map(({ source }) => source))].sort(byCodeUnit);
    return new Restricted(
      all,
      sources.map((source) => termsOf(source)?.notice ?? `Some values are from ${source}.`),
      {},
    );
  }

  /** Sets the restricted fields of a record to unknown. */
  removeFrom(resource: ResourceName, record: Record<string, unknown>): void {
    clearFields(record, this.#removed[resource]?.get(record.id as number) ?? []);
  }
}
