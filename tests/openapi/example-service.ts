/** A service that takes writes over the sample, and what it answers to the requests that the document shows. */
import { join } from 'node:path';
import {
  type ExampleRequest,
  exampleMoment,
  exampleRequests,
} from '../../api/contract/openapi/example-requests.ts';
import { openWriting } from '../../api/serve/writing.ts';
import { build } from '../support/build.ts';
import { createKey } from '../../data/keys.ts';
import { openDatabase } from '../../data/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { type Reply, startService } from '../service/running-service.ts';
import { temporaryFolder } from '../service/temporary-folder.ts';

export interface ExampleReply {
  request: ExampleRequest;
  reply: Reply;
}

/** Asks every example, in order. @returns name → request and reply */
export async function askExamples(): Promise<Map<string, ExampleReply>> {
  const folder = temporaryFolder();
  const connection = openDatabase(join(folder, 'awards.db'));
  fillWithSample(connection);
  const out = join(folder, 'dist');
  // Without the description itself, which the examples are a part of.
  await build(connection, out);
  const key = createKey(connection, 'editor', new Date());
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const writing = await openWriting({ db: connection.name, out, writeLimit: 0, onError });
  const service = await startService(out, { writing, onError });
  const replies = new Map<string, ExampleReply>();
  for (const [name, request] of Object.entries(exampleRequests))
    replies.set(name, { request, reply: await service.ask(request.target, asking(request, key)) });
  await service.stop();
  await writing.close();
  connection.close();
  if (failures.length > 0) throw failures[0];
  return replies;
}

function asking({ method, body, headers = {}, withoutKey, target }: ExampleRequest, key: string) {
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

/** What the document says of a reply: its status and its body, with a fixed moment for the one in which a receipt was written. */
export function shownOf({ status, body }: Reply): { status: number; body: unknown } {
  const text = body.toString().replace(/"at":"[^"]*"/g, `"at":"${exampleMoment}"`);
  return { status, body: JSON.parse(text) };
}
