/** Values for random edits: ids at the limits of blocks; texts that share words, have equal folded forms, or have no word. */
import fc from 'fast-check';
import type { Connection } from '../../data/open.ts';
import { rowsOf, type TableName } from './databases.ts';

const edges = [
  24, 25, 26, 49, 50, 51, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 2047, 2048, 2049, 4095, 4096,
];
const farAway = [65_535, 65_536, 131_072, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER];

export const anyId: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 120 }),
  fc.constantFrom(...edges),
  fc.constantFrom(...farAway),
  fc.integer({ min: 1, max: 10_000 }),
);

/** A text, or the text of an existing record with something added. */
export type TextChoice = string | { of: number; more: string };

const words = "the The love amélie Ame\u0301lie O'Brien obrien 1917 7 ΩΣ actor ZZ a".split(' ');
const odd = [
  '…!?',
  '\u0301',
  '🎬',
  'constructor',
  '__proto__',
  'x'.repeat(300),
  ' ',
  'İI',
  'ﬁlm',
  '강남',
  '\u2028',
  '"\\',
];

const anyWords = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((each) => each.join(' '));
const anyCharacters = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text !== '');

export const anyText: fc.Arbitrary<TextChoice> = fc.oneof(
  anyWords,
  fc.constantFrom(...odd),
  anyCharacters,
  fc.record({ of: fc.nat(999), more: fc.constantFrom('', '', ' the', ' zz', '…') }),
);

export function resolveText(connection: Connection, choice: TextChoice): string {
  if (typeof choice === 'string') return choice;
  const texts = [
    ...rowsOf(connection, 'movies').map((row) => row.title),
    ...rowsOf(connection, 'nominees').map((row) => row.name),
    ...rowsOf(connection, 'categories').map((row) => row.category_name),
  ] as string[];
  return `${texts[choice.of % texts.length] ?? 'no record'}${choice.more}`;
}

interface Choices {
  table: TableName;
  text: TextChoice;
  row: number;
  other: number;
  id: number;
}

const dates = ['1929-05-16', '2024-02-29', null];
const required = new Set(['title', 'name', 'original_title', 'category_name']);

/** A value for a field of a record, mostly a valid one. */
export function fieldValue(connection: Connection, choices: Choices, field: string): string | number | null {
  const { other, id } = choices;
  const text = () => resolveText(connection, choices.text);
  if (field === 'ceremony_year') return 1 + (other % 40) + (other % 2 ? 1900 : 0);
  if (field === 'runtime' || field.endsWith('_year')) return other % 5 === 0 ? null : 1 + other;
  if (/^moviedb_|(ceremony|category|movie|nominee|song)_id$/.test(field)) return other % 5 === 0 ? null : id;
  if (field === 'winner') return other % 2;
  if (field === 'filmindex_id') {
    const prefix = choices.table === 'movies' ? 'tt' : other % 2 ? 'nm' : 'co';
    return other % 3 === 0 ? null : `${prefix}${other % 50}`;
  }
  if (field === 'genres' || field === 'origin_country')
    return JSON.stringify([text(), 'Drama', text()].slice(0, other % 4));
  if (field === 'date' || field.endsWith('date') || field.endsWith('day')) return dates[other % 3]!;
  if (field.endsWith('_path')) return other % 2 ? `https://example.org/${id}` : null;
  return required.has(field) || other % 4 !== 0 ? text() : null;
}
