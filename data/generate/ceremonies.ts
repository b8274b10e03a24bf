/** The ceremonies: their records. */

import type { Ceremony } from '../../api/contract/resources.ts';
import { ordinal } from '../reference/reference.ts';
import { ceremonyDay, ceremonyYear } from './dates.ts';
import { highlights } from './prose.ts';
import type { Streams } from './random.ts';
import { places } from './vocabulary.ts';

/** The record of a ceremony; its id is its number. */
export function ceremonyRecord(streams: Streams, id: number): Ceremony {
  const random = streams.of('ceremony', id);
  const year = ceremonyYear(id);
  const [first, second, third] = highlights(random);
  const venue = `${random.pick(['Grand Theatre', 'Opera House', 'Palace Hotel', 'Civic Auditorium', 'Théâtre Étoile'])}`;
  const image = (moment: number) => `https://images.example/ceremony/${id}/moment-${moment}.jpg`;
  return {
    id,
    ceremony_year: year,
    date: ceremonyDay(random, id),
    show_title: `${ordinal(id)} Film Awards`,
    venue: `${venue}, ${random.pick(places)}`,
    overview: `The ${ordinal(id)} ceremony honoured the films of ${year - 1}. ${first}`,
    movies_eligible: `Films released from 1 January to 31 December ${year - 1}.`,
    wikiurl: `https://encyclopedia.example/wiki/${ordinal(id)}_Film_Awards`,
    moment_1_caption: first,
    moment_2_caption: second,
    moment_3_caption: third,
    moment_1_img_url: image(1),
    moment_2_img_url: image(2),
    moment_3_img_url: image(3),
  };
}
