/** Random damage to an output folder, as a disk, a power cut, another program or a person may do it. */
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differencesOf, readTree, type Tree, writeInto } from '../records/tree.ts';
import type { Choices } from '../records/random.ts';

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
  'a part of an index': /^layers\/[^/]+\/./,
};

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
    const whole = [...this.#clean].filter(([path, bytes]) => bytes.length > 0 && !damaged.has(path));
    const candidates = whole.filter(([path]) => areas[area]!.test(path));
    if (candidates.length === 0) return undefined;
    const [path, bytes] = choices.pick(candidates);
    const segments = path.split('/');
    const depth = choices.between(1, Math.max(1, segments.length - 1));
    const others = whole.filter(([, other]) => !other.equals(bytes));
    const what = `${path} is ${kind}`;
    try {
      kinds[kind]!({
        file: join(this.#root, path),
        folder: join(this.#root, ...segments.slice(0, depth)),
        bytes,
        other: () => choices.pick(others)[1],
        choices,
      });
      return what;
    } catch (error) {
      // A service may repair the path at this moment: damage that is half done is damage as well.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!/^(EEXIST|EISDIR|ENOENT|ENOTDIR|ENOTEMPTY)$/.test(code)) throw error;
      return `${what}, half done`;
    }
  }

  /** Damages a few files. @returns what was done, a line each */
  damageAtRandom(choices: Choices): string[] {
    const count = choices.chance(0.7) ? 1 : choices.between(2, 6);
    const done = Array.from({ length: count }, () =>
      this.damage(choices.pick(Object.keys(kinds)), choices.pick(Object.keys(areas)), choices),
    );
    return done.filter((line) => line !== undefined);
  }
}

/** Paths of files that differ from the clean folder: missing, of other bytes, or unexpected. */
export function damagedPaths(root: string, clean: Tree): string[] {
  for (;;)
    try {
      return differencesOf(readTree(root), clean).map((line) => line.slice(line.indexOf(' ') + 1));
    } catch (error) {
      // The service repairs a path between the look at its folder and at its file.
      if (!/^(EISDIR|ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
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
    if (old && own?.equals(old)) continue;
    const end = choices.pick(['as it is', 'empty', 'as it was']);
    if (end === 'empty' && own) writeInto(folder, path, '');
    else if (end === 'as it was' && old) writeInto(folder, path, old);
    else if (end === 'as it was') rmSync(join(folder, path));
  }
}
