/**
 * The promise: while the database cannot be read, neither a key nor a receipt can be looked up. The service answers 503; reading
 * goes on, and so does the service.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxWaitingWrites } from '../../api/contract/limits.ts';
import { openWriting, type Writing } from '../../api/write/writing.ts';
import { openDatabase } from '../../data/database/open.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { project } from '../support/project.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { Client, Fixture } from '../support/workspace.ts';
import { failCalls } from '../support/intercepted-calls.ts';

const at = useWorkspace();
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

test('a write beyond those that may wait is refused at once, and changes nothing; the others are carried out', async () => {
  const order = { resource: 'movies', id: 1, ifMatch: undefined, key: 'editor' } as const;
  const waiting = Array.from({ length: maxWaitingWrites }, () => writing.write({ ...order, body: {} }));
  expect(await writing.write({ ...order, body: { title: 'Beyond' } })).toEqual({
    problem: 'writing-unavailable',
    detail: 'too many writes wait for their turn; nothing was changed',
  });
  for (const outcome of await Promise.all(waiting)) expect(outcome).toHaveProperty('data');
  expect(await client.read('/api/movies/1')).not.toMatchObject({ title: 'Beyond' });
  expect((await client.write('/api/movies/1', { title: 'Afterwards' })).status).toBe(200);
});

test.each([
  ['SQLITE_IOERR_READ', 'the disk of the database reports an error'],
  ['SQLITE_READONLY', 'the service may only read the database'],
  ['SQLITE_BUSY', 'another program is writing to the database'],
  ['SQLITE_CANTOPEN', 'the database or its log cannot be opened'],
  ['SQLITE_CORRUPT', 'the database is damaged'],
  ['SQLITE_NOTADB', 'the database is damaged'],
] as const)('%s: the answer says that %s', async (database, cause) => {
  const error = { from: 1, calls: 1000, file: 'EIO', database, undone: false } as const;
  const interception = failCalls(workspace.db, error);
  try {
    for (const ask of [() => client.write('/api/movies/1', { title: 'Never' }), () => client.receipts()]) {
      const { status, headers, body } = await ask();
      expect({ status, headers }).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(JSON.parse(body.toString())).toMatchObject({ detail: `${cause}; nothing was changed` });
    }
    expect(interception.calls).toBeGreaterThan(1);
    expect((await client.get('/api/movies/1')).status).toBe(200);
  } finally {
    interception.end();
  }
  expect(service.failures.splice(0)).toHaveLength(2);
  expect((await client.write('/api/movies/1', { title: `After ${database}` })).status).toBe(200);
  expect((await client.receipts()).status).toBe(200);
});

test('a database that cannot be opened once more stays locked for the service', () => {
  const error = { from: 1, calls: 1, file: 'EIO', database: 'SQLITE_CANTOPEN', undone: false } as const;
  const interception = failCalls(workspace.db, error);
  try {
    expect(() => openDatabase(workspace.db)).toThrow(/^cannot open the database/);
  } finally {
    interception.end();
  }
  // Such a connection uses the database alone, without the index of the log.
  const script = `const connection = require('better-sqlite3')(${JSON.stringify(workspace.db)}, { timeout: 0 });
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('DELETE FROM lineage');`;
  const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8' });
  expect(stderr).toContain('database is locked');
});
