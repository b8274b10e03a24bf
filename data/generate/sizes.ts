/** The number of records at a scale, and their distribution over the ceremonies. */
import { UserError } from '../../build/system/user-error.ts';

export interface Sizes {
  /** The numbers of the ceremonies, ascending: all 98, or the latest few for a scale below 1. */
  ceremonies: readonly number[];
  nominations: number;
  movies: number;
  nominees: number;
  songs: number;
  honors: number;
}

/** Records of one ceremony: the number of nominations, and the new movies, songs and honors (`from <= id < to`). */
export interface Share {
  nominations: number;
  movies: { from: number; to: number };
  songs: { from: number; to: number };
  honors: { from: number; to: number };
}

const latestCeremony = 98;
const maxScale = 1000;

/**
 * The size of the record at a scale; 1 is the size of the real one.
 * @throws UserError if the scale is not above 0 and at most 1000
 */
export function sizesAt(scale: number): Sizes {
  if (!(scale > 0 && scale <= maxScale))
    throw new UserError(`the scale must be above 0 and at most ${maxScale}, not ${scale}`);
  // Below 1 the history gets shorter, so that a ceremony keeps the size and shape of a real one.
  const ceremonies = Math.min(latestCeremony, Math.max(5, Math.round(latestCeremony * scale)));
  const first = latestCeremony - ceremonies + 1;
  return {
    ceremonies: Array.from({ length: ceremonies }, (_, index) => first + index),
    nominations: Math.max(60, Math.round(16_609 * scale)),
    movies: Math.max(15, Math.round(5_247 * scale)),
    nominees: Math.max(25, Math.round(7_878 * scale)),
    songs: Math.max(5, Math.round(486 * scale)),
    honors: Math.max(5, Math.round(1303 * scale)),
  };
}

/** The share of each ceremony. The shares add up to the sizes, and the ids of each resource start at 1. */
export function sharesOf(sizes: Sizes): Share[] {
  const songWeight = (ceremony: number) => (ceremony <= 6 ? 0 : 1);
  const nominations = spread(sizes.nominations, sizes.ceremonies.map(weight));
  const movies = spread(sizes.movies, sizes.ceremonies.map(weight));
  const songs = spread(sizes.songs, sizes.ceremonies.map(songWeight));
  const honors = spread(sizes.honors, sizes.ceremonies.map(weight));
  return nominations.map(({ from, to }, index) => ({
    nominations: to - from,
    movies: movies[index]!,
    songs: songs[index]!,
    honors: honors[index]!,
  }));
}

/** The first ceremonies were small, those of the thirties to the fifties the largest. */
function weight(ceremony: number): number {
  if (ceremony <= 6) return 8;
  return (ceremony <= 30 ? 20 : 18) + ((ceremony * 7) % 5);
}

/** Splits the ids from 1 to `total` in proportion to the weights. */
function spread(total: number, weights: readonly number[]): { from: number; to: number }[] {
  const sum = weights.reduce((before, each) => before + each, 0);
  let passed = 0;
  let to = 1;
  return weights.map((each) => {
    passed += each;
    const from = to;
    to = 1 + Math.floor((total * passed) / sum);
    return { from, to };
  });
}
