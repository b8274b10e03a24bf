/** After a write, GET shows it and everything derived from it, wherever the record appears. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { WritableResource } from '../../api/contract/names.ts';
import { anyGoodRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../support/settings.ts';
import { anyBody } from './random-bodies.ts';
import { expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();

const change = async (address: string, body: Record<string, JsonValue>) =>
  expect((await running.service.write('PATCH', address, body)).status).toBe(200);

it('after any change, any request is answered from it', async () => {
  const targets: [WritableResource, number[]][] = [
    ['nominations', [1, 5, 8, 8191, Number.MAX_SAFE_INTEGER]],
    ['ceremonies', [1, 2, 3]],
    ['movies', [1, 3, 38, Number.MAX_SAFE_INTEGER]],
    ['nominees', [1, 3, 77]],
    ['songs', [1, 2, Number.MAX_SAFE_INTEGER]],
  ];
  const anyChange = fc.constantFrom(...targets).chain(([resource, ids]) =>
    fc.record({
      address: fc.constantFrom(...ids).map((id) => `/api/${resource}/${id}`),
      body: anyBody(resource).map(({ id: _, ...rest }) => rest),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anyChange, fc.gen(), async ({ address, body }, gen) => {
      await change(address, body);
      const record = loadPlainRecord(running.service.connection);
      const requests = gen(() => fc.array(anyGoodRequest(record), { minLength: 4, maxLength: 4 }));
      const addresses = requests.map(({ path, queryString }) =>
        queryString ? `${path}?${queryString}` : path,
      );
      await expectShown(running.service, address, ...addresses.filter((it) => /^[\x21-\x7e]*$/.test(it)));
    }),
    { numRuns: Math.max(12, runs(10)) },
  );
});
