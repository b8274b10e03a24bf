/**
 * Random requests over a record: every address, random parameters in random order and encoding. The values are mostly from the
 * record, so that most requests find something: parts of its texts in spellings that fold to the same text (and some that do
 * not), ids, years and words. A request follows from one number.
 */
import fc from 'fast-check';
import type { Target } from '../../../api/contract/target.ts';
import { Choices } from '../random.ts';
import { type Kind, kinds, knownNames, type Parameter, type Route, type Row, routes } from './parameters.ts';
import type { PlainRecord } from '../record.ts';
import { fold, type View, viewOf } from './view.ts';

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const disguises: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.replaceAll(/../gsu, (pair) => pair[0]!.toUpperCase() + pair.slice(1).toLowerCase()),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  (text) => text.replaceAll(/[aeiounAEIOUN]/g, '$&\u0301').normalize('NFC'),
  (text) => text.replaceAll(/['\u2019]/g, '`').replace(/^\w\w(?=\w)/, '$&\u02bc'),
  // These two do not fold to the same.
  (text) => text.replaceAll(/\p{L}/gu, '$&\u0327'),
  (text) => text.replaceAll(/(.)./gsu, '$1_'),
];

/** Part of a text, disguised. A part of combining marks alone is not a valid value. */
function partOf(choices: Choices, text: string, length: number): string {
  const characters = [...text];
  const start = choices.chance(0.5) ? 0 : choices.between(0, characters.length - 1);
  const part = characters.slice(start, start + length).join('');
  const disguised = choices.chance(0.4) ? part : choices.pick(disguises)(part);
  return fold(disguised) === '' ? `e${disguised}` : disguised;
}

const oddTexts = [
  ...wordsIn('% _ %% " \' \\ * & = # + null constructor __proto__ zzzz SS \u0301e \ud7ff \u{1F3AC} \u00df'),
  ...[' ', '\u0000', '\ufeff', '\u{1F3AC}'.repeat(500)],
];

/** Mostly a part of a known text, or all of it. */
const pieceOf = (choices: Choices, known: readonly string[]): string =>
  known.length === 0 || choices.chance(0.1)
    ? choices.pick(oddTexts)
    : partOf(choices, choices.pick(known), choices.chance(0.7) ? choices.between(1, 9) : 100);

/** Mostly a known value. */
const mostly = (choices: Choices, known: readonly unknown[], others: string): string =>
  known.length === 0 || choices.chance(0.1) ? choices.pick(others.split(' ')) : String(choices.pick(known));

/** Items in any order, with repeats and spaces around the commas. */
const listOf = (choices: Choices, most: number, draw: () => string): string =>
  Array.from({ length: choices.between(1, most) }, draw).join(choices.pick([',', ',', ', ', ' , ', ',  ']));

const edits: ((text: string, at: number) => string)[] = [
  (text, at) => `${text.slice(0, at)}e${text.slice(at)}`,
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => `${text.slice(0, at)}a${text.slice(at + 1)}`,
  (text, at) => `${text.slice(0, at)} ${text.slice(at)}`,
  (text, at) =>
    text.slice(0, at) +
    text
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    text.slice(at + 2),
  (text) => text.replace(' ', ''),
];

/** Words of one nomination or of several: whole, as prefixes, as letters, repeated, misspelt. */
function searchTerms(choices: Choices, { nominations }: PlainRecord): string {
  const words = () => {
    const { nominee, movie, category } = choices.pick(nominations);
    return `${nominee} ${movie} ${category}`.split(/[\s(),]+/).filter((word) => word !== '');
  };
  const term = () =>
    partOf(choices, choices.pick(words()), choices.chance(0.5) ? 100 : choices.between(1, 6));
  const how = choices.fraction();
  if (how < 0.3) return choices.picks(words(), choices.between(1, 4)).join(' ');
  if (how < 0.6) return Array.from({ length: choices.between(1, 3) }, term).join(' ');
  if (how < 0.65) return ` ${`${term()}-`.repeat(2)} \u00a0`;
  const [start, changes] = [choices.between(0, 3), choices.between(1, 3)];
  const text = words()
    .slice(start, start + 4)
    .join(' ');
  return choices
    .picks(edits, changes)
    .reduce((changed, edit) => edit(changed, choices.between(1, Math.max(1, changed.length - 1))), text);
}

/** A valid value of a parameter. */
function goodValue(
  choices: Choices,
  view: View,
  { resource, members }: Route,
  [name, { kind, keys, read, ofSong }]: readonly [string, Parameter],
): string {
  const known = (): unknown[] =>
    view.once(`values of ${resource} ${name}`, () => {
      const rows: readonly Row[] = view.record[ofSong ? 'nominations' : resource];
      return [...new Set(read && rows.flatMap((row) => read(row, view)))].filter((own) => own !== null);
    });
  switch (kind) {
    case 'page':
      return choices.pick(['1', '1', '2', '2', '3', '4', '7', '40', '01', '1000000']);
    case 'limit':
      return choices.pick(['1', '2', '3', '5', '10', '24', '25', '26', '99', '100', '101', '5000']);
    case 'keys':
      // One of those that are always there, so that something is left.
      return `${choices.pick(members)},${listOf(choices, 6, () => choices.pick(keys))}`;
    case 'include': {
      const list = listOf(choices, 4, () => choices.pick(keys));
      return keys.includes('nominations') && list.includes('details') ? `${list},nominations` : list;
    }
    case 'q':
      for (;;) {
        const q = searchTerms(choices, view.record);
        if (!/\p{Cs}/u.test(q) && kinds.q.isValid(q)) return q;
      }
    case 'year': {
      const year = Number(mostly(choices, known(), '1 9999')) + choices.between(-2, 2);
      return (choices.chance(0.1) ? '0' : '') + Math.min(9999, Math.max(1, year));
    }
    case 'flag':
      return choices.pick(['true', 'false']);
    case 'nominee':
      return choices.pick(['person', 'company']);
    case 'class':
      return choices.pick(['SciTech', 'Special', 'Competitive']);
    case 'choice':
      return choices.pick(keys);
    case 'whole':
      return mostly(choices, known(), '0 -0 00 1 9007199254740991');
    case 'ids':
      return listOf(choices, 12, () => mostly(choices, known(), '1 007 8192 60000 9007199254740993'));
    case 'texts':
      return listOf(choices, 9, () => mostly(choices, known(), 'tt TT7 null \u{1F3AC} %'));
    case 'exact':
      return mostly(choices, known(), 'TT1 tt nm1');
    case 'category':
      return pieceOf(choices, choices.pick([known() as string[], knownNames]));
    default:
      return pieceOf(choices, known() as string[]);
  }
}

const badIntegers = [
  ...wordsIn('abc 1.5 1e3 +1 -1 0x10 NaN Infinity 1,2 --1 - \u0661 \uff11 1_000 null'),
  ...['1 ', ' 1', '1\n', '1\u0000'],
];
const badTexts = ['x'.repeat(501), ' '.repeat(501), '\u{1F3AC}'.repeat(501), '\u0301', '\u0301\u0327'];
const seventeenWords = Array.from('abcdefghijklmnopq', (letter) => `${letter}${letter}`).join(' ');
/** Faulty values by kind. The empty value and broken encodings are faulty for all kinds. */
const faultyValues: Record<Kind, readonly string[]> = {
  page: [...badIntegers, '0', '-0', '1000001'],
  limit: [...badIntegers, '0', '-0', '-25'],
  year: [...badIntegers, '0', '10000', '-1930'],
  whole: [...badIntegers, '9007199254740992', '9'.repeat(20)],
  ids: [...wordsIn(', 1,,2 1, ,1 0 -1 1;2 a 1.5 1,b +1'), '1 2', ' ', '1, ,2', `${'1,'.repeat(1000)}1`],
  texts: [',', 'tt1,', ' ', 'tt1,,tt2', 'tt1,\u0301', `${'tt1,'.repeat(100)}tt1`],
  flag: ['True', 'FALSE', '1', '0', 'yes', ' true', 'null'],
  choice: wordsIn('CSV xml yaer --id -Wins +id id,year movie __proto__ toString - year-'),
  nominee: ['Person', 'people', 'company,person'],
  class: ['special', 'Scitech', 'Special '],
  keys: wordsIn('ids id, , Id id,,winner constructor details.entry id;title none,all'),
  include: wordsIn('detail count details, , Details details;counts id toString filmYear'),
  q: [
    'a',
    ' a ',
    '  ',
    '!!',
    "''",
    '\u{1F3AC}\u{1F3AC}',
    '\u0301\u0301',
    'q'.repeat(501),
    '__',
    seventeenWords,
  ],
  exact: badTexts,
  folded: badTexts,
  part: badTexts,
  category: badTexts,
};
const brokenEncodings = wordsIn('%FF %C3 a%E2%82 %ED%A0%80 %C0%80 %F5%80%80%80 % %z1 100% %2');
const allNames = [...routes.values()].flatMap((route) => [...route.parameters.keys()]);
const otherNames = [...allNames, ...wordsIn('catagory Title PAGE id offset toString __proto__ constructor')];

/** Pieces with at least one fault. */
function faultyPieces(choices: Choices, { parameters, members }: Route): string {
  const [name, { kind, keys }] = choices.pick([...parameters]);
  const how = choices.fraction();
  if (how < 0.2)
    return (
      choices.pick(otherNames.filter((own) => !parameters.has(own))) + choices.pick(['=1', '=', '', '=%FF'])
    );
  if (how < 0.4) return `${name}=${choices.pick([...brokenEncodings, ''])}`;
  if (how < 0.5) return `${name}=${choices.pick(['1', 'true', 'ab'])}&${name}`;
  if (how < 0.65)
    return choices.pick([
      ...['yearStart=2000&yearEnd=1999', 'filmYearStart=2000&filmYearEnd=1999'],
      ...['format=csv&page=1', 'limit=3&format=ndjson', 'bom=true&format=ndjson'],
    ]);
  // Members that `include` must add, and details without the nominations that have them.
  const alone = kind === 'keys' ? keys.filter((key) => !members.includes(key)) : [];
  if (kind === 'include' && keys.includes('nominations')) alone.push('details', 'counts,details');
  return `${name}=${encodeURIComponent(choices.pick([...faultyValues[kind], ...alone]))}`;
}

const encodings: ((text: string) => string)[] = [
  (text) => encodeURIComponent(text).replaceAll('%2C', ','),
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => encodeURIComponent(text).replaceAll(/%../g, (escaped) => escaped.toLowerCase()),
  (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
];
const encoded = (choices: Choices, text: string): string =>
  (choices.chance(0.8) ? choices.pick(encodings.slice(0, 2)) : choices.pick(encodings))(text);

/** At most this many parameters besides a required one. */
const maxParameters = 4;

/** Encoded `name=value` pieces, in random order, that are valid together. */
function goodPieces(choices: Choices, view: View, route: Route): string[] {
  const names = new Set(choices.picks([...route.parameters.keys()], choices.between(0, maxParameters)));
  const required = ['q', 'by'].filter((name) => route.parameters.has(name));
  const given = new Map<string, string>();
  for (const name of choices.chance(0.5) ? new Set([...required, ...names]) : [...names].concat(required))
    given.set(name, goodValue(choices, view, route, [name, route.parameters.get(name)!]));
  for (const prefix of ['year', 'filmYear']) {
    const [first, last] = [given.get(`${prefix}Start`), given.get(`${prefix}End`)];
    if (Number(first) > Number(last)) given.set(`${prefix}Start`, last!).set(`${prefix}End`, first!);
  }
  if (['csv', 'ndjson'].includes(given.get('format')!))
    for (const name of ['page', 'limit']) given.delete(name);
  if (given.get('format') !== 'csv') given.delete('bom');
  const encodeName = choices.chance(0.05) ? encodings[3]! : String;
  return [...given].map(([name, value]) => `${encodeName(name)}=${encoded(choices, value)}`);
}

const ignored = ['', '', '', '', 'page=0', 'x=%FF', '%', 'ids=&ids=', '?', 'q=+a'];

/** A request to any address with good pieces, and perhaps with one to three faults. The page of a record ignores most of them. */
function request(choices: Choices, record: PlainRecord, isFaulty: boolean): Target {
  const view = viewOf(record);
  const isPage = choices.chance(0.2);
  const addresses = [...routes].filter(
    ([own, { resource }]) => own.endsWith('{id}') === isPage && record[resource].length > 0,
  );
  const [address, route] = choices.pick(addresses);
  let parts = goodPieces(choices, view, route);
  const faults = isFaulty ? choices.between(1, 3) : 0;
  if (isFaulty && choices.chance(0.25)) parts = parts.filter((part) => !/^(q|by)=/.test(part));
  for (let i = 0; i < faults; i += 1)
    parts.splice(choices.between(0, parts.length), 0, faultyPieces(choices, route));
  if (isPage || choices.chance(0.2)) parts.push(isPage ? choices.pick(ignored) : '');
  const id = choices.pick<{ id: number }>(record[route.resource]).id;
  return { path: address.replace('{id}', String(id)), queryString: parts.join('&') };
}

const strangeIds = `0 01 +1 -1 1.0 1e0 abc %31 1%20 1/ 1/nominations 1.json %EF%BC%91 9007199254740992
  9007199254740993 9007199254740990 60000 %7Bid%7D ${'9'.repeat(40)}`;
const strangePaths = `/api/movie /api/Movies /API/movies /movies /api/search/ /api/search/1 /api/stats /api/stats/
  /api/stats/top-songs /api/stats/top-movies/1 /api/%6Dovies /api/constructor /api/constructor/1 /api/__proto__/1
  /api//movies /api/movies/`;

/** Unknown paths: unknown ids, other spellings of ids, unknown addresses. */
function strangeRequest(choices: Choices, record: PlainRecord): Target {
  const queryString = choices.pick(ignored);
  if (choices.chance(0.3)) return { path: choices.pick(wordsIn(strangePaths)), queryString };
  const pages = [...routes.keys()].filter((address) => address.endsWith('{id}'));
  const known = record.nominations.map(({ id }) => id);
  const id = choices.chance(0.5) ? choices.pick(wordsIn(strangeIds)) : mostly(choices, known, '1');
  return { path: choices.pick(pages).replace('{id}', id), queryString };
}

const drawn = (draw: (choices: Choices) => Target): fc.Arbitrary<Target> =>
  fc.noShrink(fc.nat({ max: 2 ** 31 - 1 })).map((seed) => draw(new Choices(seed)));

/** Requests with valid parameters and existing ids. The answer is always 200. */
export const anyGoodRequest = (record: PlainRecord): fc.Arbitrary<Target> =>
  drawn((choices) => request(choices, record, false));

/** Good and bad requests: about two thirds are answered 200. */
export const anyRequest = (record: PlainRecord): fc.Arbitrary<Target> =>
  drawn((choices) => {
    const how = choices.fraction();
    return how < 0.06 ? strangeRequest(choices, record) : request(choices, record, how < 0.36);
  });
