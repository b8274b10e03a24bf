/** A joint entry won if any of its nominees did, also if another one has a lower id. */
import { expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { compiledRecord } from '../support/build.ts';
import { expectSameAnswer } from './oracle-comparison.ts';

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
