/** Keys for writing: their form, their storage as digests, and their revocation. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createKey,
  findKey,
  generateKey,
  type KeyEntry,
  listKeys,
  revokeKey,
  touchKey,
} from '../../data/record/keys.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { UserError } from '../../build/system/messages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runs } from '../support/settings.ts';

const noon = new Date('2025-03-02T12:00:00.000Z');
const later = (milliseconds: number) => new Date(noon.getTime() + milliseconds);

describe('a generated key', () => {
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

  it('has a prefix, 30 random characters and a CRC-32 of 6, and is unique', () => {
    const keys = Array.from({ length: runs(800) }, generateKey);
    for (const key of keys) {
      expect(key).toMatch(/^fa_[0-9A-Za-z]{36}$/);
      const checksum = [...key.slice(33)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
      expect(checksum).toBe(crc32(key.slice(0, 33)));
    }
    expect(new Set(keys).size).toBe(keys.length);
    const random = new Set(keys.flatMap((key) => [...key.slice(3, 33)]));
    expect([...random].sort()).toEqual(alphabet);
  });
});

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});
afterEach(() => connection.close());

describe('creating a key', () => {
  it.each(['a', '7', 'Editor.of-the_Year', '-', 'x'.repeat(100), 'Environment'])(
    'accepts the name %j',
    (name) => {
      const key = createKey(connection, name, noon);
      expect(findKey(connection, key)).toBe(name);
    },
  );

  it.each(['', ' ', 'a b', 'é', 'a\n', 'a/b', "'", 'x'.repeat(101)])(
    'refuses the name %j in one line',
    (name) => {
      expect(() => createKey(connection, name, noon)).toThrow(UserError);
      expect(() => createKey(connection, name, noon)).toThrow(/^[^\n]+ cannot be the name of a key: [^\n]+$/);
      expect(listKeys(connection)).toEqual([]);
    },
  );

  it('refuses a name that is taken, also by a revoked key, by the key from the environment, or by imports', () => {
    const key = createKey(connection, 'editor', noon);
    const again = () => createKey(connection, 'editor', later(1));
    expect(again).toThrow(new UserError('there is a key named "editor" already; choose another name'));
    revokeKey(connection, 'editor', noon);
    expect(again).toThrow(
      new UserError('there is a revoked key named "editor" already; choose another name'),
    );
    expect(() => createKey(connection, 'environment', noon)).toThrow(/AWARDS_API_KEY; choose another name/);
    expect(() => createKey(connection, 'import', noon)).toThrow(/stands for imports.*choose another name/);
    expect(listKeys(connection)).toHaveLength(1);
    expect(findKey(connection, key)).toBeUndefined();
  });

  it('is checked by the schema: digests are well formed and unique', () => {
    const insert = (name: string, digest: unknown) => () =>
      connection
        .prepare("INSERT INTO api_keys (name, digest, created_at) VALUES (?, ?, '')")
        .run(name, digest);
    for (const bad of [null, '', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(63)}g`])
      expect(insert('bad', bad)).toThrow(/constraint/);
    expect(insert('good', 'a'.repeat(64))).not.toThrow();
    expect(insert('other', 'a'.repeat(64))).toThrow(/UNIQUE/);
  });
});

describe('a presented key', () => {
  it('is found until it is revoked; the list has it by name, capitals first, with its times, after any change of others', () => {
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
});

describe('the use of a key', () => {
  const lastUse = () => listKeys(connection)[0]!.lastUsedAt;

  it('is recorded once a minute', () => {
    createKey(connection, 'editor', noon);
    const writes = () => connection.prepare<[], number>('SELECT total_changes()').pluck().get()!;
    const before = writes();
    for (const milliseconds of [0, 1, 1000, 59_999, 60_000])
      touchKey(connection, 'editor', later(milliseconds));
    expect(lastUse()).toBe(noon.toISOString());
    expect(writes() - before).toBe(1);
    touchKey(connection, 'editor', later(60_001));
    expect(lastUse()).toBe(later(60_001).toISOString());
  });

  it('is not recorded for a key that is not in the database', () => {
    touchKey(connection, 'environment', noon);
    expect(listKeys(connection)).toEqual([]);
  });

  it('waits for another writer only if there is something to record', () => {
    const file = join(temporaryFolder(), 'busy.db');
    const [writer, reader] = [openDatabase(file), openDatabase(file, { timeoutMs: 0 })];
    createKey(writer, 'editor', noon);
    touchKey(writer, 'editor', noon);
    writer.exec('BEGIN IMMEDIATE');
    expect(() => touchKey(reader, 'editor', later(1000))).not.toThrow();
    expect(() => touchKey(reader, 'editor', later(61_000))).toThrow(/in use by another writer/);
    writer.close();
    reader.close();
  });
});

it('a request looks up one key by an index, however many there are', () => {
  const key = createKey(connection, 'editor', noon);
  const prepare = vi.spyOn(connection, 'prepare');
  expect(findKey(connection, key)).toBe('editor');
  const queries = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  expect(queries).toHaveLength(1);
  const plan = connection.prepare<string[], { detail: string }>(`EXPLAIN QUERY PLAN ${queries[0]}`);
  const steps = plan.all('0'.repeat(64)).map(({ detail }) => detail);
  expect(steps).toEqual([expect.stringMatching(/^SEARCH api_keys USING INDEX .+ \(digest=\?\)$/)]);
});

it('revoking a revoked or unknown key is refused', () => {
  createKey(connection, 'editor', noon);
  revokeKey(connection, 'editor', noon);
  expect(() => revokeKey(connection, 'editor', later(1))).toThrow(
    new UserError('the key "editor" was revoked already, at 2025-03-02T12:00:00.000Z'),
  );
  expect(() => revokeKey(connection, 'no\none', noon)).toThrow(
    new UserError('there is no key named "no\\none"; "awards keys list" shows all'),
  );
  expect(listKeys(connection)[0]!.revokedAt).toBe(noon.toISOString());
});
