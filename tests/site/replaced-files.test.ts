/** Promise: a file that is replaced or removed while it is sent arrives in one version. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type PublicFile, PublicFiles } from '../../api/serve/public-files.ts';
import { startService } from '../service/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
/** Nothing has to name an asset: a page of an earlier index may still need it. */
const name = 'assets/large.csv';
mkdirSync(join(folder, 'assets'));
const location = join(folder, name);
/** Larger than the memory cache takes. */
const before = Buffer.alloc(3_000_000, 'a');
const after = Buffer.alloc(2_500_000, 'b');

function replace(bytes: Buffer): void {
  writeFileSync(`${location}.new`, bytes);
  renameSync(`${location}.new`, location);
}

async function contentOf(file: PublicFile | undefined): Promise<Buffer> {
  if (file === undefined || file.bytes) throw new Error('it is large enough to be read as it is sent');
  const { buffer } = await file.handle.read(Buffer.alloc(file.size), 0, file.size, 0);
  await file.handle.close();
  return buffer;
}

it('a large file has the bytes of its length and ETag, even if it is replaced', async () => {
  const files = new PublicFiles(folder, { layers: [], onDamage: () => {} });
  replace(before);
  const first = await files.find(name);
  replace(after);
  const second = await files.find(name);
  rmSync(location);
  expect(await files.find(name)).toBeUndefined();
  expect(second?.etag).not.toBe(first?.etag);
  expect((await contentOf(first)).equals(before)).toBe(true);
  expect((await contentOf(second)).equals(after)).toBe(true);
});

it('a small file is compressed once for concurrent requests', async () => {
  writeFileSync(join(folder, 'assets/small.csv'), before.subarray(0, 100_000));
  const files = new PublicFiles(folder, { layers: [], onDamage: () => {} });
  const file = (await files.find('assets/small.csv'))!;
  const [one, other] = await Promise.all([files.encoded(file, 'br'), files.encoded(file, 'br')]);
  expect(one).toBeDefined();
  expect(one).toBe(other);
});

const descriptors = '/proc/self/fd';
/** How many times this process has the large file open. */
const timesOpen = (): number =>
  readdirSync(descriptors).filter((number) => {
    try {
      return readlinkSync(join(descriptors, number)) === location;
    } catch {
      // Closed since it was listed.
      return false;
    }
  }).length;

it.skipIf(!existsSync(descriptors))('no file stays open after a request, however it ends', async () => {
  replace(before);
  const service = await startService(folder);
  const { headers } = await service.ask(`/${name}`, { method: 'HEAD' });
  for (const [asked, status] of [
    [{}, 200],
    [{ 'if-none-match': headers.etag! }, 304],
    [{ range: 'bytes=5-9' }, 206],
    [{ range: 'bytes=99999999-' }, 416],
  ] as const)
    expect((await service.ask(`/${name}`, { headers: { ...asked } })).status).toBe(status);
  await service.ask(`/${name}`, { method: 'POST' });
  await new Promise<void>((resolve) => {
    const request = get({ port: service.port, path: `/${name}` }, (response) => {
      // Gone at the first bytes, while the rest is being sent.
      response.once('data', () => {
        expect(timesOpen()).toBe(1);
        request.destroy();
        resolve();
      });
      response.on('error', () => {});
    });
  });
  await vi.waitFor(() => expect(timesOpen()).toBe(0));
  await service.stop();
});
