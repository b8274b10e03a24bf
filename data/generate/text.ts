/** The texts of generated records: titles, names and sentences. They are long and varied enough, not good. */
import { curiosity, curiousNames, curiousTitles } from './curiosities.ts';
import type { Random, Streams } from './random.ts';
import { compose } from './vocabulary.ts';

type Patterns = readonly (readonly [weight: number, pattern: string])[];

const filmTitles: Patterns = [
  [20, 'The {adjective} {noun}'],
  [16, '{adjective} {noun}'],
  [14, '{noun}'],
  [10, 'The {noun}'],
  [10, 'The {noun} of {noun}'],
  [7, '{noun} and {noun}'],
  [7, "{firstName}{'|’|ʼ}s {noun}"],
  [6, '{firstName} {surname}'],
  [5, 'A {noun} in {place}'],
  [3, '{noun} & {noun}'],
  [3, '{2..99} {noun}s'],
  [3, '{noun}: The {adjective} {noun}'],
  [2, 'The {noun}-{noun}'],
  [2, "Don{'|’|ʼ}t Wake the {noun}"],
  [1, '{noun} {II|III|2|3}'],
];

const songTitles: Patterns = [
  [12, 'The {adjective} {noun}'],
  [10, '{adjective} {noun}'],
  [8, "{firstName}{'|’|ʼ}s Song"],
  [6, 'When the {noun} Sings'],
  [6, 'You’re My {noun}'],
  [5, 'Love Theme from “The {noun}”'],
  [3, '{noun} ({adjective} {noun})'],
];

const personNames: Patterns = [
  [100, '{firstName} {surname}'],
  [12, '{firstName} {A|B|C|D|E|H|J|L|M|R|T|W}. {surname}'],
  [10, '{firstName} {firstName} {surname}'],
  [6, '{firstName} {surname}-{surname}'],
  [4, "{firstName} {O'|O’|Oʼ|D'|D’}{surname}"],
  [4, '{firstName} {de la|von|van der|di|Mc} {surname}'],
  [2, '{firstName} {surname} Jr.'],
];

const companyNames: Patterns = [
  [5, '{noun} Pictures'],
  [4, '{surname} & {surname} Productions'],
  [3, '{adjective} {noun} Films, {place}'],
  [3, 'Film Institute of {country}'],
  [2, '{noun} Studio Sound Department'],
];

/** One in so many films, songs and people has a curious title or name. */
const curiousEvery = { film: 25, song: 20, person: 40 };

const chosen = (random: Random, patterns: Patterns) => compose(random, random.weighted(patterns));

/** The title of a film. It depends on the seed and the id only. */
export function filmTitle(streams: Streams, id: number): string {
  const random = streams.of('film title', id);
  if (id % curiousEvery.film === 0) return curiosity(curiousTitles, random, id / curiousEvery.film);
  return chosen(random, filmTitles);
}

export function songTitle(random: Random, id: number): string {
  if (id % curiousEvery.song === 0) return curiosity(curiousTitles, random, id / curiousEvery.song);
  return chosen(random, songTitles);
}

export const personName = (random: Random): string => chosen(random, personNames);

export function nomineeName(random: Random, id: number, isCompany: boolean): string {
  if (isCompany) return chosen(random, companyNames);
  if (id % curiousEvery.person === 0) return curiosity(curiousNames, random, id / curiousEvery.person);
  return personName(random);
}

/** A slot with these alternatives, see fill(). */
function slotOf(alternatives: readonly string[]): string {
  return `{${alternatives.join('|')}}`;
}

const heroes = [
  'a retired clockmaker',
  'an ambitious young lawyer',
  'a travelling musician',
  'two estranged sisters',
  'a village schoolteacher',
  'an exhausted detective',
  'a former circus rider',
  'the crew of a lost freighter',
  'a widowed lighthouse keeper',
  'a café owner',
  'an entire orchestra',
  'a self-taught painter',
];
const hero = slotOf(heroes);

const event = slotOf([
  'discovers a letter that was never sent',
  'has one night to put things right',
  'returns to a town that has forgotten the war',
  'must choose between loyalty and the truth',
  'inherits a house full of strangers',
  'falls in love at the worst possible moment',
  'agrees to one last job',
  'begins to doubt an old friend',
  'crosses the mountains on foot',
  'hears a melody that nobody else remembers',
]);

const outcome = slotOf([
  'Nothing in the valley will be the same again.',
  'By morning, only one of them still believes the story.',
  'What starts as a favour ends in a trial that divides the country.',
  'The price turns out to be higher than “a few days’ work”.',
  'It takes them 30 years — and 8½ minutes — to find out why.',
  'Based on the novel by nobody in particular.',
]);

const praise = [
  'Critics praised the restraint of the early work',
  'The breakthrough came almost by accident',
  'A long collaboration with the same small company followed',
  'Later projects were larger, and reviewed less kindly',
  'Colleagues remember a perfectionist with a dry sense of humour',
  'An autobiography remained unfinished',
];

const moments = [
  'The envelope would not open, and the audience sang until it did.',
  'A standing ovation of seven minutes.',
  'The orchestra played on through the power cut.',
  'The shortest speech of the evening: “Thanks.”',
  'A dog, uninvited, crossed the stage.',
  'Three generations of one family on the same stage.',
  'The host quoted a review that had not yet been written.',
];

export const birthplace = (random: Random): string => compose(random, '{place}, {country}');

export const tagline = (random: Random): string =>
  compose(random, '{Every|No|One|Beyond every|This} {noun} has a {noun}.');

export function plot(random: Random): string {
  const opening = `In {place}, ${random.pick(heroes)} ${event}.`;
  return compose(random, `${opening} Then {firstName} {surname} ${event}, and ${hero} ${event}. ${outcome}`);
}

/** @param year of the first nomination */
export function biography(random: Random, name: string, year: number, field: string): string {
  const [first, second] = random.sample(praise, 2);
  const start = `${name} has been known for ${field.toLowerCase()} since ${year}.`;
  const work = compose(random, `${first}, with “The {adjective} {noun}” and “{noun}”.`);
  return `${start} ${work}\n\n${second}.`;
}

/** Three different highlights of a ceremony. */
export const highlights = (random: Random): string[] => random.sample(moments, 3);
