/**
 * The OpenAPI document describes the status, all headers and the body of every answer of the service, and its examples are
 * answers over the sample. To write them again: `AWARDS_WRITE_EXAMPLES=1 npx vitest run tests/http/openapi-answers.system.test.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { writableResources } from '../../api/contract/names.ts';
import { type Example, examples } from '../../api/contract/openapi/examples.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { conformanceRequests } from '../conformance/requests.ts';
import type { Reply } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { undescribed } from './openapi-described.ts';
import { type Asking, inProcess, type Service, useInProcess } from './running-service.ts';
import { startWritingService, useWritingService } from './writing-service.ts';

const reading = useInProcess({ readLimit: 100_000 }, undefined, ['pages', 'site']);
const writing = useWritingService({ writeLimit: 100_000, proxies: ['127.0.0.1'] });

const faultsOf = (method: string, target: string, { status, headers, body }: Reply): string[] => {
  const values = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return undescribed(method, target, { status, headers: values, body });
};
/** Asks, and fails unless the document describes the answer. @returns its status */
async function described(service: Service, target: string, asking: Asking = {}): Promise<number> {
  const reply = await service.ask(target, asking);
  expect(faultsOf(asking.method ?? 'GET', target, reply), JSON.stringify(asking).slice(0, 300)).toEqual([]);
  return reply.status;
}

it('the answers to all conformance requests', async () => {
  const statuses = new Set<number>();
  for (const { method, target, ifNoneMatch } of conformanceRequests) {
    const headers = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch, 'X-Request-Id': 'mine' };
    statuses.add(await described(reading.service, target, { method, headers }));
  }
  expect([...statuses].sort()).toEqual([200, 204, 304, 400, 404, 405]);
});

it.each<[string, number, () => Service]>([
  ['with an exhausted limit', 429, () => inProcess(reading.built.out, { readLimit: 1 })],
  ['without a snapshot', 503, () => inProcess(join(temporaryFolder(), 'none'))],
])('the answers of a service %s: %i', async (_name, status, start) => {
  const service = start();
  await service.ask('/api/movies');
  for (const target of ['/api/movies', '/api/movies/1', '/api/openapi.json', '/api/search?q=ann'])
    expect([target, await described(service, target)]).toEqual([target, status]);
  await service.stop();
});

it.each<[string, Asking]>([
  ['have no key', { headers: { 'x-api-key': [] } }],
  ['have a wrong key', { headers: { 'x-api-key': 'fa_wrong', 'X-Forwarded-For': '198.51.100.1' } }],
  ['have a wrong type', { headers: { 'Content-Type': 'text/plain' } }],
  ['are too large', { body: ' '.repeat(maxBodyBytes + 1) }],
  ['are no JSON', { body: '{' }],
  ['are no object', { body: '[]' }],
  ['are empty', { body: '{}', headers: { 'X-Request-Id': 'mine' } }],
  ['have an unknown field', { body: '{"titel":1,"id":0}' }],
  ['expect another state', { body: '{"id":1000}', headers: { 'If-Match': '"x"' } }],
])('the answers to writes that %s', async (_name, { headers, body = '{}' }) => {
  const { service } = writing;
  const sent = {
    headers: { 'x-api-key': service.key, 'Content-Type': 'application/json', ...headers },
    body,
  };
  await described(service, '/api/batch', { method: 'POST', ...sent });
  for (const resource of writableResources) {
    await described(service, `/api/${resource}`, { method: 'POST', ...sent });
    for (const id of ['1', '999999', 'none'])
      for (const method of ['PATCH', 'DELETE'])
        await described(service, `/api/${resource}/${id}`, { method, ...sent });
  }
});

it('the answers of the receipts, with and without a key', async () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
    for (const path of ['', '/1', '/99', '?before=x', '?limit=1'])
      for (const headers of [{}, { 'x-api-key': writing.service.key }])
        await described(writing.service, `/receipts${path}`, { method, headers });
});

const isWriting = process.env.AWARDS_WRITE_EXAMPLES === '1';
const replies = new Map<string, Reply>();
beforeAll(async () => {
  // Without the OpenAPI document, which contains the examples.
  const service = await startWritingService([fillWithSample]);
  // In their order: later requests read what earlier ones wrote.
  for (const [name, example] of Object.entries(examples))
    replies.set(name, await service.ask(example.target, askingOf(example, service.key)));
  await service.stop();
  service.connection.close();
  if (!isWriting) return;
  const lines = [...replies].map(
    ([name, reply]) => `  "${name}": ${JSON.stringify({ ...examples[name], ...shownOf(reply) })}`,
  );
  const file = new URL('../../api/contract/openapi/examples.json', import.meta.url);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
});

function askingOf({ method, body, headers = {}, withoutKey, target }: Example, key: string): Asking {
  const isSecured = !withoutKey && (method !== 'GET' || target.startsWith('/receipts'));
  const type = body !== undefined && { 'Content-Type': 'application/json' };
  const sent = body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return { method, headers: { ...(isSecured && { 'x-api-key': key }), ...type, ...headers }, ...sent };
}

/** The reply as the document shows it: with a fixed time of receipts. */
function shownOf({ status, body }: Reply): { status: number; answer: unknown } {
  const text = body.toString().replace(/"at":"[^"]*"/g, '"at":"2026-03-16T09:30:00.000Z"');
  return { status, answer: JSON.parse(text) };
}

it.skipIf(isWriting)('each example is the answer of the service, and described', () => {
  for (const [name, { method, target, status, answer }] of Object.entries(examples)) {
    const reply = replies.get(name)!;
    expect(shownOf(reply), name).toEqual({ status, answer });
    expect(faultsOf(method, target, reply), name).toEqual([]);
  }
});
