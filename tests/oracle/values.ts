/**
 * Random values for parameters, mostly from the record, so that most requests find something: parts of its texts in
 * spellings that fold to the same text (and some that do not), ids, years, genres and words.
 */
import fc from 'fast-check';
import { isValid } from './parameters.ts';
import type { PlainRecord } from './record.ts';

type Text = fc.Arbitrary<string>;

/** One of many; the fallback for an empty list. */
export function pick<Value>(values: readonly Value[], fallback: Value): fc.Arbitrary<Value> {
  if (values.length === 0) return fc.constant(fallback);
  return fc.nat({ max: values.length - 1 }).map((index) => values[index]!);
}

const disguises = {
  asIs: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  mixed: (text) => mapCharacters(text, (it, at) => (at % 2 === 0 ? it.toUpperCase() : it.toLowerCase())),
  composed: (text) => text.normalize('NFC'),
  decomposed: (text) => text.normalize('NFD'),
  unaccented: (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  accented: (text) => text.replaceAll(/[aeiounAEIOUN]/g, '$&\u0301').normalize('NFC'),
  overAccented: (text) => mapCharacters(text, (it) => (/\p{L}/u.test(it) ? `${it}\u0327` : it)),
  wildcards: (text) => mapCharacters(text, (it, at) => (at % 3 === 1 ? '_' : it)),
  percent: (text) => `%${text}%`,
  quoted: (text) => `"${text}'`,
} satisfies Record<string, (text: string) => string>;

const disguiseNames = Object.keys(disguises) as (keyof typeof disguises)[];

function mapCharacters(text: string, change: (character: string, at: number) => string): string {
  return [...text].map(change).join('');
}

/** Mostly spellings that fold to the same text. */
const disguise = fc.oneof(
  { weight: 4, arbitrary: fc.constant<keyof typeof disguises>('asIs') },
  { weight: 6, arbitrary: fc.constantFrom(...disguiseNames.slice(1, 9)) },
  { weight: 1, arbitrary: fc.constantFrom(...disguiseNames.slice(9)) },
);

/** Short enough that every spelling is a valid parameter. */
const maxPieceLength = 100;

function piece(text: string, from: number, length: number, as: keyof typeof disguises): string {
  const characters = [...text];
  const start = from % characters.length;
  const disguised = disguises[as](characters.slice(start, start + length).join(''));
  // Without its combining mark a text can be empty, which is not a valid value.
  return disguised === '' ? characters[0]! : disguised;
}

/** Parts of the given texts, whole texts, and sometimes another text. */
export function pieces(texts: readonly (string | null)[]): Text {
  const known = pick(
    [...new Set(texts)].filter((text) => text !== null),
    'a',
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(known, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }), disguise)
        .map(([text, from, length, as]) => piece(text, from, length, as)),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(known, disguise).map(([text, as]) => piece(text, 0, maxPieceLength, as)),
    },
    { weight: 1, arbitrary: oddTexts },
  );
}

const oddTexts = fc.oneof(
  fc.constantFrom('%', '_', '%%', '"', "'", '\\', '*', ' ', '&', '=', '#', '+', 'null', 'constructor'),
  fc.constantFrom('__proto__', 'zzzz', '\u0301', '\u0000', '\ufeff', '\ud7ff', '\u{1F3AC}', '\u00df', 'SS'),
  fc.constantFrom('n'.repeat(500), '\u{1F3AC}'.repeat(500)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
);

/** Id lists with known, unknown and repeated ids, and spaces around commas. */
export function idLists(ids: readonly number[]): Text {
  const id = fc.oneof(
    { weight: 12, arbitrary: pick(ids, 1).map(String) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 70_000 }).map(String) },
    { weight: 1, arbitrary: fc.constantFrom('9007199254740991', '9007199254740993', '007', '1', '8192') },
  );
  return fc
    .tuple(fc.array(id, { minLength: 1, maxLength: 12 }), fc.constantFrom(',', ',', ', ', ' , ', ',  '))
    .map(([items, comma]) => items.join(comma));
}

/** Lists of known, unknown and repeated texts without commas, and spaces around the commas. */
export function textLists(known: readonly string[]): Text {
  const item = fc.oneof(
    { weight: 5, arbitrary: pick(known, 'tt1') },
    { weight: 1, arbitrary: fc.constantFrom('tt', 'TT7', 'a b', 'null', '\u{1F3AC}', '%') },
  );
  return fc
    .tuple(fc.array(item, { minLength: 1, maxLength: 9 }), fc.constantFrom(',', ',', ', ', ' , '))
    .map(([items, comma]) => items.join(comma));
}

