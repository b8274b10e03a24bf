/** Promise: a file that is replaced or removed while it is sent arrives in one version. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startService } from './running-service.ts';
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

it('a large file has the bytes of its length and ETag, even if it is replaced while it is sent', async () => {
  replace(before);
  const service = await startService(folder);
  try {
    const first = await new Promise<{ etag: string; body: Buffer }>((resolve, reject) => {
      get({ port: service.port, path: `/${name}` }, (response) => {
        const chunks: Buffer[] = [];
        response.once('data', () => replace(after));
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ etag: response.headers.etag!, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
    expect(first.body.equals(before)).toBe(true);
    const second = await service.ask(`/${name}`);
    expect(second.body.equals(after)).toBe(true);
    expect(second.headers.etag).not.toBe(first.etag);
    rmSync(location);
    expect((await service.ask(`/${name}`)).status).toBe(404);
  } finally {
    await service.stop();
  }
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
