/** The promise: what is kept of the site is what would be made of it, or it is made anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cachedSite } from '../../build/layers/site/site-cache.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';

removeTemporaryFolders();

const files = new Map([
  ['b.html', new TextEncoder().encode('<p>é</p>')],
  ['a/empty', new Uint8Array()],
  ['c.bin', Uint8Array.of(0, 255, 10)],
]);
const plain = (made: ReadonlyMap<string, Uint8Array>) => [...made].map(([path, bytes]) => [path, [...bytes]]);

/** Makes the files, and counts how often. */
function maker(): { make: () => Promise<typeof files>; times: () => number } {
  let times = 0;
  return {
    make: async () => {
      times += 1;
      return files;
    },
    times: () => times,
  };
}

it('it is made once for a fingerprint, and again for another', async () => {
  const file = join(temporaryFolder(), 'cache/site.json');
  const { make, times } = maker();
  for (const fingerprint of ['one', 'one', 'one', 'other', 'other'])
    expect(plain(await cachedSite(fingerprint, make, file))).toEqual(plain(files));
  expect(times()).toBe(2);
});

it('a damaged one is made anew', async () => {
  const file = join(temporaryFolder(), 'site.json');
  const { make, times } = maker();
  await cachedSite('one', make, file);
  const whole = readFileSync(file, 'utf8');
  for (const damaged of ['', '{}', whole.slice(0, -1), whole.replace('c.bin', 'd.bin')]) {
    writeFileSync(file, damaged);
    expect(plain(await cachedSite('one', make, file)), damaged).toEqual(plain(files));
  }
  expect(times()).toBe(5);
});

it('where nothing can be kept, it is made each time', async () => {
  const file = join(temporaryFolder(), 'site.json');
  mkdirSync(file);
  const { make, times } = maker();
  for (const _ of [1, 2]) expect(plain(await cachedSite('one', make, file))).toEqual(plain(files));
  expect(times()).toBe(2);
});
