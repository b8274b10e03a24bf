/** The resolver gives the same answers as the oracle to random requests. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { importRecord } from '../../data/import/import.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithNastyRecord } from './nasty-record.ts';
import { anyGoodRequest, anyRequest } from './queries.ts';
import type { PlainRecord } from './record.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { runs } from '../support/settings.ts';
import { compiledRecord, type MemoryFolder } from '../support/build.ts';
import { expectSameAnswer } from './oracle-comparison.ts';

/** Shows the error itself instead of a 500. */
const fail = (error: unknown) => {
  throw error;
};

function testAnswers(fill: (connection: Connection) => unknown, count: number): void {
  let record: PlainRecord;
  let resolver: Resolver;
  let files: MemoryFolder;
  beforeAll(async () => {
    ({ record, files } = await compiledRecord(fill));
    resolver = new Resolver(files, { onError: fail });
  });

  it('to valid requests', async () => {
    await fc.assert(
      fc.asyncProperty(anyGoodRequest(record), (request) => expectSameAnswer(resolver, record, request)),
      { numRuns: runs(count) },
    );
  });

  // A first request is answered from fewer tables.
  it('to a valid request as the first one', async () => {
    await fc.assert(
      fc.asyncProperty(anyGoodRequest(record), (request) =>
        expectSameAnswer(new Resolver(files, { onError: fail }), record, request),
      ),
      { numRuns: runs(Math.ceil(count / 10)) },
    );
  });

  it('to any requests, with every faulty parameter', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest(record), (request) => expectSameAnswer(resolver, record, request)),
      { numRuns: runs(count) },
    );
  });
}

describe('the resolver answers like the oracle over the nasty record', () => {
  testAnswers(fillWithNastyRecord, 3000);
});

describe('the resolver answers like the oracle over a generated record', () => {
  testAnswers((connection) => generateRecord(connection, { scale: 0.3, seed: 11 }), 1500);
});

describeWithRealRecord('the resolver answers like the oracle over the real record', () => {
  testAnswers((connection) => importRecord(connection, realRecordPath), 1000);
});

/** Also if another nominee of it has a lower id. */
it('a joint entry counts as a win if only a later nominee of it won', async () => {
  const { record, files } = await compiledRecord((connection) => {
    generateRecord(connection, { scale: 0.05, seed: 3 });
    connection.exec(
      `UPDATE nominations SET winner = (
         SELECT count(*) > 1 AND max(n.id) = nominations.id FROM nominations AS n
         WHERE (n.ceremony_id, n.category_id, n.entry) = (nominations.ceremony_id, nominations.category_id, nominations.entry))`,
    );
  });
  expect(record.nominations.some(({ winner }) => winner)).toBe(true);
  const resolver = new Resolver(files);
  for (const queryString of ['by=year', 'by=category', 'by=genre'])
    await expectSameAnswer(resolver, record, { path: '/api/stats/counts', queryString });
  for (const path of ['/api/movies', '/api/ceremonies'])
    await expectSameAnswer(resolver, record, { path, queryString: 'include=counts' });
});
