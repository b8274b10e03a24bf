/** Bodies against the schema: every fault has a message and a pointer; a new record gets its defaults. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fieldSchemas, type JsonValue, requiredFields, storedFields } from '../../api/contract/bodies.ts';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import { openDatabase } from '../../data/database/open.ts';
import { checkBody } from '../../data/record/validation.ts';
import { runs } from '../support/settings.ts';
import { anyBadField, anyBody, type Body, fieldValues, largest, required } from './random-bodies.ts';

const nomination = { id: 9, ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 };
const whole = `must be a whole number from 1 to ${largest}`;
const textTo = (length: number) => `must be a text that is not blank (at most ${length} characters)`;
const date = 'must be a calendar date as YYYY-MM-DD or null';
const digits = 'and digits (at most 20 characters) or null';
const address = 'must be an https address (at most 2000 characters) or null';
const webAddress = 'must be an http or https address (at most 2000 characters) or null';
const songFields = Object.keys(fieldValues.songs).join(', ');

/** Pointer → message of the faults of one field. */
function messageAbout(resource: WritableResource, field: string, value: JsonValue): Record<string, string> {
  const { faults } = checkBody(resource, 'update', { [field]: value });
  return Object.fromEntries(faults.map(({ pointer, message }) => [pointer, message]));
}

describe('a fault has a message and a pointer', () => {
  it.each<[WritableResource, string, JsonValue, string, string]>([
    ['nominations', 'id', 0, '/id', whole],
    ['nominations', 'song_id', -1, '/song_id', `${whole} or null`],
    ['nominations', 'winner', 'yes', '/winner', 'must be true or false'],
    ['nominations', 'ceremony_year', '1929', '/ceremony_year', 'must be a whole number'],
    ['nominations', 'movie', 7, '/movie', 'must be a text of 0 to 20000 characters'],
    ['nominations', 'category', null, '/category', 'must not be null'],
    ['ceremonies', 'ceremony_year', 10_000, '/ceremony_year', 'must be a whole number from 1 to 9999'],
    ['ceremonies', 'wikiurl', 'a', '/wikiurl', webAddress],
    ['movies', 'title', '', '/title', textTo(500)],
    ['movies', 'tagline', '', '/tagline', `${textTo(500)} or null`],
    ['movies', 'release_date', '2023-02-29', '/release_date', date],
    ['movies', 'poster_path', 'http://a.example', '/poster_path', address],
    ['movies', 'filmindex_id', 'nm1', '/filmindex_id', `must be tt ${digits}`],
    ['nominees', 'filmindex_id', 'tt1', '/filmindex_id', `must be nm or co ${digits}`],
    ['movies', 'genres', 'Drama', '/genres', 'must be a list of at most 50 texts'],
    ['movies', 'genres', ['Drama', ''], '/genres/1', textTo(100)],
    ['movies', 'genres', ['a'.repeat(101)], '/genres/0', textTo(100)],
    ['movies', 'genres', ['Drama', 'War', null], '/genres/2', 'must not be null'],
    ['movies', 'origin_country', [['US']], '/origin_country/0', textTo(10)],
    ['movies', 'titel', 'a', '/titel', 'unknown field "titel"; did you mean "title"?'],
    ['songs', 'a/b~c', 1, '/a~1b~0c', `unknown field "a/b~c"; the fields are ${songFields}`],
  ])('%s %s: %j', (resource, field, value, pointer, message) => {
    expect(messageAbout(resource, field, value)).toEqual({ [pointer]: message });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'nominations', 'ID'])(
    'no field is called %s',
    (name) => expect(messageAbout('movies', name, 1)[`/${name}`]).toMatch(/^unknown field/),
  );

  it('all at once: those of the body in its order, then the missing fields', () => {
    const { faults } = checkBody('nominations', 'create', { winner: 1, id: 0, wining: true, song_id: null });
    const due = 'winner id wining ceremony_id category_id movie_id nominee_id';
    expect(faults.map(({ pointer }) => pointer)).toEqual(due.split(' ').map((field) => `/${field}`));
    expect(faults.at(-1)!.message).toBe('is required');
  });

  it('at most fifty', () => {
    const names = Array.from({ length: 9000 }, (_, at) => [at.toString(36), 1]);
    expect(checkBody('movies', 'create', Object.fromEntries(names)).faults.length).toBe(50);
    expect(checkBody('movies', 'update', { genres: names }).faults.length).toBe(50);
  });
});

describe('a new record', () => {
  it('has the defaults of the fields that were not sent', () => {
    const { record } = checkBody('nominations', 'create', nomination);
    expect(record).toEqual({ ...nomination, song_id: null, winner: false });
    const movie = checkBody('movies', 'create', { title: 'Wings' }).record;
    expect(movie).toMatchObject({ genres: [], origin_country: [], runtime: null });
  });

  it.each(['winner', 'genres', 'origin_country'])('takes no null for %s', (field) => {
    const resource = field === 'winner' ? 'nominations' : 'movies';
    const body = { ...nomination, title: 'Wings', [field]: null };
    const { faults } = checkBody(resource, 'create', body);
    expect(faults).toContainEqual({ pointer: `/${field}`, message: 'must not be null' });
  });

  it('has its own lists', () => {
    const made = () => checkBody('movies', 'create', { title: 'Wings' }).record.genres as JsonValue[];
    made().push('War');
    expect(made()).toEqual([]);
  });
});

