/**
 * What publishing remembers between two runs, beside the snapshot's folder and not in it: for `dist` in `.dist.publish/`. The
 * folder of a snapshot holds nothing but the snapshot and may be deleted at any time; and the database may be elsewhere, or
 * busy. All of it can be deleted too: then everything is hashed again, and what was half sent is begun anew.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isMissing } from '../../api/hosts/file-source.ts';
import { lockFile } from '../../data/file-lock.ts';
import { UserError } from '../../data/user-error.ts';
import type { Clock } from './clock.ts';

export interface Notes {
  /** When the last deploy was begun, in milliseconds since 1970. */
  lastDeploy?: number;
  /** A deploy that was begun and did not end: of which site, and a hash of what it consists of. */
  unfinished?: { site: string; deploy: string; proposal: string } | undefined;
}

export class PublishState {
  readonly #folder: string;
  readonly #out: string;

  /** @param out folder of the snapshot */
  constructor(out: string) {
    const root = resolve(out);
    this.#out = out;
    this.#folder = join(dirname(root), `.${basename(root)}.publish`);
  }

  /** Takes the lock that one publisher of the folder has at a time. @throws UserError if another one keeps it too long */
  async lock(timeoutMs: number, clock: Clock, signal: AbortSignal): Promise<() => void> {
    mkdirSync(this.#folder, { recursive: true });
    const since = clock.now();
    for (;;) {
      const unlock = lockFile(join(this.#folder, 'lock'), 0);
      if (unlock) return unlock;
      if (clock.now() - since >= timeoutMs)
        throw new UserError(`another publish of ${this.#out} is at work; try again when it is done`);
      await clock.sleep(100, signal);
    }
  }

  notes(): Notes {
    try {
      return JSON.parse(this.read('notes.json')?.toString() ?? '{}') as Notes;
    } catch {
      return {}; // Garbled: as if it had been deleted.
    }
  }

  note(notes: Notes): void {
    this.write('notes.json', `${JSON.stringify(notes)}\n`);
  }

  /** The bytes of a file; undefined if there is none. */
  read(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#folder, name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Writes a file in one step. */
  write(name: string, content: string | Uint8Array): void {
    mkdirSync(this.#folder, { recursive: true });
    const temporary = join(this.#folder, `${name}.unfinished`);
    writeFileSync(temporary, content);
    renameSync(temporary, join(this.#folder, name));
  }
}
