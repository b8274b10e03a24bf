/** The generated details of nominations, and honors. Each depends on the seed and its arguments only. */
import { actingGroup } from '../../api/contract/entries.ts';
import type { Details, Honor } from '../../api/contract/resources.ts';
import { awardOf, type Guild, guilds } from './categories.ts';
import type { Streams } from './random.ts';
import { compose, nomineeName, sentences } from './text.ts';

/** @param firstId id of the first nomination of the entry */
export function entryDetails(streams: Streams, firstId: number, category: number): Omit<Details, 'entry'> {
  const random = streams.of('details', firstId);
  const { name, group } = awardOf(category);
  const official = !random.oneIn(200);
  const remark = random.oneIn(20) ? sentences(random, 'moment', 1) : [];
  const note = [...(official ? [] : ['This is not an official nomination.']), ...remark].join(' ') || null;
  const character = group === actingGroup ? compose(random, '{firstName} {surname}') : null;
  return { character, note, official, historical_category: name.toUpperCase(), credited_as: null };
}

const categoriesOfClass = {
  SciTech: ['SCIENTIFIC OR TECHNICAL AWARD (Class I)', 'SCIENTIFIC OR TECHNICAL AWARD (Class II)'],
  Special: ['HONORARY AWARD', 'SPECIAL AWARD', 'LIFETIME ACHIEVEMENT AWARD'],
} as const;

/**
 * @param newcomers nominees of the ceremony that an honor can name
 * @param films films of the ceremony that an honor can name
 */
export function honorRecord(
  streams: Streams,
  id: number,
  ceremony: number,
  newcomers: readonly { id: number; guild: Guild }[],
  films: readonly { id: number }[],
): Omit<Honor, 'ceremony_year' | 'movie'> {
  const random = streams.of('honor', id);
  const kind = random.oneIn(3) ? 'Special' : 'SciTech';
  const known = random.oneIn(4) ? random.sample(newcomers, random.between(1, 2)) : [];
  const recipients = known.map((nominee) =>
    nomineeName(streams.of('nominee', nominee.id), nominee.id, guilds[nominee.guild] === null),
  );
  if (recipients.length === 0) recipients.push(compose(random, '{personName}'));
  return {
    ...{ id, ceremony_id: ceremony, class: kind, category: random.pick(categoriesOfClass[kind]) },
    movie_id: films.length > 0 && random.oneIn(20) ? random.pick(films).id : null,
    recipients: recipients.join(', '),
    nominee_ids: known.map((nominee) => nominee.id),
    citation: `To ${recipients.join(' and ')} for ${compose(random, 'the {adjective} {noun}')}.`,
  };
}
