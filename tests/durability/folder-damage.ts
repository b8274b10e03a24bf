/** Random damage to an output folder, as a disk, a power cut, another program or a person may do it. */
import {
  appendFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { readIfPresent } from '../../api/read/node-source.ts';
import type { Choices } from '../support/random.ts';
import type { Tree } from '../snapshot/tree.ts';

interface Target {
  file: string;
  /** A folder that holds the file; the file itself at the top, because the root is lost as a whole. */
  folder: string;
  bytes: Buffer;
  /** The file as it was, below the root and undamaged: other contents to choose from. */
  other: () => Buffer;
  choices: Choices;
}

/** A byte changed, the size and the inode as before. */
function flipByte({ file, bytes, choices }: Target): void {
  const copy = Buffer.from(bytes);
  copy[choices.between(0, copy.length - 1)]! ^= 1 << choices.between(0, 7);
  writeFileSync(file, copy, { flag: 'r+' });
}

/** Another file in the place of a file: a new inode. */
function replaceFile({ file, other }: Target): void {
  rmSync(file);
  writeFileSync(file, other());
}

/** Kinds of damage to a file, or to a folder that holds it. */
export const kinds: Readonly<Record<string, (target: Target) => void>> = {
  emptied: ({ file }) => truncateSync(file, 0),
  'cut short': ({ file, bytes, choices }) => truncateSync(file, choices.between(0, bytes.length - 1)),
  'with a flipped bit': flipByte,
  'overwritten by another file': ({ file, other }) => writeFileSync(file, other()),
  'replaced by another file': replaceFile,
  'followed by more bytes': ({ file, choices }) =>
    appendFileSync(file, choices.pick(['\n', ' ', '{}', '\0'])),
  removed: ({ file }) => rmSync(file),
  'replaced by an empty folder': ({ file }) => {
    rmSync(file);
    mkdirSync(file);
  },
  'replaced by a folder with a file': ({ file, bytes }) => {
    rmSync(file);
    mkdirSync(file);
    writeFileSync(join(file, 'inside'), bytes);
  },
  'in a removed folder': ({ folder }) => rmSync(folder, { recursive: true }),
  'in a folder replaced by a file': ({ folder, other }) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, other());
  },
};

/** Parts of a folder, each made or named in another way. */
export const areas: Readonly<Record<string, RegExp>> = {
  'the manifest': /^manifest\.json$/,
  'a shard': /^shards\//,
  'a page': /^api\/(?!openapi)/,
  'a document of the site': /^(?!manifest)[^/]+$|^(docs|edit)\/|^api\/openapi/,
  'an asset': /^assets\//,
  'a download': /^downloads\//,
  'an index': /^layers\/[^/]+$/,
};

/** What the file system answers when the service repairs a path while the damage is done to it. */
const changedMeanwhile = new Set(['EEXIST', 'EISDIR', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY']);

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof Error && changedMeanwhile.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Damage that the service repairs at the same time stays half done, which is damage as well. @returns what was done */
function besideTheService(what: string, damage: () => void): string {
  try {
    damage();
    return what;
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error;
    return `${what}, half done`;
  }
}

export class Vandal {
  readonly #root: string;
  readonly #clean: Tree;

  /** @param clean the undamaged folder */
  constructor(root: string, clean: Tree) {
    this.#root = root;
    this.#clean = clean;
  }

  /** Damages one file that is whole. @returns what was done; undefined if there is no such file */
  damage(kind: string, area: string, choices: Choices): string | undefined {
    const damaged = new Set(damagedPaths(this.#root, this.#clean));
    const isWhole = ([path, bytes]: [string, Buffer]) => bytes.length > 0 && !damaged.has(path);
    const whole = [...this.#clean].filter(isWhole);
    const candidates = whole.filter(([path]) => areas[area]!.test(path));
    if (candidates.length === 0) return undefined;
    const [path, bytes] = choices.pick(candidates);
    const segments = path.split('/');
    const depth = choices.between(1, Math.max(1, segments.length - 1));
    const others = whole.filter(([, other]) => !other.equals(bytes));
    const target: Target = {
      file: join(this.#root, path),
      folder: join(this.#root, ...segments.slice(0, depth)),
      bytes,
      other: () => choices.pick(others)[1],
      choices,
    };
    return besideTheService(`${path} is ${kind}`, () => kinds[kind]!(target));
  }

  /** Damages one file, several, or removes everything. @returns what was done, a line each */
  damageAtRandom(choices: Choices): string[] {
    const how = choices.fraction();
    if (how < 0.01)
      return [besideTheService('the folder is removed', () => rmSync(this.#root, { recursive: true }))];
    const count = how < 0.75 ? 1 : choices.between(2, 6);
    const done = Array.from({ length: count }, () =>
      this.damage(choices.pick(Object.keys(kinds)), choices.pick(Object.keys(areas)), choices),
    );
    return done.filter((line) => line !== undefined);
  }
}

/** Entries of a folder and its folders; read again if the service removes a folder meanwhile. */
function entriesBelow(root: string): Dirent[] {
  for (;;) {
    if (!lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) return [];
    try {
      return readdirSync(root, { recursive: true, withFileTypes: true });
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
    }
  }
}

/** Paths of files that differ from the clean folder: missing, of other bytes, behind a link, or unexpected. */
export function damagedPaths(root: string, clean: Tree): string[] {
  const files = new Map<string, boolean>();
  for (const entry of entriesBelow(root)) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isDirectory() && !path.startsWith('.awards.')) files.set(path, entry.isFile());
  }
  // The service may remove the file at this moment.
  const isWhole = ([path, bytes]: [string, Buffer]) =>
    files.get(path) === true && readIfPresent(join(root, path))?.equals(bytes) === true;
  const damaged = [...clean].filter((entry) => !isWhole(entry)).map(([path]) => path);
  return [...damaged, ...[...files.keys()].filter((path) => !clean.has(path))];
}
