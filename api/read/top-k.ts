/** Picks the first of an order without sorting all of it. */

/**
 * Positions of the `count` highest keys, descending, ties by position; keys of 0 are left out.
 * @param keys not negative
 */
export function highest(keys: ArrayLike<number>, count: number): number[] {
  const best: number[] = [];
  const bestKeys: number[] = [];
  // What a key must exceed to be among the best so far.
  let least = 0;
  for (let position = 0; position < keys.length; position += 1) {
    const key = keys[position]!;
    if (key <= least) continue;
    let at = best.length;
    while (at > 0 && bestKeys[at - 1]! < key) at -= 1;
    best.splice(at, 0, position);
    bestKeys.splice(at, 0, key);
    if (best.length > count) {
      best.pop();
      bestKeys.pop();
    }
    if (best.length === count) least = bestKeys[count - 1]!;
  }
  return best;
}

/** All positions by descending key, ties by position. @param keys whole numbers, not negative */
export function descending(keys: ArrayLike<number>): number[] {
  const span = keys.length;
  let greatest = 0;
  for (let position = 0; position < span; position += 1) greatest = Math.max(greatest, keys[position]!);
  // Key and position in one number sort natively, without a comparator; only absurd queries score too high for that.
  if ((greatest + 1) * span > Number.MAX_SAFE_INTEGER)
    return Array.from({ length: span }, (_, position) => position).sort(
      (a, b) => keys[b]! - keys[a]! || a - b,
    );
  const both = Float64Array.from(keys, (key, position) => (greatest - key) * span + position).sort();
  return Array.from(both, (value) => value % span);
}
