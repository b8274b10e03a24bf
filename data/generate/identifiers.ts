/** Ids in external databases: scattered like real ones, and each given once. */

// Multiplying modulo a prime maps different ids to different numbers, as long as the ids stay below the prime.
const moviedbPrime = 9_999_991;
const filmindexPrime = 99_999_989;

/** An id of the external movie database; unique per resource. */
export function moviedbId(id: number): number {
  return (id * 48_271) % moviedbPrime;
}

/** An id of the external film index: the prefix and 7 or 8 digits; unique per prefix. */
export function filmindexId(prefix: 'tt' | 'nm' | 'co', id: number): string {
  return prefix + String((id * 1_597_463) % filmindexPrime).padStart(7, '0');
}
