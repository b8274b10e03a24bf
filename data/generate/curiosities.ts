/**
 * Titles and names that software gets wrong: wildcards and quotes, other scripts, two spellings of one letter, nothing to
 * search for. They come in turn, not by chance, so that a record of the real size has all of them whatever its seed.
 */
import type { Random } from './random.ts';
import { noun, places } from './vocabulary.ts';

type Curiosity = string | ((random: Random) => string);

export const curiousTitles: readonly Curiosity[] = [
  // Very short.
  'Z',
  '8½',
  '$',
  'M',
  // Digits.
  '1917',
  '12',
  (random) => String(random.between(1000, 9999)),
  '١٩٤٨',
  // No letter and no digit.
  '…',
  '?',
  '!!!',
  '— —',
  // Repeated words.
  'New York, New York',
  (random) => {
    const place = random.pick(places);
    return `${place}, ${place}`;
  },
  // Wildcards of SQL, characters of JSON, HTML and URLs.
  (random) => `100% ${noun(random)}`,
  (random) => `The_${noun(random)}`,
  '%',
  (random) => `The "${noun(random)}" Affair`,
  (random) => `"${noun(random)}"`,
  (random) => `C:\\${noun(random)}`,
  '\\',
  (random) => `${noun(random)} & <b>${noun(random)}</b>`,
  (random) => `${noun(random)}?x=1&y=2#top`,
  (random) => `Either/Or + ${noun(random)}; *[Almost]*`,
  // Words with a meaning to programs.
  'Constructor',
  '__proto__',
  'null',
  'NaN',
  // Apostrophes and hyphens.
  "Rock 'n' Roll",
  'O’Hara’s ’Til Dawn',
  'Hawaiʼi',
  'Catch-22-Catch',
  // One text in two spellings, and several marks on one letter.
  'Café Zoë'.normalize('NFC'),
  'Café Zoë'.normalize('NFD'),
  'Người Lữ Hành'.normalize('NFC'),
  'Người Lữ Hành'.normalize('NFD'),
  'İstanbul Işıkları, Straße, Łódź, Ødegård, Ştefan, Señor',
  // Other scripts.
  'Ὀδύσσεια του Αιγαίου',
  'Ночной поезд',
  '東京の夜',
  '북쪽의 강'.normalize('NFC'),
  'ليلة القمر',
  'לילה לבן',
  'रात का सफ़र',
  'คืนเดือนมืด',
  '😀',
  'The 👩‍🚀 and the 🌍',
  // Long.
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesentwurf',
  (random) =>
    `The ${noun(random)}, or How ${noun(random)} Learned to Stop Worrying, Left the ${noun(random)}, Crossed the ${noun(
      random,
    )} and Found Out, Much Too Late and Entirely by Accident, What Everybody in ${random.pick(places)} Had Known All Along`,
];

export const curiousNames: readonly Curiosity[] = [
  'Ólafur Arnalds Þórsson'.normalize('NFD'),
  'Ólafur Arnalds Þórsson'.normalize('NFC'),
  "Siobhán O'Malley",
  'Siobhán O’Malley',
  'Siobhán OʼMalley',
  'Αλέξανδρος Ιωάννου',
  'Мария Соколова',
  '山本 花子',
  '김 하늘'.normalize('NFC'),
  'نور الهدى',
  'Nguyễn Thị Hồng'.normalize('NFD'),
  'Nguyễn Thị Hồng'.normalize('NFC'),
  'X',
  'K.O.',
  '50 %',
  'M_X',
  'DJ \\o/',
  'Johnny "Fingers" Malone',
  'Siegfried & Söhne',
  'İbrahim Şahin',
  'Ida Ødegård-Łukasiewicz',
  'Hans Weiß',
  'Conchita Nuñez de la Peña y Ibáñez',
  'Duran Duran',
  '???',
  '🎷 Marlow',
  'Jr., Sammy D.',
  'toString',
];

/** The curiosity whose turn it is. */
export function curiosity(list: readonly Curiosity[], random: Random, turn: number): string {
  const each = list[turn % list.length]!;
  return typeof each === 'string' ? each : each(random);
}
