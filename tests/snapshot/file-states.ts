/** Every state that a folder has while a program changes it, file operation by file operation, and the checks of one state. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DownloadIndex } from '../../api/contract/answers.ts';
import { layerIndexPath, layerNames, parseLayerIndex } from '../../api/contract/layers.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { type NamedFile, shardsOf } from '../../api/read/walk.ts';
import { interceptCalls, isAppend, isChange, writeHalf } from '../durability/intercepted-calls.ts';
import { hashOf } from './named-files.ts';

/** Path → hash of each file. */
type State = ReadonlyMap<string, string>;

export class FileStates {
  readonly #folder: string;
  /** Hash → bytes, of all files in all states. */
  readonly #contents = new Map<string, Buffer>();
  /** Path, inode and times → hash, so that each version of a file is read once. */
  readonly #hashes = new Map<string, string>();
  readonly #states: State[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  get count(): number {
    return this.#states.length;
  }

  /** Runs some work. Records the folder before each file operation, in the middle of each write, and at the end. */
  async record<T>(work: () => Promise<T>): Promise<T> {
    const { end } = interceptCalls(this.#folder, (call, proceed) => {
      if (!isChange(call)) return proceed();
      this.#add();
      const before = isAppend(call) ? statSync(call.subject, { throwIfNoEntry: false })?.size : undefined;
      if (writeHalf(call)) {
        this.#add();
        // The whole write comes after the half one, and the flag "wx" refuses a file that exists.
        if (before === undefined) rmSync(call.subject);
        else truncateSync(call.subject, before);
      }
      return proceed();
    });
    try {
      return await work();
    } finally {
      end();
      this.#add();
    }
  }

  /**
   * What is wrong in any of the states, a line per fault: a file that the manifest or the index of a layer names is missing
   * or has other bytes.
   * @param retained whether the files of all earlier states' manifests and their immutable layer files must be there too
   */
  faults(retained: boolean): string[] {
    const faults = new Set<string>();
    const earlier = new Map<string, NamedFile>();
    for (const [number, state] of this.#states.entries()) {
      const now = this.#namedFiles(state, (fault) => faults.add(`state ${number}: ${fault}`));
      const expected = retained ? [...now, ...earlier.values()] : now;
      for (const { path, hash } of expected)
        if (state.get(path) !== hash)
          faults.add(`state ${number}: ${path} is ${state.get(path) ?? 'missing'}`);
      for (const file of now) if (/[0-9a-f]{20}\.[a-z]+$/.test(file.path)) earlier.set(file.path, file);
    }
    return [...faults];
  }

  /** The files that the manifest, the indexes of the layers and the public index of the downloads name. */
  #namedFiles(state: State, fault: (line: string) => void): NamedFile[] {
    const bytesOf = (path: string) => this.#contents.get(state.get(path) ?? '');
    const files: NamedFile[] = [];
    const parsed = <T>(path: string, parse: (bytes: Uint8Array) => T | undefined): T | undefined => {
      const bytes = bytesOf(path);
      const content = bytes && parse(bytes);
      if (bytes && !content) fault(`${path} is not valid`);
      return content;
    };
    const manifest = parsed(manifestPath, (bytes) => parseManifest(bytes));
    if (manifest) files.push(...shardsOf(manifest));
    for (const layer of layerNames) {
      const index = parsed(layerIndexPath(layer), (bytes) => parseLayerIndex(layer, bytes));
      if (index?.isFinished) for (const [path, hash] of index.files) files.push({ path, hash });
    }
    const downloads = JSON.parse(
      bytesOf('downloads/index.json')?.toString() ?? '{"files":[]}',
    ) as DownloadIndex;
    for (const { immutable_name, sha256 } of downloads.files)
      files.push({ path: `downloads/${immutable_name}`, hash: sha256.slice(0, 20) });
    return files;
  }

  #add(): void {
    const state = new Map<string, string>();
    for (const entry of readdirSync(this.#folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(this.#folder, file);
      if (entry.isFile() && !path.startsWith('.awards.')) state.set(path, this.#hashOf(path, file));
    }
    const last = this.#states.at(-1);
    const isNew = last?.size !== state.size || [...state].some(([path, hash]) => last.get(path) !== hash);
    if (isNew) this.#states.push(state);
  }

  #hashOf(path: string, file: string): string {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    const version = `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    const known = this.#hashes.get(version);
    if (known !== undefined) return known;
    const bytes = readFileSync(file);
    const hash = hashOf(bytes);
    this.#contents.set(hash, bytes);
    this.#hashes.set(version, hash);
    return hash;
  }
}
