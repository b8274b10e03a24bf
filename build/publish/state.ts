/**
 * What publishes of a folder leave for each other, beside the folder, in `.dist.publish/` for `dist`, because the folder itself
 * may be deleted at any time. A lost or damaged state costs time only.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readIfPresent } from '../../api/read/node-source.ts';
import { lockFile } from '../system/file-lock.ts';
import { makeFolders, writeDurably } from '../system/files.ts';
import type { Requests } from '../system/requests.ts';
import { UserError } from '../system/messages.ts';
import { requireFolder } from './contents.ts';

export interface PublishState {
  /** Start of the last deploy, in milliseconds since 1970, and the deploy that did not end. */
  notes: { lastDeploy?: number; unfinished?: { site: string; deploy: string; title: string } | undefined };
  /** The contents of the last deploy of a site, which Netlify does not ask for again: contentHash → SHA-1. */
  sent: { site?: string; digests: Record<string, string> };
}

/**
 * Does the work of the only publisher of a folder.
 * @param out folder of the snapshot
 * @param work gets the state, which is written when it is set, and an empty folder for the frozen copy
 * @throws UserError if another publish of the folder does not end within `timeoutMs`
 */
export async function withPublishState<T>(
  out: string,
  requests: Requests,
  timeoutMs: number | undefined = 60_000,
  work: (state: PublishState, frozen: string) => Promise<T>,
): Promise<T> {
  requireFolder(out);
  const root = resolve(out);
  const folder = join(dirname(root), `.${basename(root)}.publish`);
  makeFolders(folder);
  const lock = () => lockFile(join(folder, 'lock'), 0);
  const unlock = await requests.poll('waiting for another publish', lock, { maxPauseMs: 100, timeoutMs });
  if (!unlock) throw new UserError(`another publish of ${out} is running; try again when it is done`);
  const frozen = join(folder, 'frozen');
  try {
    // A killed publish leaves its copy.
    rmSync(frozen, { recursive: true, force: true });
    mkdirSync(frozen);
    return await work(stateIn(folder), frozen);
  } finally {
    await rm(frozen, { recursive: true, force: true });
    unlock();
  }
}

function stateIn(folder: string): PublishState {
  const read = <Name extends keyof PublishState>(name: Name, usual: PublishState[Name]) => {
    try {
      return JSON.parse(readIfPresent(join(folder, `${name}.json`))!.toString()) as PublishState[Name];
    } catch {
      return usual;
    }
  };
  const write = (name: keyof PublishState, content: object) => {
    makeFolders(folder);
    writeDurably(join(folder, `${name}.json`), JSON.stringify(content));
  };
  return {
    get notes() {
      return read('notes', {});
    },
    set notes(notes) {
      write('notes', notes);
    },
    get sent() {
      return read('sent', { digests: {} });
    },
    set sent(sent) {
      write('sent', sent);
    },
  };
}
