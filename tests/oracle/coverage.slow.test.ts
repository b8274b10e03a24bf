/** The random requests of the oracle cover every address, status, parameter and key. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillWithGenerated } from '../records/generated-record.ts';
import { expectedAnswer, expectedText } from '../records/oracle/oracle.ts';
import { keysIn, type Parameter, routes } from '../records/oracle/parameters.ts';
import { anyGoodRequest, anyRequest } from '../records/oracle/queries.ts';
import { compiled } from '../records/oracle/questions.ts';
import { runSeed } from '../records/seed.ts';

/** What a value does not change: the default, and the parameters of pages in lists that have none. */
const hasNoEffect = (address: string, name: string, key: string, { keys }: Parameter) =>
  ['json', 'relevance'].includes(key) ||
  // The ids of generated films ascend with their years.
  (name === 'sort' && (key === keys[0] || key === 'film_year')) ||
  (['page', 'limit'].includes(name) && /ceremonies|categories/.test(address));

it('random requests cover every address with every status, and every parameter and key with an effect and with a fault', async () => {
  const missing = new Set<string>();
  for (const [address, { parameters }] of routes) {
    for (const status of address.endsWith('{id}') ? [200, 400, 404] : [200, 400])
      missing.add(`${address} ${status}`);
    for (const [name, parameter] of parameters) {
      missing.add(`${address} ${name}: faulty`);
      for (const key of parameter.keys.length > 0 ? parameter.keys : ['']) {
        const effect = `${address} ${name} ${key}`;
        if (!hasNoEffect(address, name, key, parameter)) missing.add(effect);
      }
    }
  }
  const { record } = await compiled(fillWithGenerated(0.01));
  const request = fc.oneof(anyRequest(record), anyGoodRequest(record));
  const batches = Array.from({ length: 100 }, (_, at) => runSeed + at);
  for (const seed of batches)
    for (const { path, queryString } of missing.size > 0 ? fc.sample(request, { numRuns: 2000, seed }) : []) {
      const address = routes.has(path) ? path : path.replace(/[^/]*$/, '{id}');
      if (![...missing].some((item) => item.startsWith(`${address} `))) continue;
      const answer = expectedAnswer(record, path, queryString);
      missing.delete(`${address} ${answer.status}`);
      for (const name of answer.faultyParameters ?? []) missing.delete(`${address} ${name}: faulty`);
      // Others are ignored, at the page of a record.
      const isOwn = (piece: string) => routes.get(address)!.parameters.has(piece.split('=')[0]!);
      const pieces = answer.status === 200 ? queryString.split('&').filter(isOwn) : [];
      for (const piece of pieces) {
        const [name = '', value = ''] = decodeURIComponent(piece.replaceAll('+', ' ')).split('=');
        const effects = ['', ...keysIn(value)].map((key) => `${address} ${name} ${key}`);
        if (!effects.some((effect) => missing.has(effect))) continue;
        const rest = pieces.filter((other) => other !== piece).join('&');
        const without = expectedAnswer(record, path, rest);
        if (without.status === 200 && expectedText(without) === expectedText(answer)) continue;
        for (const effect of effects) missing.delete(effect);
      }
    }
  expect([...missing]).toEqual([]);
});
