/**
 * Titles and names that programs often get wrong: wildcards and quotes, other scripts, two spellings of one letter, nothing
 * to search for. They are used in turn, so that a record of the real size has all of them whatever its seed. Those with slots
 * are patterns, see fill().
 */
import type { Random } from './random.ts';
import { fill } from './vocabulary.ts';

export const curiousTitles: readonly string[] = [
  // Very short.
  ...['Z', '8½', '$', 'M'],
  // Digits.
  ...['1917', '12', '{1000..9999}', '١٩٤٨'],
  // No letter and no digit.
  ...['…', '?', '!!!', '— —'],
  // Repeated words.
  ...['New York, New York', '{place}, {same}'],
  // Wildcards of SQL, characters of JSON, HTML and URLs.
  ...['100% {noun}', 'The_{noun}', '%', 'The "{noun}" Affair', '"{noun}"', 'C:\\{noun}', '\\'],
  ...['{noun} & <b>{noun}</b>', '{noun}?x=1&y=2#top', 'Either/Or + {noun}; *[Almost]*'],
  // Words with a meaning to programs.
  ...['Constructor', '__proto__', 'null', 'NaN'],
  // Apostrophes and hyphens.
  ...["Rock 'n' Roll", 'O’Hara’s ’Til Dawn', 'Hawaiʼi', 'Catch-22-Catch'],
  // One text in two spellings, and several marks on one letter.
  ...['Café Zoë'.normalize('NFC'), 'Café Zoë'.normalize('NFD')],
  ...['Người Lữ Hành'.normalize('NFC'), 'Người Lữ Hành'.normalize('NFD')],
  'İstanbul Işıkları, Straße, Łódź, Ødegård, Ştefan, Señor',
  // Other scripts.
  ...[
    'Ὀδύσσεια του Αιγαίου',
    'Ночной поезд',
    '東京の夜',
    '북쪽의 강'.normalize('NFC'),
    'ليلة القمر',
    'לילה לבן',
  ],
  ...['रात का सफ़र', 'คืนเดือนมืด', '😀', 'The 👩‍🚀 and the 🌍'],
  // Long.
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesentwurf',
  'The {noun}, or How {noun} Learned to Stop Worrying, Left the {noun}, Crossed the {noun} and Found Out, Much Too Late ' +
    'and Entirely by Accident, What Everybody in {place} Had Known All Along',
];

export const curiousNames: readonly string[] = [
  ...['Ólafur Arnalds Þórsson'.normalize('NFD'), 'Ólafur Arnalds Þórsson'.normalize('NFC')],
  ...["Siobhán O'Malley", 'Siobhán O’Malley', 'Siobhán OʼMalley', 'Αλέξανδρος Ιωάννου', 'Мария Соколова'],
  ...['山本 花子', '김 하늘'.normalize('NFC'), 'نور الهدى'],
  ...['Nguyễn Thị Hồng'.normalize('NFD'), 'Nguyễn Thị Hồng'.normalize('NFC')],
  ...['X', 'K.O.', '50 %', 'M_X', 'DJ \\o/', 'Johnny "Fingers" Malone', 'Siegfried & Söhne', 'İbrahim Şahin'],
  ...['Ida Ødegård-Łukasiewicz', 'Hans Weiß', 'Conchita Nuñez de la Peña y Ibáñez', 'Duran Duran', '???'],
  ...['🎷 Marlow', 'Jr., Sammy D.', 'toString'],
];

/** The text whose turn it is. */
export function curiosity(list: readonly string[], random: Random, turn: number): string {
  return fill(random, list[turn % list.length]!);
}
