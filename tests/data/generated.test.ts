/** A generated record is complete, consistent, shaped like the real one, and a function of scale and seed alone. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/compile';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { referencedResources, resourceNames } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { UserError } from '../../data/system/messages.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { countRecords, recordsBetween } from '../../data/record/records.ts';

function generated(scale: number, seed: string | number): Connection {
  const connection = openDatabase(':memory:');
  generateRecord(connection, { scale, seed });
  return connection;
}

/** The hash of every value of every record, in order. */
function fingerprint(connection: Connection): string {
  const hash = createHash('sha256');
  for (const table of resourceNames)
    for (const row of connection.prepare(`SELECT * FROM ${table} ORDER BY id`).raw().iterate())
      hash.update(`${table}${JSON.stringify(row)}\n`);
  return hash.digest('hex');
}

describe('at scale 1', () => {
  const connection = generated(1, 'shape');
  /** The first column of a query. */
  const column = <T>(sql: string): T[] => connection.prepare<[], T>(sql).pluck().all();

  it('it has the size of the real record, and is sound', () => {
    const songs = { songs: 486, nominations: 16_609 };
    const sizes = { ceremonies: 98, categories: 30, movies: 5_247, nominees: 7_878, honors: 1_303, ...songs };
    expect(countRecords(connection)).toEqual(sizes);
    expect(connection.pragma('foreign_key_check')).toEqual([]);
  });

  // The same on all machines and versions of Node. It changes with the generator and with the columns of the tables.
  it('it has the records of earlier versions', () => {
    expect(fingerprint(connection)).toBe('e5a1b9e38e418d23b3c2b6d22b3f47a91e522f71deb6300fed4eac80748cf71c');
  });

  it.each(referencedResources)('the %s match their schema, with all fields set', (resource) => {
    const schema = Compile(resourceSchemas[resource]);
    for (const record of recordsBetween(connection, resource, 0, 2000)) {
      if (!schema.Check(record)) expect.fail(JSON.stringify([record, schema.Errors(record)]));
      const unset = Object.entries(record).filter(
        ([, value]) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
      );
      const isCompany = String((record as { filmindex_id?: string }).filmindex_id).startsWith('co');
      const allowed = resource === 'nominees' ? ['deathday', isCompany && 'known_for_department'] : [];
      expect(unset.map(([field]) => field).filter((field) => !allowed.includes(field))).toEqual([]);
    }
  });

  const [, ...shape] = readFileSync(new URL('./generated-shape.sql', import.meta.url), 'utf8').split(/^-- /m);
  it.each(shape.map((each) => each.split(/\n(.*)/s)))('%s', (_promise, sql) => {
    expect(column(sql!)).toEqual([]);
  });
});

it('it depends on scale and seed alone, and asks for no time, language or random number', () => {
  const one = fingerprint(generated(0.02, 7));
  const never = () => expect.fail('was asked');
  vi.stubGlobal('Date', never);
  vi.stubGlobal('Intl', new Proxy({}, { get: never }));
  vi.spyOn(Math, 'random').mockImplementation(never);
  const localized = ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase'] as const;
  for (const name of localized) vi.spyOn(String.prototype, name).mockImplementation(never);
  vi.spyOn(Number.prototype, 'toLocaleString').mockImplementation(never);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  expect(fingerprint(generated(0.02, '7'))).toBe(one);
  expect(fingerprint(generated(0.02, 8))).not.toBe(one);
  expect(fingerprint(generated(0.021, 7))).not.toBe(one);
});

it.each([0.001, 0.05])('at scale %d it is complete and sound, and progress grows to the total', (scale) => {
  const connection = openDatabase(':memory:');
  const calls: [number, number][] = [];
  generateRecord(connection, { scale, seed: 'small', onProgress: (...call) => calls.push(call) });
  const counts = countRecords(connection);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(5);
  expect(counts).toMatchObject({
    ...{ ceremonies: Math.max(5, Math.round(98 * scale)), categories: 30 },
    movies: Math.max(15, Math.round(5_247 * scale)),
    nominations: Math.max(60, Math.round(16_609 * scale)),
  });
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(calls.at(-1)).toEqual([total, total]);
  expect(calls).toEqual(calls.toSorted(([a], [b]) => a - b));
});

it('a database with a record, and a scale out of range, are refused; a failure leaves the database as it was', () => {
  const connection = openDatabase(':memory:');
  const run = (scale: number, onProgress?: () => void) => () =>
    generateRecord(connection, { scale, seed: 'a', ...(onProgress && { onProgress }) });
  for (const scale of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1001])
    expect(run(scale)).toThrow(UserError);
  const fail = () => {
    throw new Error('the terminal went away');
  };
  expect(run(0.01, fail)).toThrow('went away');
  expect(countRecords(connection)).toMatchObject({ ceremonies: 0, songs: 0 });
  connection.exec("INSERT INTO songs (id, original_title) VALUES (7, 'Mine')");
  expect(run(0.01)).toThrow(UserError);
  expect(countRecords(connection)).toMatchObject({ ceremonies: 0, songs: 1 });
});
