/** Random choices that are the same in every run, so that two runs measure the same requests. */

export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)]!;
  }

  /** `count` values, possibly with repeats. */
  picks<T>(values: readonly T[], count: number): T[] {
    return Array.from({ length: count }, () => this.pick(values));
  }
}

/** Up to `count` different values; fewer where 200 draws in a row bring nothing new. */
export function distinct<T>(count: number, draw: () => T, name: (value: T) => string): T[] {
  const drawn = new Map<string, T>();
  for (let misses = 0; drawn.size < count && misses < 200; ) {
    const value = draw();
    if (drawn.has(name(value))) misses += 1;
    else {
      misses = 0;
      drawn.set(name(value), value);
    }
  }
  return [...drawn.values()];
}
