/** The resolver gives the right answer to any GET: held against the independent oracle with random requests. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { importText } from '../../data/import/import.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { anyGoodRequest, anyRequest } from '../oracle/queries.ts';
import { loadPlainRecord, type PlainRecord } from '../oracle/record.ts';
import { describeWithRealRecord, realRecordPath } from '../real-record.ts';
import { runs } from '../settings.ts';
import { compileInMemory } from './memory-source.ts';
import { expectSameAnswer } from './oracle-comparison.ts';

/** A failure shows as itself, not as the 500 a client would see. */
const fail = (error: unknown) => {
  throw error;
};

function promiseRightAnswers(fill: (connection: Connection) => unknown, count: number): void {
  let connection: Connection;
  let record: PlainRecord;
  let resolver: Resolver;
  beforeAll(async () => {
    connection = openDatabase(':memory:');
    fill(connection);
    record = loadPlainRecord(connection);
    resolver = new Resolver(await compileInMemory(connection), { onError: fail });
  });
  afterAll(() => connection.close());

  it('for requests that can be answered', async () => {
    await fc.assert(
      fc.asyncProperty(anyGoodRequest(record), (request) => expectSameAnswer(resolver, record, request)),
      { numRuns: runs(count) },
    );
  });

  it('for requests of any kind, naming every faulty parameter', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest(record), (request) => expectSameAnswer(resolver, record, request)),
      { numRuns: runs(count) },
    );
  });
}

describe('every GET on the nasty record is answered as the interface says', () => {
  promiseRightAnswers(fillWithNastyRecord, 3000);
});

describe('every GET on a generated record is answered as the interface says', () => {
  promiseRightAnswers((connection) => generateRecord(connection, { scale: 0.3, seed: 11 }), 1500);
});

describeWithRealRecord('every GET on the real record is answered as the interface says', () => {
  promiseRightAnswers((connection) => importText(connection, readFileSync(realRecordPath, 'utf8')), 1000);
});
