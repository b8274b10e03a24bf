/**
 * A running service over a database of its own with the nasty record, and a client for editors. After the last test of a file:
 * the folder is equal to a clean build, the database is intact, and the service has reported no failure of its own.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import type { ReceiptDocument } from '../../api/contract/answers.ts';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { ServiceOptions } from '../../api/server/app.ts';
import { openWriting, type Writing } from '../../api/write/writing.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { createKey } from '../../data/record/keys.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { expectedAnswer, expectedText } from '../records/oracle/oracle.ts';
import { loadPlainRecord } from '../records/record.ts';
import { verify } from '../records/build.ts';
import type { Reply } from './http.ts';
import {
  type Asking,
  builtFolder,
  expectProblem,
  type RunningService,
  startService,
} from './running-service.ts';

export interface WritingService extends RunningService {
  /** Another connection to the database. */
  connection: Connection;
  /** Folder of the snapshot. */
  out: string;
  /** A valid key. */
  key: string;
  /** Sends a write with the key. Text and bytes are sent as they are, other bodies as JSON. */
  write(method: 'POST' | 'PATCH', target: string, body: Body, headers?: Asking['headers']): Promise<Reply>;
  /** Sends a DELETE with the key. */
  remove(target: string, headers?: Asking['headers']): Promise<Reply>;
  /** The document at an address; fails unless the status is 200. */
  read<Document = Record<string, unknown>>(target: string): Promise<Document>;
  /** The id of the snapshot in the folder. */
  snapshot(): string;
  /** Number of receipts: of writes that changed something. */
  receipts(): number;
}

type Body = JsonValue | Uint8Array;

export interface WritingOptions {
  timeouts?: ServiceOptions['timeouts'];
  proxies?: readonly string[];
  /** Writes per minute and key; default 0, for no limit. */
  writeLimit?: number;
  environmentKey?: string;
  /** Changes what writes go to, before the service starts. */
  adapt?: (writing: Writing) => Writing;
}

/** The nasty record, with the ids 1, 2 and 3 in every resource. */
function fill(connection: Connection): void {
  fillWithNastyRecord(connection);
  connection.exec(`
    INSERT INTO movies (id, title) VALUES (3, 'Third Film');
    INSERT INTO songs (id, original_title) VALUES (2, 'Second Song'), (3, 'Third Song');
    INSERT OR IGNORE INTO honors (id, ceremony_id, class, category) VALUES
      (1, 1, 'Special', 'PLAQUE'), (2, 2, 'SciTech', 'PLAQUE'), (3, 3, 'Special', 'PLAQUE');
  `);
}

/**
 * Starts a service over a new database with an editor's key. The function `stop` fails if the service has reported a failure,
 * and leaves the database open.
 */
export async function startWritingService(
  record: Parameters<typeof builtFolder>,
  { timeouts, proxies = [], writeLimit = 0, environmentKey, adapt = (it) => it }: WritingOptions = {},
): Promise<WritingService> {
  const { connection, out } = await builtFolder(...record);
  const key = createKey(connection, 'editor', new Date());
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const writing = await openWriting({ db: connection.name, out, writeLimit, environmentKey, onError });
  const layers = record[1];
  const options = { writing: adapt(writing), proxies, layers, onError, ...(timeouts && { timeouts }) };
  const reading = await startService(out, options);
  const receipts = connection.prepare<[], number>('SELECT count(*) FROM receipts').pluck();
  const folder = new OutputFolder(out);
  return {
    ...reading,
    failures,
    connection,
    out,
    key,
    write: (method, target, body, headers = {}) =>
      reading.ask(target, {
        method,
        headers: { 'x-api-key': key, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    remove: (target, headers = {}) =>
      reading.ask(target, { method: 'DELETE', headers: { 'x-api-key': key, ...headers } }),
    async read<Document>(target: string) {
      const reply = await reading.ask(target);
      expect(reply.status, target).toBe(200);
      return documentOf(reply) as Document;
    },
    snapshot: () => folder.manifest()!.snapshot,
    receipts: () => receipts.get()!,
    async stop() {
      await reading.stop();
      await writing.close();
      expect(failures).toEqual([]);
    },
  };
}

/** One service with the nasty record for all tests of a file. */
export function useWritingService(options?: WritingOptions): { service: WritingService } {
  const running = {} as { service: WritingService };
  beforeAll(async () => {
    running.service = await startWritingService([fill, []], options);
  });
  afterAll(async () => {
    const { service } = running;
    await service.stop();
    expect((await verify(service.connection, service.out, [])).differences).toEqual([]);
    expect(service.connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(service.connection.pragma('foreign_key_check')).toEqual([]);
    service.connection.close();
  });
  return running;
}

export const documentOf = (reply: Reply): Record<string, JsonValue> =>
  JSON.parse(reply.body.toString()) as Record<string, JsonValue>;

/** A receipt. @param from its address, or the answer to the write that left it */
export async function receiptOf(service: WritingService, from: Reply | string): Promise<ReceiptDocument> {
  const address = typeof from === 'string' ? from : String(from.headers.receipt);
  const reply = await service.ask(address, { headers: { 'x-api-key': service.key } });
  expect(reply.status).toBe(200);
  return documentOf(reply) as unknown as ReceiptDocument;
}

/** Fails unless a write is refused and nothing is changed. @returns its faults, each as "pointer: message" */
export async function faultsOf(
  service: WritingService,
  status: number,
  send: () => Promise<Reply>,
): Promise<string[]> {
  const before = [service.receipts(), service.snapshot()];
  const reply = await send();
  expectProblem(reply.body, status);
  expect([service.receipts(), service.snapshot()]).toEqual(before);
  const { errors = [], detail } = documentOf(reply) as unknown as {
    errors?: { pointer: string; message: string }[];
    detail: string;
  };
  for (const { message } of errors.slice(0, 5)) expect(detail).toContain(message);
  return errors.map(({ pointer, message }) => `${pointer}: ${message}`);
}

/** Fails unless GET answers with the bytes that the oracle makes from the database. */
export async function expectShown(service: WritingService, ...addresses: readonly string[]): Promise<void> {
  const record = loadPlainRecord(service.connection);
  for (const address of addresses) {
    const [path = '', ...rest] = address.split('?');
    const expected = expectedAnswer(record, path, rest.join('?'));
    const { status, body } = await service.ask(address);
    expect(status, address).toBe(expected.status);
    if (status === 200) expect(body.toString(), address).toBe(expectedText(expected));
  }
}
