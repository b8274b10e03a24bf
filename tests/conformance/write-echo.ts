/** A stand-in for the write service that answers with the request it received, and the check that a runtime forwards writes. */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { clientHeader, secretHeader } from '../../api/edge/write-forwarding.ts';
import { type Loopback, listen } from '../support/loopback.ts';

/** A write as it arrived. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The secret that the runtimes under test send to the write service. */
export const secret = 'a secret';

/** Answers every request 201 with an Arrived as JSON. */
export function startWriteEcho(): Promise<Loopback> {
  return listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = '', url = '', headers } = request;
      const arrived: Arrived = { method, url, headers, body: Buffer.concat(chunks).toString() };
      response.writeHead(201, { 'Content-Type': 'application/json', ETag: '"of the echo"', Location: url });
      response.end(JSON.stringify(arrived));
    }),
  );
}

/** Sends writes of many packets to a runtime that forwards to an echo. @throws AssertionError if anything differs */
export async function expectForwardsWrites(origin: string): Promise<void> {
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
      // A compressed answer would have a weak tag.
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
