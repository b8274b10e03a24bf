/** The record that a browser keeps is whole: an answer that is no manifest, and a newer snapshot that it has in part, replace nothing. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { keepRecordMessage } from '../../build/site/shared/hosting.ts';
import { compileInMemory } from '../records/build.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** A cache of a browser, by the address of a file. */
class KeptFiles {
  readonly #responses = new Map<string, Response>();

  put = async (path: string, response: Response) => void this.#responses.set(path, response);
  match = async (path: string) => this.#responses.get(path)?.clone();
  keys = async () =>
    [...this.#responses.keys()].map((path) => ({ url: new URL(path, 'https://awards.example').href }));
  delete = async ({ url }: { url: string }) => this.#responses.delete(new URL(url).pathname);

  async bytes(): Promise<Map<string, Buffer>> {
    const entries = [...this.#responses].map(
      async ([path, response]) => [path.slice(1), Buffer.from(await response.clone().arrayBuffer())] as const,
    );
    return new Map(await Promise.all(entries));
  }
}

/** What the host sends at a path; undefined where it cannot be reached. */
let host: (path: string) => Uint8Array | undefined;
let record: KeptFiles;
/** Asks the worker to keep the record, and waits until it has ended. */
let keepRecord: () => Promise<unknown>;

beforeEach(async () => {
  record = new KeptFiles();
  const listeners = new Map<string, (event: object) => void>();
  const addEventListener = (type: string, listener: (event: object) => void) => listeners.set(type, listener);
  vi.stubGlobal('self', { addEventListener });
  vi.stubGlobal('site', { version: 'a', paths: [] });
  vi.stubGlobal('caches', { open: async () => record, match: (path: string) => record.match(path) });
  vi.stubGlobal('fetch', async (path: string) => {
    const bytes = host(path.slice(1));
    if (bytes === undefined) throw new TypeError('Failed to fetch');
    return new Response(bytes as Uint8Array<ArrayBuffer>);
  });
  vi.resetModules();
  await import('../../build/site/service-worker.ts');
  keepRecord = () =>
    new Promise((resolve) => {
      listeners.get('message')!({ data: keepRecordMessage, waitUntil: resolve });
    });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The manifest and the shards of two snapshots that differ in a title. */
async function snapshots(): Promise<[Files, Files]> {
  const connection = memoryDatabase(fillWithTinyRecord);
  const filesNow = async () => {
    const { files } = await compileInMemory(connection);
    return new Map([...files].filter(([path]) => path === manifestPath || path.startsWith('shards/')));
  };
  const before = await filesNow();
  connection.exec("UPDATE movies SET title = 'Another' WHERE id = 1");
  return [before, await filesNow()];
}
const bytesOf = (files: Files) => new Map([...files].map(([path, bytes]) => [path, Buffer.from(bytes)]));

test('the page of a network that asks to sign in is kept neither as the manifest nor as a shard', async () => {
  const [files] = await snapshots();
  const signIn = Buffer.from('<html>Sign in</html>');
  host = () => signIn;
  await keepRecord();
  expect(await record.bytes()).toEqual(new Map());
  host = (path) => (path === manifestPath ? files.get(path) : signIn);
  await keepRecord();
  expect([...(await record.bytes()).keys()]).toEqual([manifestPath]);
  host = (path) => files.get(path);
  await keepRecord();
  expect(await record.bytes()).toEqual(bytesOf(files));
});

test('a newer snapshot replaces the one that is kept when all its shards are there', async () => {
  const [before, after] = await snapshots();
  host = (path) => before.get(path);
  await keepRecord();
  const added = [...after.keys()].filter((path) => !before.has(path));
  expect(added.length).toBeGreaterThan(1);
  for (const lost of added) {
    host = (path) => (path === lost ? undefined : after.get(path));
    await keepRecord();
    const kept = await record.bytes();
    for (const [path, bytes] of bytesOf(before))
      expect([lost, path, kept.get(path)]).toEqual([lost, path, bytes]);
  }
  host = (path) => after.get(path);
  await keepRecord();
  expect(await record.bytes()).toEqual(bytesOf(after));
});
