/** Folders that are small disks, or cannot be written to, where the process may mount. */
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

function run(command: string, ...words: string[]): void {
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr.trim()}`);
}

/** Why nothing can be mounted here; undefined where it can. */
export function whyNoMounts(): string | undefined {
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

/** Makes a folder a disk of its own. @returns what takes it away again, and all that is on it */
export function mountSmallDisk(folder: string, size: string): () => void {
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'awards-test', folder);
  return () => unmount(folder);
}

/** Makes a folder one that nobody can write to, not even the system's administrator. @returns what undoes that */
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

/** Now or, where a file on it is still open, as soon as that is closed. */
const unmount = (folder: string) => run('umount', '--lazy', folder);

/** Leaves about so many bytes on a folder's disk. @returns what gives the rest back */
export function fillUp(folder: string, left: number): () => void {
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
  truncateSync(file, Math.max(0, position - left));
  return () => rmSync(file, { force: true });
}
