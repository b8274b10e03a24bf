/** A stand-in for the write service that answers with the request it received, and the check that a host forwards writes. */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { clientHeader, secretHeader } from '../../api/edge/write-forwarding.ts';
import { type Loopback, listen } from '../support/loopback.ts';

/** A write as it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** In Base64. */
  body: string;
}

/** The secret that the hosts under test send to the write service. */
export const secret = 'a secret';

/** Answers every request 201 with an Arrived as JSON. */
export function startWriteEcho(): Promise<Loopback> {
  return listen(
    createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(await request.toArray()).toString('base64');
      response.writeHead(201, { 'Content-Type': 'application/json', ETag: '"of the echo"', Location: url });
      response.end(JSON.stringify({ method, url, headers, body } satisfies Arrived));
    }),
  );
}

/** Sends a write of many packets to a host that forwards to an echo. @throws AssertionError if anything differs */
export async function expectForwardsWrites(origin: string): Promise<void> {
  const body = JSON.stringify({ title: 'é'.repeat(50_000) });
  const forged = { [clientHeader]: 'forged', [secretHeader]: 'forged' };
  // A compressed answer would have a weak tag.
  const plain = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  for (const [method, url] of [
    ['POST', '/api/movies?a=b'],
    ['PATCH', '/api/movies/1'],
  ] as const) {
    const headers = { ...plain, ...forged, 'x-api-key': 'key' };
    const answer = await fetch(origin + url, { method, headers, body });
    assert.deepEqual([answer.status, answer.headers.get('etag')], [201, '"of the echo"']);
    const arrived = (await answer.json()) as Arrived;
    assert.deepEqual([arrived.method, arrived.url], [method, url]);
    assert.equal(arrived.body, Buffer.from(body).toString('base64'));
    assert.deepEqual([arrived.headers['x-api-key'], arrived.headers[secretHeader]], ['key', secret]);
    assert.notEqual(arrived.headers[clientHeader], 'forged');
  }
}
