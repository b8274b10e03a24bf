/** Sentences: plots, biographies, captions. They need to be long enough and varied, not good. */
import type { Random } from './random.ts';
import { adjective, countries, firstName, noun, places, spell, surname } from './vocabulary.ts';

const trades = [
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

const events = [
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
];

const outcomes = [
  'Nothing in the valley will be the same again.',
  'By morning, only one of them still believes the story.',
  'What starts as a favour ends in a trial that divides the country.',
  'The price turns out to be higher than “a few days’ work”.',
  'It takes them 30 years — and 8½ minutes — to find out why.',
  'Based on the novel by nobody in particular.',
];

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

/** A town and its country. */
export function place(random: Random): string {
  return spell(random, `${random.pick(places)}, ${random.pick(countries)}`);
}

/** A film's tagline. */
export function tagline(random: Random): string {
  return spell(
    random,
    `${random.pick(['Every', 'No', 'One', 'Beyond every', 'This'])} ${noun(random)} has a ${noun(random)}.`,
  );
}

/** A film's plot. */
export function plot(random: Random): string {
  const subject = random.pick(trades);
  const opening = `In ${random.pick(places)}, ${subject} ${random.pick(events)}.`;
  const middle = `Then ${firstName(random)} ${surname(random)} ${random.pick(events)}, and ${random.pick(trades)} ${random.pick(events)}.`;
  return spell(random, `${opening} ${middle} ${random.pick(outcomes)}`);
}

/** A nominee's biography. */
export function biography(random: Random, name: string, year: number, field: string): string {
  const [first, second] = random.sample(praise, 2);
  const start = `${name} has been known for ${field.toLowerCase()} since ${year}.`;
  const work = `${first}, with “The ${adjective(random)} ${noun(random)}” and “${noun(random)}”.`;
  return `${start} ${spell(random, work)}\n\n${second}.`;
}

/** Three different highlights of a ceremony. */
export function highlights(random: Random): [string, string, string] {
  return random.sample(moments, 3) as [string, string, string];
}
