/**
 * Finds damaged files of a folder that a service keeps up to date. A pass looks at every file that the
 * manifest or a finished index names: size, inode and time of the last change tell whether it is the file of
 * the last pass. Another file is compared with its hash. So is each file once in some passes, because a disk
 * can lose bytes without changing these.
 */
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { layerPartPath, parseLayerHead } from '../../api/contract/layer-index.ts';
import { type LayerName, layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import { contentHash, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { type FileVersion, nodeDigest, watchedFile } from '../../api/read/node-source.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { hashOf, LayerFiles } from './named-files.ts';

/** What a damaged file belongs to. */
export type Owner = LayerName | 'snapshot';

interface FolderCheckOptions {
  /** Milliseconds of a pass. */
  intervalMs: number;
  /** Default: asks the file system. */
  stat?: ((file: string) => Stats | undefined) | undefined;
}

/** Passes until each file was compared with its hash: within an hour, if a pass takes 55 seconds. */
const passesToCompareAll = 64;
/**
 * Milliseconds. A file that changed this short a time ago may change again without another time, because the
 * clock of a file system has ticks.
 */
const tickMs = 1000;

export class FolderCheck {
  readonly #intervalMs: number;
  readonly #lists: readonly CheckedList[];
  readonly #looks: Generator<Owner | undefined, never>;
  /** Looks that are due. The first one loads the lists. */
  #due = 1;
  #lastStep = performance.now();

  constructor(root: string, { intervalMs, stat = statOf }: FolderCheckOptions) {
    this.#intervalMs = intervalMs;
    this.#lists = [
      new CheckedList(root, 'snapshot', manifestPath, filesOfSnapshot, stat),
      ...layerNames.map(
        (layer) => new CheckedList(root, layer, layerIndexPath(layer), filesOfLayer(root, layer), stat),
      ),
    ];
    this.#looks = looksAt(this.#lists);
  }

  /**
   * Looks at as many files as the time since the last step asks for. Call it often: a step takes five
   * milliseconds at one step in two seconds.
   * @returns what has damaged files
   */
  step(): ReadonlySet<Owner> {
    const now = performance.now();
    const files = this.#lists.reduce((sum, { length }) => sum + length, 0);
    this.#due = Math.min(this.#due + (files * (now - this.#lastStep)) / this.#intervalMs, files);
    this.#lastStep = now;
    const damaged = new Set<Owner>();
    for (; this.#due >= 1; this.#due -= 1) {
      const owner = this.#looks.next().value;
      if (owner !== undefined) damaged.add(owner);
    }
    return damaged;
  }
}

/** One pass after the other. A look is at one file. @returns for each look the owner of a damaged file */
function* looksAt(lists: readonly CheckedList[]): Generator<Owner | undefined, never> {
  for (let pass = 0; ; pass += 1) {
    // All lists are loaded first: the number of files determines how many are checked in a step.
    const areFinished = lists.map((list) => list.load());
    for (const [i, list] of lists.entries()) {
      // What an interrupted update left unfinished counts as damage: nothing else would finish it.
      yield areFinished[i] ? undefined : list.owner;
      yield* list.check(pass);
    }
  }
}

/** The files that the manifest or an index names, itself included. */
interface NamedFiles {
  /** Path → contentHash. */
  files: ReadonlyMap<string, string>;
  /** Whether the files are as the list says, except damaged ones. */
  isFinished: boolean;
}

type Parse = (path: string, bytes: Uint8Array) => NamedFiles | undefined;

const filesOfSnapshot: Parse = (path, bytes) => {
  const manifest = parseManifest(bytes, nodeDigest);
  if (!manifest) return undefined;
  const shards = Array.from(shardsOf(manifest), ({ path: shard, hash }) => [shard, hash] as const);
  return { files: new Map([[path, contentHash(bytes, nodeDigest)], ...shards]), isFinished: true };
};

const filesOfLayer =
  (root: string, layer: LayerName): Parse =>
  (path, bytes) => {
    const head = parseLayerHead(layer, bytes, nodeDigest);
    const files = head && LayerFiles.of(root, head);
    if (!files?.areWhole()) return undefined;
    const { parts, isFinished } = head!;
    const ofIndex = [
      [path, contentHash(bytes, nodeDigest)],
      ...parts.map((hash) => [layerPartPath(layer, hash), hash] as const),
    ] as const;
    return { files: new Map([...ofIndex, ...files]), isFinished };
  };

/** A file, as it was when it had its hash. There are tens of thousands. */
interface CheckedFile {
  path: string;
  hash: string;
  /** The whole path, kept because joining its parts takes half as long as looking at the file. */
  place: string;
  ino: number;
  size: number;
  /** -1 until it was compared with its hash. */
  ctimeMs: number;
}

class CheckedList {
  readonly #root: string;
  readonly owner: Owner;
  readonly #look: () => FileVersion<NamedFiles>;
  readonly #stat: (file: string) => Stats | undefined;
  /** The version that the files are from. */
  #version: FileVersion<NamedFiles> | undefined;
  #files: readonly CheckedFile[] = [];

  constructor(
    root: string,
    owner: Owner,
    path: string,
    parse: Parse,
    stat: (file: string) => Stats | undefined,
  ) {
    this.#root = root;
    this.owner = owner;
    this.#stat = stat;
    this.#look = watchedFile(join(root, path), (bytes) => parse(path, bytes));
  }

  /** Looks of a pass. */
  get length(): number {
    return this.#files.length + 1;
  }

  /** A look at each file. */
  *check(pass: number): Generator<Owner | undefined, void> {
    for (let position = 0; position < this.#files.length; position += 1) {
      const file = this.#files[position]!;
      const mustCompare = (position + pass) % passesToCompareAll === 0;
      if (this.#isWhole(file, mustCompare)) yield undefined;
      // An update may have replaced it: then the list is another one.
      else if (this.#look() === this.#version) yield this.owner;
      else yield void this.load();
    }
  }

  /** Takes over the list as it is now, if it is finished. @returns whether it is */
  load(): boolean {
    const version = this.#look();
    if (version === this.#version) return true;
    const named = attempt((found) => found.content, version);
    if (!named?.isFinished) return false;
    const before = new Map(this.#files.map((file) => [file.path, file]));
    this.#version = version;
    this.#files = Array.from(named.files, ([path, hash]) => {
      const known = before.get(path);
      if (known?.hash === hash) return known;
      return { path, hash, place: join(this.#root, path), ino: 0, size: 0, ctimeMs: -1 };
    });
    return true;
  }

  #isWhole(file: CheckedFile, mustCompare: boolean): boolean {
    // Before it is read: a change after this look is found by the next one.
    const now = attempt(this.#stat, file.place);
    if (now === undefined) return false;
    const { ino, size, ctimeMs } = now;
    const isSame = ctimeMs === file.ctimeMs && size === file.size && ino === file.ino;
    if (isSame && !mustCompare) return true;
    if (attempt(hashOf, file.place) !== file.hash) return false;
    const isSettled = Math.abs(Date.now() - ctimeMs) > tickMs;
    Object.assign(file, { ino, size, ctimeMs: isSettled ? ctimeMs : -1 });
    return true;
  }
}

/** A file that cannot be read counts as damaged: the repair reports the reason. */
function attempt<A, T>(read: (of: A) => T, of: A): T | undefined {
  try {
    return read(of);
  } catch {
    return undefined;
  }
}

const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });
