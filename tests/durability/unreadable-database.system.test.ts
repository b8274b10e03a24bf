/**
 * The promise: while the database cannot be read, neither a key nor a receipt can be looked up. The service answers 503; reading
 * goes on, and so does the service.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriting, type Writing } from '../../api/write/writing.ts';
import { type RunningService, startService } from '../http/running-service.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { Client, Fixture } from './fixture.ts';
import { failCalls } from './intercepted-calls.ts';

const at = useMemoryFolder();
const workspace = (await Fixture.prepare(at('original'))).copyTo(at('case'));
let writing: Writing;
let service: RunningService;
let client: Client;
beforeAll(async () => {
  writing = await openWriting({ ...workspace, writeLimit: 0, onError: () => {} });
  service = await startService(workspace.out, { writing });
  client = new Client(`http://127.0.0.1:${service.port}`);
});
afterAll(async () => {
  await service.stop();
  await writing.close();
});

test.each([
  'SQLITE_IOERR_READ',
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
] as const)('%s', async (database) => {
  const error = { from: 1, calls: 1000, file: 'EIO', database, undone: false } as const;
  const interception = failCalls(workspace.db, error);
  try {
    for (const ask of [() => client.write('/api/movies/1', { title: 'Never' }), () => client.receipts()])
      expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(interception.calls).toBeGreaterThan(1);
    expect((await client.get('/api/movies/1')).status).toBe(200);
  } finally {
    interception.end();
  }
  expect(service.failures.splice(0)).toHaveLength(2);
  expect((await client.write('/api/movies/1', { title: `After ${database}` })).status).toBe(200);
  expect((await client.receipts()).status).toBe(200);
});
