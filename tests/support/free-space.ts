/** Pretends that file systems have so many free bytes. It replaces a function of node:fs. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Runs work while all file systems have so many free bytes. @param bytes multiples of 4096 */
export async function withFreeBytes<T>(bytes: number, work: () => T): Promise<Awaited<T>> {
  const { statfsSync } = fs;
  const stats = {
    type: 0,
    bsize: 4096,
    blocks: 1_000_000,
    bfree: 0,
    bavail: bytes / 4096,
    files: 0,
    ffree: 0,
  };
  fs.statfsSync = (() => stats) as unknown as typeof statfsSync;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  }
}
