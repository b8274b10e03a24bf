/**
 * The cache of the reader in a browser: the parts of `LRUCache` (of the package `lru-cache`) that the reader
 * uses, in a tenth of its size. The bundles of the site have it in the place of the package.
 */
interface Options<K, V> {
  max?: number;
  maxSize?: number;
  maxEntrySize?: number;
  sizeCalculation?: (value: V, key: K) => number;
}

export class LRUCache<K, V> {
  readonly #options: Options<K, V>;
  /** From the value that was used longest ago to the latest. */
  readonly #entries = new Map<K, { value: V; size: number }>();
  calculatedSize = 0;

  constructor(options: Options<K, V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): this {
    const { max = Infinity, maxSize = Infinity, maxEntrySize = maxSize, sizeCalculation } = this.#options;
    const size = sizeCalculation?.(value, key) ?? 0;
    this.delete(key);
    if (size > maxEntrySize) return this;
    this.#entries.set(key, { value, size });
    this.calculatedSize += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= max && this.calculatedSize <= maxSize) break;
      this.delete(oldest);
    }
    return this;
  }

  delete(key: K): boolean {
    this.calculatedSize -= this.#entries.get(key)?.size ?? 0;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.calculatedSize = 0;
  }
}
