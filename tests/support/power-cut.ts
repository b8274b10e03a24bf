/**
 * A disk that loses its power: what a program did to a folder is recorded, and the folder is made as it may be after a cut. Bytes
 * last when their file was flushed, names when their folder was; of the rest any part may be there.
 */
import { dirname, relative } from 'node:path';
import type { Tree } from '../records/tree.ts';
import type { Choices } from '../records/random.ts';
import { changesFiles, interceptCalls } from './intercepted-calls.ts';

/** Paths are below the folder; that of the folder itself is empty. */
type Operation =
  | { kind: 'write'; path: string; bytes: Buffer }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'remove' | 'folder' | 'flush'; path: string };

/** Records what is done to a folder. @returns the operations, and what ends the recording */
export function recordOperations(folder: string): { operations: Operation[]; end(): void } {
  const operations: Operation[] = [];
  const below = (path: unknown) => relative(folder, String(path));
  const { end } = interceptCalls(
    folder,
    (call, proceed) => {
      const { name, parameters } = call;
      const path = below(call.subject);
      const note = () => {
        if (name === 'fsyncSync' || name === 'sync') operations.push({ kind: 'flush', path });
        else if (name === 'writeFileSync')
          operations.push({ kind: 'write', path, bytes: Buffer.from(parameters[1] as Uint8Array) });
        else if (name === 'renameSync') operations.push({ kind: 'rename', path, to: below(parameters[1]) });
        else if (name === 'mkdirSync') operations.push({ kind: 'folder', path });
        else if (/^(rm|rmdir|unlink)Sync$/.test(name)) operations.push({ kind: 'remove', path });
        else if (changesFiles(call)) throw new Error(`${name} is not recorded`);
      };
      const result = proceed();
      if (!(result instanceof Promise)) note();
      return result instanceof Promise ? result.then(note) : result;
    },
    { withFlushes: true },
  );
  return { operations, end };
}

interface Content {
  bytes: Buffer;
  isFlushed: boolean;
}
const isFolder = 'folder';

/** The files of the folder after a cut. @param before what was there, on the disk @param count operations before the cut */
export function afterPowerCut(
  before: Tree,
  operations: readonly Operation[],
  count: number,
  choices: Choices,
): Map<string, Buffer> {
  const folderOf = (path: string) => (dirname(path) === '.' ? '' : dirname(path));
  const now = new Map<string, Content | typeof isFolder>();
  for (const [path, bytes] of before) now.set(path, { bytes, isFlushed: true });
  const names = new Map(now);
  /** Changes of names that are not flushed: folder → in order. */
  const pending = new Map<string, (() => void)[]>();
  const change = (path: string, value: Content | typeof isFolder | undefined) => {
    const set = (map: typeof now) => (value ? map.set(path, value) : map.delete(path));
    const isNew = now.get(path) !== value;
    set(now);
    const own = pending.get(folderOf(path)) ?? [];
    if (isNew) pending.set(folderOf(path), [...own, () => set(names)]);
  };
  for (const operation of operations.slice(0, count)) {
    const { kind, path } = operation;
    const known = now.get(path);
    if (kind === 'write') change(path, { bytes: operation.bytes, isFlushed: false });
    else if (kind === 'folder') change(path, isFolder);
    else if (kind === 'remove') change(path, undefined);
    else if (kind === 'rename') {
      change(operation.to, known);
      change(path, undefined);
    } else if (known && known !== isFolder) known.isFlushed = true;
    else {
      for (const keep of pending.get(path) ?? []) keep();
      pending.delete(path);
    }
  }
  for (const own of pending.values()) for (const keep of own.slice(0, choices.between(0, own.length))) keep();
  const made = operations.slice(0, count).flatMap(({ kind, path }) => (kind === 'folder' ? [path] : []));
  const lostFolders = made.filter((path) => names.get(path) !== isFolder);
  const left = new Map<string, Buffer>();
  for (const [path, content] of names) {
    if (content === isFolder || lostFolders.some((folder) => path.startsWith(`${folder}/`))) continue;
    const { bytes, isFlushed } = content;
    left.set(path, isFlushed ? bytes : bytes.subarray(0, choices.pick([0, bytes.length >> 1, bytes.length])));
  }
  return left;
}
