/** The values that a snapshot computes from its shards, each once. What did not change carries over to the next snapshot. */
import type { Manifest, FamilyName } from '../contract/snapshot.ts';

interface CachedValue {
  /** Names every shard that the value was made from. An equal signature in the next snapshot means an equal value. */
  signature: string;
  value: Promise<unknown>;
}

export class CachedValues {
  readonly #manifest: Manifest;
  readonly #values = new Map<string, CachedValue>();
  readonly #before: Map<string, CachedValue> | undefined;

  /** @param before the values of an earlier snapshot */
  constructor(manifest: Manifest, before: CachedValues | undefined) {
    this.#manifest = manifest;
    this.#before = before && new Map(before.#values);
    // A load that fails does not carry over.
    for (const [name, cached] of this.#before ?? []) cached.value.catch(() => this.#before!.delete(name));
  }

  /** A value that is made at its first use. @param families that it is made from */
  once<T>(name: string, families: readonly FamilyName[], make: () => Promise<T>): Promise<T> {
    const own = this.#values.get(name);
    if (own) return own.value as Promise<T>;
    const signature = this.#signature(families);
    const before = this.#before?.get(name);
    // A value that does not carry over now is freed.
    this.#before?.delete(name);
    const cached: CachedValue = before?.signature === signature ? before : { signature, value: make() };
    this.#values.set(name, cached);
    // A failed load is not kept: the file may be there the next time.
    cached.value.catch(() => this.#values.delete(name));
    return cached.value as Promise<T>;
  }

  #signature(families: readonly FamilyName[]): string {
    return JSON.stringify(families.map((family) => this.#manifest.families[family]));
  }
}
