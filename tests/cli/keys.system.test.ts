/** The promise: a key is created and printed once, listed, and revoked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createKey, findKey, touchKey } from '../../data/record/keys.ts';
import { inDatabase, writeDatabase } from '../snapshot/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { awards, stdoutOf } from '../support/processes.ts';

const form = /^fa_[0-9A-Za-z]{36}$/;
let file: string;
beforeAll(() => {
  file = join(temporaryFolder(), 'awards.db');
  writeDatabase(file, () => {});
});

const words = (own: readonly string[]) => ['keys', ...own, '--db', file];
const keys = (...own: string[]) => awards(words(own));
const done = (...own: string[]) => stdoutOf(words(own));

it('"list" of no keys says how to create one', async () => {
  expect(await done('list')).toBe('no keys yet; "awards keys create NAME" makes one\n');
  expect(JSON.parse(await done('list', '--json'))).toEqual({ keys: [] });
});

it('"create" prints a key on a line of its own, and how to use it; the key works, and is never shown again', async () => {
  const [key = '', blank, sentence, ...rest] = (await done('create', 'editor')).split('\n');
  expect(key).toMatch(form);
  expect(blank).toBe('');
  expect(sentence).toMatch(/^Send it as the header "x-api-key" .* cannot be shown again\.$/);
  expect(rest).toEqual(['']);
  expect(inDatabase(file, (connection) => findKey(connection, key))).toBe('editor');
  expect(await done('list')).not.toContain(key.slice(0, 10));
  expect(readFileSync(file, 'latin1')).not.toContain(key.slice(3, 20));
});

it('"create" refuses a name that is taken, and keeps the key', async () => {
  const stderr = 'awards: there is a key named "editor" already; choose another name\n';
  expect(await keys('create', 'editor')).toMatchObject({ code: 1, stdout: '', stderr });
});

it('"revoke" ends a key, once', async () => {
  const key = inDatabase(file, (connection) => createKey(connection, 'leaver', new Date()));
  expect(await done('revoke', 'leaver')).toMatch(/^the key "leaver" is revoked: .*\n$/);
  expect(inDatabase(file, (connection) => findKey(connection, key))).toBeUndefined();
  const stderr = expect.stringMatching(/^awards: the key "leaver" was revoked already, at .*Z\n$/);
  expect(await keys('revoke', 'leaver')).toMatchObject({ code: 1, stderr });
});

it('"list" is a table, ascending by name', async () => {
  inDatabase(file, (connection) => {
    createKey(connection, 'a-rather-long-name', new Date('2025-03-02T12:00:59.999Z'));
    touchKey(connection, 'a-rather-long-name', new Date('2025-03-03T08:30:00.000Z'));
  });
  const lines = (await done('list')).trimEnd().split('\n');
  const minute = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC';
  expect(lines).toEqual([
    'NAME                CREATED               LAST USED             STATE',
    'a-rather-long-name  2025-03-02 12:00 UTC  2025-03-03 08:30 UTC  active',
    expect.stringMatching(new RegExp(`^editor {14}${minute}  never {17}active$`)),
    expect.stringMatching(new RegExp(`^leaver {14}${minute}  never {17}revoked ${minute}$`)),
  ]);
});

it('--json prints one line each', async () => {
  const created = JSON.parse(await done('create', 'machine', '--json')) as { name: string; key: string };
  expect(Object.keys(created)).toEqual(['name', 'key']);
  expect(created.key).toMatch(form);
  const time = expect.stringMatching(/^[0-9T:.-]+Z$/);
  expect(JSON.parse(await done('revoke', 'machine', '--json'))).toEqual({
    name: 'machine',
    revokedAt: time,
  });
  const listed = await done('list', '--json');
  expect(listed).toMatch(/^\{.*\}\n$/);
  expect((JSON.parse(listed) as { keys: unknown[] }).keys.at(-1)).toEqual({
    name: 'machine',
    createdAt: time,
    lastUsedAt: null,
    revokedAt: time,
  });
});
