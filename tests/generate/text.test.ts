/** The texts of a generated record of the real size have everything that programs often get wrong. */
import { beforeAll, describe, expect, test } from 'vitest';
import { tokens } from '../../api/contract/text.ts';
import { generated } from './fingerprint.ts';

let titles: string[];
let names: string[];
let every: string[];
beforeAll(() => {
  const connection = generated(1, 'text');
  const column = (sql: string) => connection.prepare<[], string>(sql).pluck().all();
  titles = column('SELECT title FROM movies ORDER BY id');
  names = column('SELECT name FROM nominees ORDER BY id');
  every = [...titles, ...names, ...column('SELECT original_title FROM songs ORDER BY id')];
});

describe.each([
  ['titles', () => titles],
  ['names', () => names],
] as const)('among the %s', (_, list) => {
  test.each([
    ['é in one character', /\u00e9/],
    ['a letter and a combining mark', /[a-z]\p{M}/iu],
    ...[...'ñøÅłßŞİï'].map((letter): [string, RegExp] => [letter, new RegExp(letter.normalize('NFC'))]),
    ['the typewriter apostrophe', /'/],
    ['the typographic apostrophe', /’/],
    ['the letter apostrophe', /ʼ/],
    ['a hyphen', /\p{L}-\p{L}/u],
    ['%', /%/],
    ['_', /_/],
    ['a double quote', /"/],
    ['a backslash', /\\/],
    ['an ampersand', /&/],
    ['Greek', /\p{Script=Greek}{3}/u],
    ['Cyrillic', /\p{Script=Cyrillic}{3}/u],
    ['Han', /\p{Script=Han}{2}/u],
    ['Hangul', /\p{Script=Hangul}/u],
    ['Arabic', /\p{Script=Arabic}{3}/u],
    ['an emoji outside the basic plane', /[\u{1f300}-\u{1faff}]/u],
    ['two marks on one letter', /\p{L}\p{M}{2}/u],
    ['a single letter', /^\p{L}$/u],
    ['no letter and no digit', /^[^\p{L}\p{N}]+$/u],
    ['the same word twice', /\b(\p{L}{3,}( \p{L}+)*)\W+\1$/u],
  ])('%s occurs', (_name, pattern) => {
    expect(list().some((text) => pattern.test(text))).toBe(true);
  });

  test('the same text occurs in both Unicode spellings', () => {
    const set = new Set(list());
    const both = list().filter((text) => text !== text.normalize('NFD') && set.has(text.normalize('NFD')));
    expect(both.length).toBeGreaterThan(0);
  });

  test('some records share their text', () => {
    expect(new Set(list()).size).toBeLessThan(list().length);
    expect(new Set(list()).size).toBeGreaterThan(list().length * 0.8);
  });
});

test.each([
  ...['Z', '8½', '$', '1917', '12', 'New York, New York', '…', '?', '%', '\\'],
  ...['__proto__', 'Constructor', 'null'],
])('a film has the title %s', (title) => {
  expect(titles).toContain(title);
});

test('some titles have no search term, most texts have', () => {
  expect(titles.filter((title) => tokens(title).length === 0).length).toBeGreaterThan(3);
  expect(every.filter((text) => tokens(text).length > 0).length / every.length).toBeGreaterThan(0.99);
});

test('text is well-formed: no lone surrogate, no control character, no space at an end', () => {
  const broken = every.filter((text) => /\p{Cs}|\p{Cc}|^\s|\s$/u.test(text) || text === '');
  expect(broken).toEqual([]);
});

test('the vocabulary grows with the record, but more slowly', () => {
  const distinct = (list: readonly string[]) => new Set(list.flatMap(tokens)).size;
  const tenth = distinct(titles.slice(0, titles.length / 10));
  expect(distinct(titles)).toBeGreaterThan(2.5 * tenth);
  expect(distinct(titles)).toBeLessThan(8 * tenth);
});
