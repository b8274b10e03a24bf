/**
 * Power cuts. Where the process may mount: an ext4 disk in a file that loses everything it has not written to its log or its
 * place. Everywhere: a folder in which files that were not synced are lost at random.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Choices } from '../support/random.ts';
import { readTree, type Tree, writeInto } from '../snapshot/tree.ts';
import { run } from './mounts.ts';

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: the log in memory is lost. Node has no ioctl. */
const shutDown = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
`;

/** Ways to mount: with the usual heuristics of ext4, and without them. */
const mountOptions = ['defaults', 'noauto_da_alloc', 'data=writeback', 'data=writeback,noauto_da_alloc'];

export class Ext4Disk {
  readonly #image: string;
  /** Where it is mounted. */
  readonly folder: string;
  #isMounted = false;

  /** Makes an empty disk and mounts it. @param folder for its file and its mount point */
  constructor(folder: string, megabytes = 64) {
    mkdirSync(join(folder, 'disk'), { recursive: true });
    this.#image = join(folder, 'image');
    this.folder = join(folder, 'disk');
    writeFileSync(this.#image, '');
    truncateSync(this.#image, megabytes * 1024 * 1024);
    run('mkfs.ext4', '-q', this.#image);
    this.mount();
  }

  /** @param commit seconds between two writes of the log */
  mount(choices?: Choices, commit = 5): void {
    const options = choices?.pick(mountOptions) ?? 'defaults';
    run('mount', '-o', `loop,commit=${commit},${options}`, this.#image, this.folder);
    this.#isMounted = true;
  }

  /** Cuts the power. Every access fails until the disk is mounted again. */
  cut(): void {
    run('python3', '-c', shutDown, this.folder);
  }

  /** Waits for processes that still use it. */
  async unmount(): Promise<void> {
    for (let attempts = 0; this.#isMounted; attempts += 1) {
      const { status, stderr } = spawnSync('umount', [this.folder], { encoding: 'utf8' });
      if (status === 0) this.#isMounted = false;
      else if (attempts === 100) throw new Error(stderr);
      else await pause(100);
    }
  }
}

/** Why there can be no such disk here; undefined where there can. */
export async function ext4Obstacle(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'awards-ext4-'));
  try {
    const disk = new Ext4Disk(folder, 8);
    try {
      disk.cut();
    } finally {
      await disk.unmount();
    }
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Loses the latest changes of a folder, none of which was synced: each file is as it was before, as it is now, or empty.
 * @param before the folder before these changes
 */
export function loseChanges(folder: string, before: Tree, choices: Choices): void {
  const now = readTree(folder);
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [old, own] = [before.get(path), now.get(path)];
    if (path.startsWith('.awards.') || (old && own?.equals(old))) continue;
    const end = choices.pick(['as it is', 'empty', 'as it was']);
    if (end === 'empty' && own) writeInto(folder, path, '');
    else if (end === 'as it was' && old) writeInto(folder, path, old);
    else if (end === 'as it was') rmSync(join(folder, path));
  }
}
