/** The people and companies who are nominated. */
import type { Nominee } from '../../api/contract/resources.ts';
import { career } from './cast.ts';
import { type Guild, guilds } from './categories.ts';
import { curiosity, curiousNames } from './curiosities.ts';
import { dayIn, presentYear } from './dates.ts';
import { filmindexId, moviedbId } from './identifiers.ts';
import { biography, place } from './prose.ts';
import type { Random, Streams } from './random.ts';
import { adjective, countries, firstName, noun, places, spell, surname } from './vocabulary.ts';

/** Every so many people, one has a name that software gets wrong. */
const curiousPeople = 40;

const personPatterns: readonly [weight: number, name: (random: Random) => string][] = [
  [100, (random) => `${firstName(random)} ${surname(random)}`],
  [12, (random) => `${firstName(random)} ${random.pick([...'ABCDEHJLMRTW'])}. ${surname(random)}`],
  [10, (random) => `${firstName(random)} ${firstName(random)} ${surname(random)}`],
  [6, (random) => `${firstName(random)} ${surname(random)}-${surname(random)}`],
  [4, (random) => `${firstName(random)} ${random.pick(["O'", 'O’', 'Oʼ', "D'", 'D’'])}${surname(random)}`],
  [
    4,
    (random) =>
      `${firstName(random)} ${random.pick(['de la', 'von', 'van der', 'di', 'Mc'])} ${surname(random)}`,
  ],
  [2, (random) => `${firstName(random)} ${surname(random)} Jr.`],
];

const companyPatterns: readonly [weight: number, name: (random: Random) => string][] = [
  [5, (random) => `${noun(random)} Pictures`],
  [4, (random) => `${surname(random)} & ${surname(random)} Productions`],
  [3, (random) => `${adjective(random)} ${noun(random)} Films, ${random.pick(places)}`],
  [3, (random) => `Film Institute of ${random.pick(countries)}`],
  [2, (random) => `${noun(random)} Studio Sound Department`],
];

/** The record of a nominee whose first nomination, in the given guild, is of the given year. */
export function nomineeRecord(streams: Streams, id: number, guild: Guild, year: number): Nominee {
  const random = streams.of('nominee', id);
  const department = guilds[guild];
  const company = department === null;
  const name = nomineeName(random, id, company);
  const birth = year - random.between(company ? 1 : 18, company ? 40 : 62);
  // Nobody is nominated after their death: a career is at most `career` ceremonies, which can take two years more.
  const death = Math.max(birth + random.between(45, 98), year + career + 2);
  const filmindex = filmindexId(company ? 'co' : 'nm', id);
  return {
    id,
    name,
    biography: biography(random, name, year, department ?? 'producing films'),
    birthday: dayIn(random, birth),
    deathday: death < presentYear && !company ? dayIn(random, death) : null,
    place_of_birth: place(random),
    known_for_department: department,
    homepage: `https://people.example/${filmindex}/`,
    moviedb_person_id: moviedbId(id),
    filmindex_id: filmindex,
    profile_path: `https://images.example/profile/${filmindex}.jpg`,
  };
}

function nomineeName(random: Random, id: number, company: boolean): string {
  if (!company && id % curiousPeople === 0) return curiosity(curiousNames, random, id / curiousPeople);
  return personName(random, company ? companyPatterns : personPatterns);
}

/** An invented name of a person. */
export function personName(random: Random, patterns = personPatterns): string {
  return spell(random, patterns[random.weighted(patterns.map(([weight]) => weight))]![1](random));
}
