/** Valid and invalid values of every field, written down independently of the schemas. */
import fc from 'fast-check';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { WritableResource } from '../../api/contract/names.ts';
import { anyCharacter } from '../records/characters.ts';

/** Values that a field takes and that it refuses. */
interface Values {
  good: fc.Arbitrary<JsonValue>;
  bad: fc.Arbitrary<JsonValue>;
}

export const largest = Number.MAX_SAFE_INTEGER;

const blanks = ['', ' ', '\n', '\t\u00a0\u3000', '\u200b \u2060'];
const oddTexts = ['\u0001', '\u200d', '\u0301', '\u{1F3AC}', '\\u0000', "'; DROP TABLE movies; --", '%'];
const anyText = fc
  .oneof(fc.string({ unit: anyCharacter, minLength: 1 }), fc.constantFrom(...oddTexts))
  .filter((text) => !text.includes('\0') && /[^\s\p{Cf}]/u.test(text));
const aList = fc.constantFrom<JsonValue>([], ['a'], {}, { a: 1 });
const aNumber = fc.constantFrom<JsonValue>(0, -1, 1, 1.5, 1e300);
const aBoolean = fc.boolean();

/** The shortest texts that are too long are of characters with one and with two code units. */
const textsOf = (length: number) => fc.constantFrom('x'.repeat(length), '\u{1F3AC}'.repeat(length));
const textTo = (max: number): Values => ({
  good: fc.oneof({ weight: 9, arbitrary: anyText }, textsOf(max)),
  bad: fc.oneof(fc.constantFrom(...blanks), textsOf(max + 1), aNumber, aBoolean, aList),
});
const text = textTo(500);
// Longer texts would not fit into a body together.
const longText: Values = {
  ...textTo(20_000),
  good: fc.oneof({ weight: 9, arbitrary: anyText }, textsOf(3000)),
};
const whole = (min: number, max: number): Values => ({
  good: fc.integer({ min, max }),
  bad: fc.oneof(fc.constantFrom<JsonValue>(min - 1, max + 1, 1.5, 1e300, '', '1', `${min}`), aBoolean, aList),
});
const id = whole(1, largest);
/** Ids of records that the tests have in their database. */
const reference: Values = { ...id, good: fc.integer({ min: 1, max: 3 }) };
const year = whole(1, 9999);

const noDates =
  `2023-02-29 1900-02-29 2024-02-30 2024-04-31 2024-13-01 2024-00-10 2024-01-00 2024-1-1 20240101 0000-01-01
-2024-01-01 +002024-01-01 10000-01-01 2024-01-01T00:00:00Z \u0662024-01-01 now`.split(/\s/);
const anyDate = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const date: Values = {
  good: fc.oneof(anyDate, fc.constantFrom('2024-02-29', '0001-01-01', '9999-12-31')),
  bad: fc.oneof(fc.constantFrom('', ' 2024-01-01', '2024-01-01\n', ...noDates), aNumber, aList),
};
const noAddresses = ['https://a b', ' https://a', 'https://a\n', 'https://a\u00a0', 'https://', 'ftp://a'];
noAddresses.push('HTTPS://a.example/', '/poster.jpg', '//a.example/', 'data:https://a', 'javascript:a');
const addressOf = (...schemes: string[]): Values => ({
  good: fc.oneof(
    fc.webUrl({ validSchemes: schemes }),
    fc.constantFrom('https://a', 'https://\u00e9.example/"<>', `https://${'a'.repeat(1992)}`),
  ),
  bad: fc.oneof(
    fc.constantFrom(...noAddresses, `https://${'a'.repeat(1993)}`),
    fc.constant(schemes.includes('http') ? '' : 'http://a.example/'),
    aNumber,
    aList,
  ),
});
const address = addressOf('https');
const webAddress = addressOf('https', 'http');
const filmIndex = (...prefixes: string[]): Values => ({
  good: fc
    .tuple(fc.constantFrom(...prefixes), fc.stringMatching(/^[0-9]{1,12}$/))
    .map(([prefix, digits]) => prefix + digits),
  bad: fc.oneof(
    fc.constantFrom(...prefixes, '', '1', 'xx1', `a${prefixes[0]}1`, `${prefixes[0]!.toUpperCase()}1`),
    fc.constantFrom(...['1a', ' 1', '1\n', '\u0661', '1'.repeat(19)]).map((end) => prefixes[0] + end),
    aNumber,
  ),
});
const manyIds = Array.from({ length: 101 }, (_, at) => at + 1);
const listOf = (maxLength: number): Values => {
  const item = anyText.filter((text) => text.length <= maxLength);
  const items = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  return {
    good: fc.oneof({ weight: 9, arbitrary: fc.array(item, { maxLength: 4 }) }, fc.constant(items(50))),
    bad: fc.constantFrom<JsonValue>('', 'Drama', 1, false, {}, { 0: 'Drama' }, items(51), items(5000)),
  };
};
const filmYears: Values = {
  good: fc.constantFrom('2020', '1927/28', '0001', '9999/00'),
  bad: fc.oneof(
    fc.constantFrom('', '0000', '20', '1927/1928', '1927-28', '2020\n', '\u0661929'),
    aNumber,
    aList,
  ),
};
const flag: Values = { good: aBoolean, bad: fc.constantFrom<JsonValue>(0, 1, '', 'true', 'false', [], {}) };

