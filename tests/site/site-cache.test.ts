/** Promise: the cached site equals a new one; without a valid cache it is made again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { cachedSite } from '../../build/derived/site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const files = new Map([
  ['b.html', new TextEncoder().encode('<p>é</p>')],
  ['a/empty', new Uint8Array()],
  ['c.bin', Uint8Array.of(0, 255, 10)],
]);
const plain = (made: ReadonlyMap<string, Uint8Array>) => [...made].map(([path, bytes]) => [path, [...bytes]]);

const make = vi.fn(async () => files);
beforeEach(() => make.mockClear());

it('the site is made once per fingerprint', async () => {
  const file = join(temporaryFolder(), 'cache/site.json');
  for (const fingerprint of ['one', 'one', 'one', 'other', 'other'])
    expect(plain(await cachedSite(fingerprint, make, file))).toEqual(plain(files));
  expect(make).toHaveBeenCalledTimes(2);
});

it('a damaged cache is replaced', async () => {
  const file = join(temporaryFolder(), 'site.json');
  await cachedSite('one', make, file);
  const whole = readFileSync(file, 'utf8');
  for (const damaged of ['', '{}', whole.slice(0, -1)]) {
    writeFileSync(file, damaged);
    expect(plain(await cachedSite('one', make, file)), damaged).toEqual(plain(files));
  }
  expect(make).toHaveBeenCalledTimes(4);
});

it('without a writable cache, the site is made each time', async () => {
  const file = join(temporaryFolder(), 'site.json');
  mkdirSync(file);
  for (const _ of [1, 2]) expect(plain(await cachedSite('one', make, file))).toEqual(plain(files));
  expect(make).toHaveBeenCalledTimes(2);
});
