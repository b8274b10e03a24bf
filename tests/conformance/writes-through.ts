/** Whether a runtime hands writes through: tried with both methods and a body of many packets. */
import assert from 'node:assert/strict';
import { clientHeader, secretHeader } from '../../api/contract/forwarding.ts';
import type { Arrived } from './write-echo.ts';

/** What the runtimes under test show the write service. */
export const secret = 'a secret';

/** Writes to a runtime behind which an echo takes the writes. @throws AssertionError if anything is lost or made up */
export async function expectWritesThrough(origin: string): Promise<void> {
  for (const [method, path] of [
    ['POST', '/api/movies?a=b'],
    ['PATCH', '/api/movies/1'],
  ] as const) {
    const body = JSON.stringify({ title: 'é'.repeat(50_000) });
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'key',
      [clientHeader]: 'forged',
      [secretHeader]: 'forged',
      // Compressed on the way, an answer has a weak tag.
      'accept-encoding': 'identity',
    };
    const answer = await fetch(origin + path, { method, headers, body });
    assert.equal(answer.status, 201, await answer.clone().text());
    assert.equal(answer.headers.get('etag'), '"of the echo"');
    const arrived = (await answer.json()) as Arrived;
    assert.deepEqual([arrived.method, arrived.url, arrived.body], [method, path, body]);
    assert.equal(arrived.headers['x-api-key'], 'key');
    assert.equal(arrived.headers[secretHeader], secret);
    assert.notEqual(arrived.headers[clientHeader], 'forged');
  }
}
