/** The life of a key at the command line: made and shown once, listed, revoked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createKey, findKey, isWellFormedKey, touchKey } from '../../data/keys.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { awards } from './awards.ts';

removeTemporaryFolders();

let file: string;
beforeAll(() => {
  file = join(temporaryFolder(), 'awards.db');
  openDatabase(file).close();
});

function inDatabase<T>(work: (connection: Connection) => T): T {
  const connection = openDatabase(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** Runs a command about keys that must succeed. @returns its stdout */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await awards(['keys', ...words, '--db', file]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

it('without any, the list says how to make one', async () => {
  expect(await said('list')).toBe('no keys yet; "awards keys create NAME" makes one\n');
  expect(JSON.parse(await said('list', '--json'))).toEqual({ keys: [] });
});

it('"create" shows a key on a line of its own, and how to use it; it works, and is never shown again', async () => {
  const [key = '', blank, sentence, ...rest] = (await said('create', 'editor')).split('\n');
  expect(isWellFormedKey(key)).toBe(true);
  expect(blank).toBe('');
  expect(sentence).toMatch(/^Send it as the header "x-api-key" .* cannot be shown again\.$/);
  expect(rest).toEqual(['']);
  expect(inDatabase((connection) => findKey(connection, key))).toBe('editor');
  expect(await said('list')).not.toContain(key.slice(0, 10));
  expect(readFileSync(file, 'latin1')).not.toContain(key.slice(3, 20));
});

it('"create" of a name that is taken is refused, and the key stays as it is', async () => {
  const { code, stdout, stderr } = await awards(['keys', 'create', 'editor', '--db', file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe('awards: there is a key named "editor" already; choose another name\n');
});

it('"revoke" ends a key, once', async () => {
  const key = inDatabase((connection) => createKey(connection, 'leaver', new Date()));
  expect(await said('revoke', 'leaver')).toBe(
    'the key "leaver" is revoked: nothing can be written with it any more\n',
  );
  expect(inDatabase((connection) => findKey(connection, key))).toBeUndefined();
  const again = await awards(['keys', 'revoke', 'leaver', '--db', file]);
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/^awards: the key "leaver" was revoked already, at .*Z\n$/);
});

it('"list" is a table, ascending by name', async () => {
  inDatabase((connection) => {
    createKey(connection, 'a-rather-long-name', new Date('2025-03-02T12:00:59.999Z'));
    touchKey(connection, 'a-rather-long-name', new Date('2025-03-03T08:30:00.000Z'));
  });
  const lines = (await said('list')).trimEnd().split('\n');
  const minute = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC';
  expect(lines).toEqual([
    'NAME                CREATED               LAST USED             STATE',
    'a-rather-long-name  2025-03-02 12:00 UTC  2025-03-03 08:30 UTC  active',
    expect.stringMatching(new RegExp(`^editor {14}${minute}  never {17}active$`)),
    expect.stringMatching(new RegExp(`^leaver {14}${minute}  never {17}revoked ${minute}$`)),
  ]);
});

it('--json prints one line each', async () => {
  const created = JSON.parse(await said('create', 'machine', '--json')) as { name: string; key: string };
  expect(Object.keys(created)).toEqual(['name', 'key']);
  expect(isWellFormedKey(created.key)).toBe(true);
  const time = expect.stringMatching(/^[0-9T:.-]+Z$/);
  expect(JSON.parse(await said('revoke', 'machine', '--json'))).toEqual({ name: 'machine', revokedAt: time });
  const listed = await said('list', '--json');
  expect(listed).toMatch(/^\{.*\}\n$/);
  expect((JSON.parse(listed) as { keys: unknown[] }).keys.at(-1)).toEqual({
    name: 'machine',
    createdAt: time,
    lastUsedAt: null,
    revokedAt: time,
  });
});
