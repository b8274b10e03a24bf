/** Random bodies: an accepted one can be stored, and every fault is found. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  fieldSchemas,
  requiredFields,
  storedFields,
  type WritableResource,
  writableResources,
} from '../../api/contract/bodies.ts';
import type { JsonValue } from '../../api/write/strict-json.ts';
import { checkBody } from '../../api/write/validation.ts';
import { openDatabase } from '../../data/open.ts';
import { runs } from '../settings.ts';
import { anyBadField, anyBody, type Body, fieldValues, required } from './random-bodies.ts';

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
    const fields = Object.keys(record);
    connection
      .prepare(`REPLACE INTO ${resource} (${fields.join(', ')}) VALUES (${fields.map(() => '?').join(', ')})`)
      .run(fields.map((field) => stored(record[field]!)));
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
      { numRuns: runs(300) },
    );
  });

  it('one bad value is one fault, at that field', () => {
    fc.assert(
      fc.property(anyBody(resource), anyBadField(resource), (body, [field, value]) => {
        const { record, faults } = checkBody(resource, 'create', { ...body, [field]: value });
        expect(faults.map(({ pointer }) => pointer)).toEqual([`/${field}`]);
        expect(record).not.toHaveProperty(field);
      }),
      { numRuns: runs(500) },
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
      { numRuns: runs(500) },
    );
  });
});
