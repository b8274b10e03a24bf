/** Titles of films and songs. */
import { curiosity, curiousTitles } from './curiosities.ts';
import type { Random, Streams } from './random.ts';
import { adjective, firstName, noun, places, spell, surname } from './vocabulary.ts';

/** Every so many films, one has a title that software gets wrong; all sorts of them in turn. */
const curiousFilms = 25;
const curiousSongs = 20;
const apostrophes = ["'", '’', 'ʼ'];

const filmPatterns: readonly [weight: number, title: (random: Random) => string][] = [
  [20, (random) => `The ${adjective(random)} ${noun(random)}`],
  [16, (random) => `${adjective(random)} ${noun(random)}`],
  [14, noun],
  [10, (random) => `The ${noun(random)}`],
  [10, (random) => `The ${noun(random)} of ${noun(random)}`],
  [7, (random) => `${noun(random)} and ${noun(random)}`],
  [7, (random) => `${firstName(random)}${random.pick(apostrophes)}s ${noun(random)}`],
  [6, (random) => `${firstName(random)} ${surname(random)}`],
  [5, (random) => `A ${noun(random)} in ${random.pick(places)}`],
  [3, (random) => `${noun(random)} & ${noun(random)}`],
  [3, (random) => `${random.between(2, 99)} ${noun(random)}s`],
  [3, (random) => `${noun(random)}: The ${adjective(random)} ${noun(random)}`],
  [2, (random) => `The ${noun(random)}-${noun(random)}`],
  [2, (random) => `Don${random.pick(apostrophes)}t Wake the ${noun(random)}`],
  [1, (random) => `${noun(random)} ${random.pick(['II', 'III', '2', '3'])}`],
];

const songPatterns: readonly [weight: number, title: (random: Random) => string][] = [
  [12, (random) => `The ${adjective(random)} ${noun(random)}`],
  [10, (random) => `${adjective(random)} ${noun(random)}`],
  [8, (random) => `${firstName(random)}${random.pick(apostrophes)}s Song`],
  [6, (random) => `When the ${noun(random)} Sings`],
  [6, (random) => `You’re My ${noun(random)}`],
  [5, (random) => `Love Theme from “The ${noun(random)}”`],
  [3, (random) => `${noun(random)} (${adjective(random)} ${noun(random)})`],
];

const filmWeights = filmPatterns.map(([weight]) => weight);
const songWeights = songPatterns.map(([weight]) => weight);

/** The title of a film; it depends on the seed and the id alone. */
export function filmTitle(streams: Streams, id: number): string {
  const random = streams.of('film title', id);
  if (id % curiousFilms === 0) return curiosity(curiousTitles, random, id / curiousFilms);
  return spell(random, filmPatterns[random.weighted(filmWeights)]![1](random));
}

/** The title of a song. */
export function songTitle(random: Random, id: number): string {
  if (id % curiousSongs === 0) return curiosity(curiousTitles, random, id / curiousSongs);
  return spell(random, songPatterns[random.weighted(songWeights)]![1](random));
}