const orNull = ({ good, bad }: Values): Values => ({ good: fc.option(good, { nil: null }), bad });
const notNull = ({ good, bad }: Values): Values => ({ good, bad: fc.oneof(bad, fc.constant(null)) });
const all = (names: string, values: Values) =>
  Object.fromEntries(names.split(' ').map((name) => [name, values]));
const optionalTexts = (names: string) => all(names, orNull(text));

/** The stored fields of every resource, in document order. */
export const fieldValues: Record<WritableResource, Record<string, Values>> = {
  nominations: {
    id: notNull(id),
    ...all('ceremony_id category_id movie_id nominee_id', notNull(reference)),
    song_id: orNull(reference),
    winner: flag,
  },
  ceremonies: {
    id: notNull(id),
    ceremony_year: notNull(year),
    date: orNull(date),
    ...optionalTexts('show_title venue'),
    overview: orNull(longText),
    movies_eligible: orNull(text),
    wikiurl: orNull(webAddress),
    ...optionalTexts('moment_1_caption moment_2_caption moment_3_caption'),
    ...all('moment_1_img_url moment_2_img_url moment_3_img_url', orNull(address)),
    film_years: orNull(filmYears),
  },
  movies: {
    id: notNull(id),
    title: notNull(text),
    tagline: orNull(text),
    overview: orNull(longText),
    release_date: orNull(date),
    runtime: orNull(whole(0, largest)),
    genres: listOf(100),
    origin_country: listOf(10),
    moviedb_id: orNull(whole(0, largest)),
    filmindex_id: orNull(filmIndex('tt')),
    ...all('poster_path backdrop_path', orNull(address)),
    other_names: listOf(500),
  },
  nominees: {
    id: notNull(id),
    name: notNull(text),
    biography: orNull(longText),
    ...all('birthday deathday', orNull(date)),
    ...optionalTexts('place_of_birth known_for_department'),
    homepage: orNull(webAddress),
    moviedb_person_id: orNull(whole(0, largest)),
    filmindex_id: orNull(filmIndex('nm', 'co')),
    profile_path: orNull(address),
    other_names: listOf(500),
  },
  songs: {
    id: notNull(id),
    original_title: notNull(text),
    ...optionalTexts('artist_names streaming_id'),
    streaming_url: orNull(webAddress),
    ...optionalTexts('streaming_track_name streaming_album_name'),
    streaming_year: orNull(year),
  },
  honors: {
    id: notNull(id),
    ceremony_id: notNull(reference),
    class: {
      good: fc.constantFrom('SciTech', 'Special', 'Competitive'),
      bad: fc.oneof(fc.constantFrom<JsonValue>('special', 'Scitech', '', ' Special'), aNumber, aList),
    },
    winner: flag,
    category_id: orNull(reference),
    category: notNull(text),
    movie_id: orNull(reference),
    recipients: orNull(text),
    nominee_ids: {
      good: fc.uniqueArray(reference.good, { maxLength: 3 }),
      bad: fc.constantFrom<JsonValue>(1, '1', {}, [1, 1], manyIds),
    },
    citation: orNull(text),
    note: orNull(longText),
  },
};

export const required: Record<WritableResource, readonly string[]> = {
  nominations: ['id', 'ceremony_id', 'category_id', 'movie_id', 'nominee_id'],
  ceremonies: ['ceremony_year'],
  movies: ['title'],
  nominees: ['name'],
  songs: ['original_title'],
  honors: ['ceremony_id', 'category', 'recipients'],
};

export type Body = Record<string, JsonValue>;

/** The details of a new nomination. */
export const defaultDetails = {
  ...{ entry: null, character: null, note: null },
  ...{ official: true, historical_category: null, credited_as: null },
};
/** The members of `details` that an editor chooses. */
const anyDetails = fc.record(
  {
    ...{ character: orNull(text).good, note: orNull(longText).good, official: flag.good },
    ...{ historical_category: orNull(text).good, credited_as: orNull(text).good },
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** The smallest valid body of a new record; a nomination also needs an id. */
export const smallestBody: Record<WritableResource, Record<string, string | number>> = {
  nominations: { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 },
  ceremonies: { ceremony_year: 2000 },
  movies: { title: 'New' },
  nominees: { name: 'New' },
  songs: { original_title: 'New' },
  honors: { ceremony_id: 1, category: 'New', recipients: 'New' },
};

/** A valid body: the needed fields and any others, in any order. */
export function anyBody(
  resource: WritableResource,
  needed: readonly string[] = required[resource],
): fc.Arbitrary<Body> {
  const fields = Object.entries(fieldValues[resource]).map(([field, { good }]) => [field, good] as const);
  const good: Record<string, fc.Arbitrary<JsonValue>> = Object.fromEntries(fields);
  if (resource === 'nominations') good.details = anyDetails;
  return fc
    .record(good, { requiredKeys: [...needed], noNullPrototype: true })
    .chain((body) =>
      fc
        .shuffledSubarray(Object.keys(body), { minLength: Object.keys(body).length })
        .map((order) => Object.fromEntries(order.map((field) => [field, body[field]!]))),
    );
}

/** A field with a value that it refuses. */
export function anyBadField(resource: WritableResource): fc.Arbitrary<[field: string, value: JsonValue]> {
  return fc
    .constantFrom(...Object.entries(fieldValues[resource]))
    .chain(([field, { bad }]) => bad.map((value): [string, JsonValue] => [field, value]));
}
