/**
 * The examples of the OpenAPI document are the answers of the service to the example requests over the sample. To write
 * them again after an intended change: `AWARDS_WRITE_EXAMPLES=1 npx vitest run tests/http/openapi-examples.system.test.ts`.
 */
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type Example, examples } from '../../api/contract/openapi/examples.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import type { Reply } from '../support/http.ts';
import { startWritingService } from './writing-service.ts';
import { undescribed } from './openapi-described.ts';

const isWriting = process.env.AWARDS_WRITE_EXAMPLES === '1';
const file = new URL('../../api/contract/openapi/examples.json', import.meta.url);

let replies: Map<string, Reply>;
beforeAll(async () => {
  replies = await askExamples();
  if (!isWriting) return;
  const lines = [...replies].map(
    ([name, reply]) => `  "${name}": ${JSON.stringify({ ...examples[name], ...shownOf(reply) })}`,
  );
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
});

/** Asks a service with writes over the sample for all examples, in order. */
async function askExamples(): Promise<Map<string, Reply>> {
  // Without the OpenAPI document, which contains the examples.
  const service = await startWritingService([fillWithSample]);
  const asked = new Map<string, Reply>();
  for (const [name, request] of Object.entries(examples))
    asked.set(name, await service.ask(request.target, optionsOf(request, service.key)));
  await service.stop();
  service.connection.close();
  return asked;
}

function optionsOf({ method, body, headers = {}, withoutKey, target }: Example, key: string) {
  const secured = !withoutKey && (method !== 'GET' || target.startsWith('/receipts'));
  return {
    method,
    headers: {
      ...(secured && { 'x-api-key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

const exampleTime = '2026-03-16T09:30:00.000Z';

/** The reply as the document shows it: with a fixed time of receipts. */
function shownOf({ status, body }: Reply): { status: number; answer: unknown } {
  const text = body.toString().replace(/"at":"[^"]*"/g, `"at":"${exampleTime}"`);
  return { status, answer: JSON.parse(text) };
}

it.skipIf(isWriting).each(Object.entries(examples))(
  'the example %s is the answer of the service (AWARDS_WRITE_EXAMPLES=1 writes it again)',
  (name, { status, answer }) => {
    expect({ status, answer }).toEqual(shownOf(replies.get(name)!));
  },
);

it.each(Object.entries(examples))('the document describes the answer %s', (name, request) => {
  const { status, headers, body } = replies.get(name)!;
  const values = Object.entries(headers).map(([header, value]) => [header, String(value)] as const);
  expect(undescribed(request.method, request.target, { status, headers: values, body })).toEqual([]);
});