/** Years in and around the range of the record. */
export function years(known: readonly (number | null)[]): Text {
  const all = known.filter((year) => year !== null);
  const around = fc
    .tuple(pick(all, 2000), fc.integer({ min: -2, max: 2 }))
    .map(([year, offset]) => Math.min(9999, Math.max(1, year + offset)));
  return fc.oneof(
    { weight: 12, arbitrary: around.map(String) },
    { weight: 1, arbitrary: fc.constantFrom('1', '9999', '01930') },
  );
}

/** Known whole numbers, sometimes others. */
export function wholeNumbers(known: readonly (number | null)[]): Text {
  const some = pick(
    [...new Set(known)].filter((value) => value !== null),
    0,
  );
  return fc.oneof(
    { weight: 5, arbitrary: some.map(String) },
    { weight: 1, arbitrary: fc.constantFrom('0', '-0', '00', '1', '9007199254740991') },
  );
}

export const pageNumbers = fc.constantFrom('1', '1', '2', '2', '3', '4', '7', '40', '01', '1000000');
export const limits = fc.constantFrom('1', '2', '3', '5', '10', '24', '25', '26', '99', '100', '101', '5000');
export const booleans = fc.constantFrom('true', 'false');
export const sorts = fc.constantFrom('nominations', 'wins');

const apostrophes = ["'", '\u2019', '\u02bc', '`'];

/** Words of one nomination or of several: whole, as prefixes, as letters, repeated, with other apostrophes. */
export function searchTerms(record: PlainRecord): Text {
  const wordsIn = (separator: RegExp) =>
    pick(record.nominations, undefined).map((it) =>
      it === undefined
        ? ['ab']
        : `${it.nominee} ${it.movie} ${it.category}`.split(separator).filter((word) => word !== ''),
    );
  const length = fc.oneof(fc.constant(maxPieceLength), fc.integer({ min: 1, max: 6 }));
  const word = wordsIn(/[\s(),]+/).chain((words) => pick(words, 'ab'));
  const term = fc
    .tuple(word, length, disguise, fc.nat({ max: 11 }))
    .map(([text, end, as, apostrophe]) => withApostrophe(piece(text, 0, end, as), apostrophe));
  const ofOne = wordsIn(/\s+/).chain((words) =>
    fc
      .array(fc.tuple(pick(words, 'ab'), fc.integer({ min: 1, max: 12 }), disguise), {
        minLength: 1,
        maxLength: 4,
      })
      .map((chosen) => chosen.map(([text, end, as]) => piece(text, 0, end, as)).join(' ')),
  );
  const repeated = fc.tuple(term, fc.constantFrom(' ', '-', '  ')).map(([text, gap]) => text + gap + text);
  const mixed = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' '));
  const edit = fc.tuple(
    fc.nat({ max: 40 }),
    fc.constantFrom('add', 'drop', 'replace', 'swap', 'split', 'join'),
  );
  const misspelt = fc
    .tuple(wordsIn(/\s+/), fc.nat({ max: 9 }), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([words, from, edits]) =>
      edits.reduce(
        (text, [at, how]) => misspell(text, at, how),
        words
          .slice(from % words.length)
          .slice(0, 4)
          .join(' '),
      ),
    );
  return fc
    .oneof(
      { weight: 5, arbitrary: ofOne },
      { weight: 4, arbitrary: mixed },
      { weight: 1, arbitrary: repeated },
      { weight: 1, arbitrary: ofOne.map((text) => ` ${text} \u00a0`) },
      { weight: 5, arbitrary: misspelt },
    )
    .filter((q) => isValid('q', q));
}

/** Edits one place of a text. */
function misspell(text: string, at: number, how: string): string {
  const characters = [...text];
  const place = at % (characters.length + 1);
  const space = characters.indexOf(' ', place);
  if (how === 'join') return space < 0 ? text : characters.toSpliced(space, 1).join('');
  if (how === 'swap')
    return characters.toSpliced(place, 2, ...characters.slice(place, place + 2).reverse()).join('');
  const dropped = how === 'drop' || how === 'replace' ? 1 : 0;
  const added = { add: ['e'], replace: ['a'], split: [' '] }[how] ?? [];
  return characters.toSpliced(place, dropped, ...added).join('');
}

/** Replaces an apostrophe, or inserts one into a word. */
function withApostrophe(word: string, choice: number): string {
  const mark = apostrophes[choice];
  if (mark === undefined) return word;
  if (/['\u2019]/.test(word)) return word.replace(/['\u2019]/, mark);
  const characters = [...word];
  return characters.length < 3 ? word : characters.toSpliced(2, 0, mark).join('');
}