it.each([
  ['-0', 0],
  ['0', 0],
  ['139.0', 139],
  ['1.39e2', 139],
])('the number %s is %d', (sent, stored) => {
  const { record, faults } = checkBody('movies', 'update', { runtime: JSON.parse(sent) as number });
  expect(faults).toEqual([]);
  expect(Object.is(record.runtime, stored)).toBe(true);
});

it('every pattern and format of a field has a description for messages', () => {
  const leaves = writableResources
    .flatMap((resource) => Object.values(fieldSchemas(resource)))
    .flatMap((schema) => ('anyOf' in schema ? (schema.anyOf as (typeof schema)[]) : [schema]));
  const strict = leaves.filter((schema) => 'pattern' in schema || 'format' in schema);
  expect(strict.length).toBeGreaterThan(5);
  for (const schema of strict) expect(schema).toHaveProperty('says', expect.stringMatching(/^\S.*\w$/));
});

const connection = openDatabase(':memory:');
for (const known of [1, 2, 3])
  connection.exec(`
    INSERT INTO ceremonies (id, ceremony_year) VALUES (${known}, 2025);
    INSERT INTO categories (id, category_name) VALUES (${known}, 'Directing');
    INSERT INTO movies (id, title) VALUES (${known}, 'Anora');
    INSERT INTO nominees (id, name) VALUES (${known}, 'Sean Baker');
    INSERT INTO songs (id, original_title) VALUES (${known}, 'Golden');
  `);
afterAll(() => connection.close());

function stored(value: JsonValue): number | string | bigint | null {
  if (typeof value === 'boolean') return Number(value);
  // The database refuses \\u0000 as an escaped NUL, so a backslash before u0000 is escaped differently.
  if (Array.isArray(value)) return JSON.stringify(value).replaceAll('\\\\', '\\u005c');
  return typeof value === 'number' ? BigInt(value) : (value as string | null);
}

/** Stores a record and rolls back; throws if a constraint forbids it. */
function tryToStore(resource: WritableResource, record: Body): void {
  connection.exec('BEGIN; PRAGMA defer_foreign_keys = ON');
  try {
    const { details, ...others } = record;
    const columns = Object.entries({ ...others, ...(details as Body | undefined) });
    const names = columns.map(([name]) => name).join(', ');
    connection
      .prepare(`REPLACE INTO ${resource} (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(columns.map(([, value]) => stored(value)));
  } finally {
    connection.exec('ROLLBACK');
  }
}

const fieldOf = (pointer: string) => pointer.split('/')[1]!.replaceAll('~1', '/').replaceAll('~0', '~');

describe.each(writableResources.map((resource) => [resource]))('%s', (resource) => {
  it('have these stored and required fields', () => {
    expect(storedFields(resource)).toEqual(Object.keys(fieldValues[resource]));
    expect(requiredFields[resource]).toEqual(required[resource]);
    const { faults } = checkBody(resource, 'create', {});
    expect(faults.map(({ pointer }) => pointer)).toEqual(required[resource].map((field) => `/${field}`));
  });

  it('every valid body is accepted unchanged, and fulfils the constraints of the database', () => {
    fc.assert(
      fc.property(anyBody(resource), (body) => {
        const created = checkBody(resource, 'create', body);
        expect(created.faults).toEqual([]);
        expect(created.record).toMatchObject(body);
        tryToStore(resource, created.record);
        expect(checkBody(resource, 'update', body)).toEqual({ record: body, faults: [] });
      }),
      { numRuns: runs(120) },
    );
  });

  it('one bad value is one fault, at that field', () => {
    fc.assert(
      fc.property(anyBody(resource), anyBadField(resource), (body, [field, value]) => {
        const { record, faults } = checkBody(resource, 'create', { ...body, [field]: value });
        expect(faults.map(({ pointer }) => pointer)).toEqual([`/${field}`]);
        expect(record).not.toHaveProperty(field);
      }),
      { numRuns: runs(200) },
    );
  });

  it('any body without faults can be stored, and each fault names its field', () => {
    const schemas = fieldSchemas(resource);
    const anything = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(schemas)), fc.string()),
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(anyBody(resource), anything, (body, more) => {
        fc.pre(!JSON.stringify(more).includes('\\u0000'));
        const { record, faults } = checkBody(resource, 'create', { ...body, ...more });
        const wrong = new Set(faults.map(({ pointer }) => fieldOf(pointer)));
        const silent = Object.keys(more).filter(
          (field) => !wrong.has(field) && !Object.hasOwn(record, field),
        );
        // Derived fields may be removed without a fault; see checkBody.
        expect(
          silent.filter((field) => storedFields(resource).includes(field) || !Object.hasOwn(schemas, field)),
        ).toEqual([]);
        const columns = storedFields(resource).filter((field) => Object.hasOwn(record, field));
        if (faults.length === 0)
          tryToStore(resource, Object.fromEntries(columns.map((field) => [field, record[field]!])));
      }),
      { numRuns: runs(200) },
    );
  });
});
