/**
 * The promise: where the service cannot even read the database, to know a key or a receipt, it says that it is out of order for
 * the moment; reading goes on, and so does the service.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriting, type Writing } from '../../api/serve/writing.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { Client } from './client.ts';
import { makeTrouble, type TransientError } from './failing-calls.ts';
import type { Place } from './place.ts';
import { Stage } from './stage.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();
let place: Place;
let writing: Writing;
let service: RunningService;
let client: Client;
const errors: unknown[] = [];
beforeAll(async () => {
  place = (await Stage.prepare(at('original'))).copyTo(at('case'));
  writing = await openWriting({ ...place, writeLimit: 0, onError: (error) => errors.push(error) });
  service = await startService(place.out, { writing });
  client = new Client(`http://127.0.0.1:${service.port}`);
});
afterAll(async () => {
  client.close();
  await service.stop();
  await writing.close();
});

/** What SQLite says of a database that cannot be read. */
const troubles = [
  'SQLITE_IOERR_READ',
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
] as const;

test.each(troubles)('%s', async (database) => {
  const trouble: TransientError = { from: 1, calls: 1000, file: 'EIO', database, undone: false };
  const interception = makeTrouble(place.db, trouble);
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
