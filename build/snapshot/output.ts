/**
 * Where a build's files go. A file is either new, or replaced in one step, or left alone because it has the right bytes; and
 * what no build put there is removed. The manifest goes last, so whoever reads it finds all it names.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { downloadsFolder } from '../../api/contract/download-names.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { isMissing } from '../../api/hosts/file-source.ts';
import { UserError } from '../../data/user-error.ts';
import { BackgroundWriter } from './background-writer.ts';

export interface Output {
  /** Sees to it that the file has these bytes, which are the caller's again afterwards. @returns whether it had to be written */
  put(path: string, bytes: Uint8Array): boolean;
  /** Sees to it that there is no such file. @returns whether there was one */
  remove(path: string): boolean;
  /** Resolves when more may be put without piling up in memory. */
  room(): Promise<void> | undefined;
  /** Resolves when all that was put is there. */
  flush(): Promise<void>;
  /** Paths of the files that are there and may not belong there, in no particular order. */
  list(): Promise<string[]>;
}

/** Names beginning with a dot are the build's own (lock, marker, unfinished files), never part of the snapshot. */
const temporaryName = '.unfinished';
/** Also what tells a snapshot's folder from any other. */
export const lockName = '.awards.lock';
export const wantedName = '.awards.wanted';
const markerName = '.building';

/** A build of more bytes than this is worth a second thread. */
const backgroundFrom = 2 * 1024 * 1024;

export class FolderOutput implements Output {
  readonly root: string;
  readonly #folders = new Set<string>();
  /** Nothing was there when the build began, with the lock in hand: no file needs to be compared or replaced. */
  #fresh = false;
  #trusted = false;
  #written = 0;
  #background: BackgroundWriter | undefined;

  constructor(root: string) {
    this.root = root;
  }

  /** Makes the folder. @throws UserError if it holds something that is no snapshot */
  prepare(): void {
    if (statSync(this.root, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UserError(`${this.root} is no folder; choose another one with --out`);
    mkdirSync(this.root, { recursive: true });
    const [foreign] = this.#names();
    if (foreign === undefined || existsSync(join(this.root, lockName)) || this.#hasManifest()) return;
    throw new UserError(
      `${this.root} holds files that are no snapshot (such as ${foreign}); choose another folder with --out`,
    );
  }

  /** What the folder holds besides the lock and what belongs to it. */
  #names(): string[] {
    return readdirSync(this.root).filter((name) => name !== lockName && name !== wantedName);
  }

  /** Asks whoever has the lock to let others have it soon. */
  askForTurn(): void {
    try {
      writeFileSync(this.#wanted, '');
    } catch {
      // Unasked, it comes to an end all the same, only later.
    }
  }

  /** Whether somebody asked the holder of the lock for it. */
  get isAskedFor(): boolean {
    return existsSync(this.#wanted);
  }

  /** The lock changed hands: whoever still waits asks again. */
  takeTurn(): void {
    rmSync(this.#wanted, { force: true });
  }

  get #wanted(): string {
    return join(this.root, wantedName);
  }

  /** A snapshot that was copied here has no lock file, but a manifest. */
  #hasManifest(): boolean {
    const file = join(this.root, manifestPath);
    return existsSync(file) && parseManifest(readFileSync(file), nodeDigest) !== undefined;
  }

  /**
   * From here on the folder is between two snapshots. Only for who has the lock: another build may just have ended.
   * @param trusted the folder holds what the last build left, so what is put differs from what is there
   */
  begin(trusted: boolean): void {
    this.#trusted = trusted;
    this.#folders.clear();
    this.#fresh = this.#names().length === 0;
    writeFileSync(this.#marker, '');
  }

  /** The build is whole: what is in the folder may be trusted by the next one. */
  end(): void {
    rmSync(this.#marker, { force: true });
    this.#fresh = false;
  }

  /** Lets go of what begin() and put() took up, whether or not the build is whole. */
  async close(): Promise<void> {
    await this.#background?.close();
    this.#background = undefined;
  }

  /** A build into this folder was cut short. */
  get interrupted(): boolean {
    return existsSync(this.#marker);
  }

  get #marker(): string {
    return join(this.root, markerName);
  }

  put(path: string, bytes: Uint8Array): boolean {
    const file = join(this.root, path);
    this.#makeFolder(dirname(file));
    if (this.#fresh && path !== manifestPath) {
      // No manifest yet, so nobody reads: a plain write will do, and costs a quarter of a replacement.
      this.#written += bytes.length;
      if (this.#written > backgroundFrom) this.#background ??= new BackgroundWriter();
      if (this.#background) this.#background.write(file, bytes);
      else writeFileSync(file, bytes);
      return true;
    }
    if ((!this.#trusted || path === manifestPath) && hasBytes(file, bytes)) return false;
    const temporary = join(dirname(file), temporaryName);
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
    return true;
  }

  room(): Promise<void> | undefined {
    return this.#background?.room();
  }

  async flush(): Promise<void> {
    await this.#background?.flush();
  }

  remove(path: string): boolean {
    const file = join(this.root, path);
    try {
      rmSync(file);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    this.#removeEmptyFolders(dirname(file));
    return true;
  }

  async list(): Promise<string[]> {
    if (this.#fresh) return [];
    const { default: fastGlob } = await import('fast-glob');
    // A link is a file that does not belong here; what it points to is none of ours, so it is never followed.
    // Downloads are made from the snapshot, not with it: see downloads/.
    const entries = await fastGlob('**', {
      cwd: this.root,
      ignore: [`${downloadsFolder}/**`],
      dot: true,
      followSymbolicLinks: false,
      onlyFiles: false,
      objectMode: true,
    });
    return entries
      .filter((entry) => !entry.dirent.isDirectory())
      .map((entry) => entry.path)
      .filter((path) => !path.startsWith('.') || path.endsWith(temporaryName));
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
  }

  #removeEmptyFolders(folder: string): void {
    for (let empty = folder; empty.length > this.root.length; empty = dirname(empty)) {
      try {
        rmdirSync(empty);
      } catch {
        return; // Not empty: it stays, and so do those above it.
      }
      this.#folders.delete(empty);
    }
  }
}

function hasBytes(file: string, bytes: Uint8Array): boolean {
  try {
    return statSync(file).size === bytes.length && readFileSync(file).equals(bytes);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
