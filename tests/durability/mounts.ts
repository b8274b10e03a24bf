/** Small disks and read-only folders, where the process may mount. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function run(command: string, ...words: string[]): void {
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr.trim()}`);
}

/** Why nothing can be mounted here; undefined where it can. */
export function mountObstacle(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'awards-mount-'));
  try {
    mountSmallDisk(folder, '64k')();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmdirSync(folder);
  }
}

/** Mounts an empty disk at a folder. @returns unmounts it */
export function mountSmallDisk(folder: string, size: string): () => void {
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'awards-test', folder);
  return () => unmount(folder);
}

/** Makes a folder read-only, for root too. @returns undoes it */
export function mountReadOnly(folder: string): () => void {
  run('mount', '--bind', folder, folder);
  try {
    run('mount', '-o', 'remount,bind,ro', folder);
  } catch (error) {
    unmount(folder);
    throw error;
  }
  return () => unmount(folder);
}

/** Lazy: a file that is still open does not fail it. */
const unmount = (folder: string) => run('umount', '--lazy', folder);

/** Leaves about this many bytes on the disk of a folder. @returns frees the rest again */
export function fillUp(folder: string, freeBytes: number): () => void {
  const file = join(folder, 'filler');
  const descriptor = openSync(file, 'w');
  let position = 0;
  for (const size of [64 * 1024, 4096]) {
    const chunk = Buffer.alloc(size, 1);
    try {
      for (;;) position += writeSync(descriptor, chunk, 0, size, position);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(descriptor);
  truncateSync(file, Math.max(0, position - freeBytes));
  return () => rmSync(file, { force: true });
}
