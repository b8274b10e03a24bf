/** Random faulty pieces of query strings, already encoded. */
import fc from 'fast-check';
import type { RecordOf } from '../../api/contract/resources.ts';
import { type FieldKind, type Kind, type ParameterTable, parameterTables } from './parameters.ts';

const badIntegers = [
  ...['abc', '1.5', '1e3', '+1', '-1', ' 1', '1 ', '0x10', 'NaN', 'Infinity', '1,2', '--1', '-'],
  ...['\u0661', '\uff11', '1\n', '1_000', 'null', '1\u0000'],
];

const badIds = [',', '1,,2', '1,', ',1', '0', '-1', '1;2', 'a', '1.5', '1 2', ' ', '1,b', '+1', '1, ,2'];

/** Faulty values by kind. The empty value and broken encodings are faulty for all kinds. */
const faultyValues: Record<Exclude<Kind, FieldKind>, readonly string[]> = {
  page: [...badIntegers, '0', '-0', '1000001', '99999999999999999999'],
  limit: [...badIntegers, '0', '-0', '-25'],
  year: [...badIntegers, '0', '10000', '-1930', '99999999999999999999'],
  whole: [...badIntegers, '9007199254740992', '99999999999999999999'],
  text: ['x'.repeat(501), ' '.repeat(501), '\u{1F3AC}'.repeat(251)],
  boolean: ['True', 'FALSE', '1', '0', 'yes', ' true', 'null'],
  ids: [...badIds, Array.from({ length: 1001 }, (_, index) => index + 1).join()],
  details: ['detail', 'counts', 'details,', ',', 'Details', 'details;counts', 'id'],
  counts: ['count', 'details', 'counts,,', 'toString'],
  'details, nominations': ['details', 'nominations,counts', 'nominatons', 'nominations,'],
  'details, nominations, counts': ['details', 'details,counts', 'nominations,detials', 'all'],
  'filmindex ids': [',', 'tt1,', ' ', 'tt1,,tt2', Array.from({ length: 101 }, () => 'tt1').join()],
  'details, counts': ['nominations', 'counts details'],
  'details, counts, film_year': ['nominations', 'filmYear'],
  'details, nominations, counts, film_year': ['details', 'film_year,details', 'film_years'],
  format: ['CSV', 'xml', 'json ', 'sqlite', 'cvs'],
  by: ['yaer', 'Year', 'genres', 'genre,year', 'movie', '__proto__'],
  class: ['special', 'Scitech', 'Special '],
  'sort of nominations': ['title', '--id', '+id', 'Year', 'id,year', 'relevance'],
  'sort of movies': ['year', '- title', 'constructor', 'nominations', '-'],
  'sort of nominees': ['title', 'birthday-', '-Name'],
  'sort of songs': ['streaming_year', 'entries'],
  'sort of search': ['nominee', '-relevance ', 'relevence'],
  sort: ['-wins', 'Wins', 'win', 'nominations ', 'id', 'toString'],
  q: ['a', ' a ', '  ', '!!', "''", '\u{1F3AC}', '\u{1F3AC}\u{1F3AC}', '\u0301\u0301', 'q'.repeat(501), '__'],
};

const badFields = [
  'ids',
  'id,',
  ',',
  'Id',
  'id,,winner',
  'constructor',
  'details.entry',
  'id;title',
  'none,all',
];
/** Members that are not there without `include`. */
const missingMembers: Partial<Record<keyof RecordOf, string[]>> = {
  nominations: ['details', 'details,details'],
  movies: ['counts', 'film_year'],
  nominees: ['counts'],
  ceremonies: ['counts'],
};

function faultyValuesOf(kind: Kind): readonly string[] {
  if (!kind.startsWith('fields of ')) return faultyValues[kind as Exclude<Kind, FieldKind>];
  return [...badFields, ...(missingMembers[kind.split(' ').at(-1) as keyof RecordOf] ?? [])];
}

const brokenEncodings = '%FF %C3 a%E2%82 %ED%A0%80 %C0%80 %F5%80%80%80 % %z1 100% %2'.split(' ');
const strangeNames = 'catagory Title PAGE id offset toString __proto__ constructor ids[]'.split(' ');

/** Pieces with at least one fault. */
export function faultyPieces(table: ParameterTable): fc.Arbitrary<string[]> {
  const names = [...table.keys()];
  const others = [...new Set([...parameterTables.values()].flatMap((other) => [...other.keys()]))].filter(
    (name) => !table.has(name),
  );
  const name = fc.constantFrom(...names);
  const badValue = name.chain((it) =>
    fc.constantFrom(...faultyValuesOf(table.get(it)!)).map((value) => [`${it}=${encodeURIComponent(value)}`]),
  );
  const unknown = fc
    .tuple(fc.constantFrom(...strangeNames, ...others), fc.constantFrom('=1', '=', '', '=true', '=%FF'))
    .map(([it, rest]) => [encodeURIComponent(it) + rest]);
  const broken = fc.tuple(name, fc.constantFrom(...brokenEncodings)).map(([it, value]) => [`${it}=${value}`]);
  const empty = fc.tuple(name, fc.constantFrom('=', '')).map(([it, rest]) => [it + rest]);
  const doubled = fc
    .tuple(name, fc.constantFrom('1', '2', 'true', 'ab'), fc.constantFrom('1', 'true', '', 'ab'))
    .map(([it, first, second]) => [`${it}=${first}`, `${it}=${second}`]);
  const backwards = fc.constant<string[]>(['yearStart=2000', 'yearEnd=1999']);
  const paged = fc.constantFrom<string[]>(['format=csv', 'page=1'], ['limit=3', 'format=ndjson']);
  return fc.oneof(
    { weight: 1, arbitrary: table.has('format') ? paged : backwards },
    { weight: 5, arbitrary: badValue },
    { weight: 3, arbitrary: unknown },
    { weight: 2, arbitrary: broken },
    { weight: 2, arbitrary: empty },
    { weight: 2, arbitrary: doubled },
    { weight: 1, arbitrary: backwards },
  );
}
