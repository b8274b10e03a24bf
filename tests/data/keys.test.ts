/** Keys for writing: their form, their storage as digests, and their revocation. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { UserError } from '../../data/system/messages.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import {
  createKey,
  findKey,
  generateKey,
  type KeyEntry,
  listKeys,
  revokeKey,
  touchKey,
} from '../../data/record/keys.ts';
import { runs } from '../support/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const noon = new Date('2025-03-02T12:00:00.000Z');
const later = (milliseconds: number) => new Date(noon.getTime() + milliseconds);
let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});

it('a key has a prefix, 30 random characters and a CRC-32 of 6, and is unique', () => {
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const keys = Array.from({ length: runs(300) }, generateKey);
  for (const key of keys) {
    expect(key).toMatch(/^fa_[0-9A-Za-z]{36}$/);
    const checksum = [...key.slice(33)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
    expect(checksum).toBe(crc32(key.slice(0, 33)));
  }
  expect(new Set(keys).size).toBe(keys.length);
  expect([...new Set(keys.flatMap((key) => [...key.slice(3, 33)]))].sort()).toEqual(alphabet);
});

it('a name has 1 to 100 letters, digits, ".", "_" or "-"; any other is refused in one line', () => {
  for (const name of ['a', '7', 'Editor.of-the_Year', '-', 'x'.repeat(100), 'Environment'])
    expect(findKey(connection, createKey(connection, name, noon))).toBe(name);
  for (const name of ['', ' ', 'a b', 'é', 'a\n', 'a/b', "'", 'x'.repeat(101)]) {
    const create = () => createKey(connection, name, noon);
    expect(create, name).toThrow(UserError);
    expect(create, name).toThrow(/^[^\n]+ cannot be the name of a key: [^\n]+$/);
  }
  expect(listKeys(connection)).toHaveLength(6);
});

it('a name is refused that is taken, also by a revoked key, the environment, or imports', () => {
  const key = createKey(connection, 'editor', noon);
  const refused = (work: () => unknown, message: string) => expect(work).toThrow(new UserError(message));
  const create = (name: string) => () => createKey(connection, name, later(1));
  refused(create('editor'), 'there is a key named "editor" already; choose another name');
  revokeKey(connection, 'editor', noon);
  refused(create('editor'), 'there is a revoked key named "editor" already; choose another name');
  for (const name of ['environment', 'import']) expect(create(name)).toThrow(/choose another name$/);
  const revoke = (name: string) => () => revokeKey(connection, name, later(1));
  refused(revoke('editor'), 'the key "editor" was revoked already, at 2025-03-02T12:00:00.000Z');
  refused(revoke('no\none'), 'there is no key named "no\\none"; "awards keys list" shows all');
  expect(listKeys(connection)).toMatchObject([{ name: 'editor', revokedAt: noon.toISOString() }]);
  expect(findKey(connection, key)).toBeUndefined();
});

it('a key is found until it is revoked; the list has it by name, capitals first, with its times', () => {
  const action = fc.record({
    name: fc.constantFrom('b', 'a', 'B', '_', 'a.b', '1'),
    verb: fc.constantFrom('create', 'revoke', 'use'),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
      const database = openDatabase(':memory:');
      const keys = new Map<string, string>();
      const model = new Map<string, KeyEntry>();
      actions.forEach(({ name, verb }, step) => {
        const at = later(step * 3_600_000);
        const known = model.get(name);
        const isActive = known?.revokedAt === null;
        const createdAt = at.toISOString();
        if (verb === 'use') touchKey(database, name, at);
        else if (verb === 'create' ? known : !isActive)
          expect(() => (verb === 'create' ? createKey : revokeKey)(database, name, at)).toThrow(UserError);
        else if (verb === 'create') keys.set(name, createKey(database, name, at));
        else revokeKey(database, name, at);
        if (verb === 'create' && !known)
          model.set(name, { name, createdAt, lastUsedAt: null, revokedAt: null });
        if (verb === 'use' && known) known.lastUsedAt = createdAt;
        if (verb === 'revoke' && isActive) known.revokedAt = createdAt;
      });
      const entries = [...model.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(listKeys(database)).toEqual(entries);
      for (const [name, key] of keys)
        expect(findKey(database, key)).toBe(model.get(name)!.revokedAt === null ? name : undefined);
      database.close();
    }),
    { numRuns: runs(40) },
  );
});

it('a use is recorded once a minute, and waits for another writer only then', () => {
  const file = join(temporaryFolder(), 'busy.db');
  const [writer, reader] = [openDatabase(file), openDatabase(file, { timeoutMs: 0 })];
  createKey(writer, 'editor', noon);
  const lastUse = () => listKeys(writer)[0]!.lastUsedAt;
  for (const milliseconds of [0, 1, 59_999, 60_000]) touchKey(reader, 'editor', later(milliseconds));
  expect(lastUse()).toBe(noon.toISOString());
  writer.exec('BEGIN IMMEDIATE');
  expect(() => touchKey(reader, 'editor', later(60_000))).not.toThrow();
  expect(() => touchKey(reader, 'editor', later(60_001))).toThrow(/in use by another writer/);
  writer.exec('ROLLBACK');
  touchKey(reader, 'editor', later(60_001));
  touchKey(reader, 'environment', noon);
  expect(listKeys(writer)).toMatchObject([{ name: 'editor', lastUsedAt: later(60_001).toISOString() }]);
  writer.close();
  reader.close();
});
