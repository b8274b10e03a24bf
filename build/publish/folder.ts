/** The folder of a snapshot as publishing takes it: whole, as one build left it, with its place in the history of the record. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { immutableName, isDownload } from '../../api/contract/download-names.ts';
import { contentHash, type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { fileSource, isMissing } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { readBuild } from '../../data/builds.ts';
import { lineage, revision } from '../../data/changes.ts';
import { lockFile } from '../../data/file-lock.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { listDownloads, readIndex } from '../layers/downloads/index-file.ts';
import { FolderOutput, lockName } from '../snapshot/output.ts';
import { type Clock, systemClock } from './clock.ts';
import { SnapshotChanged } from './failure.ts';
import { type Listing, listFiles } from './listing.ts';
import type { Place } from './order.ts';

/** Milliseconds to wait for a build that is at work. */
const timeoutMs = 60_000;

/** One snapshot in a folder; the folder may move on. */
export class SnapshotFolder {
  readonly root: string;
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
  readonly files: Listing;
  /** undefined where no database knows the snapshot. */
  readonly place: Place | undefined;
  /** Changes that the database holds and the snapshot does not. */
  readonly behind: number;

  private constructor(root: string, found: Found, manifest: Manifest, files: Listing) {
    this.root = root;
    this.manifest = manifest;
    this.manifestBytes = found.manifest;
    this.files = files;
    this.place = found.place;
    this.behind = found.behind;
  }

  /**
   * Reads what the folder holds, waiting for a build that is at work.
   * @param connection the database it was built from, if there is one
   * @throws UserError if there is no snapshot, the last build was cut short, or a file that names others is damaged
   */
  static async open(
    out: string,
    connection?: Connection,
    clock: Clock = systemClock,
  ): Promise<SnapshotFolder> {
    const root = resolve(out);
    refuseMissing(out);
    const since = clock.now();
    for (;;) {
      const found = look(root, connection);
      if (found !== 'busy') {
        const folder = await SnapshotFolder.#list(root, out, found);
        if (folder) return folder;
      }
      if (clock.now() - since > timeoutMs)
        throw new UserError(`another build is at work on ${out}; try again when it is done`);
      await clock.sleep(50);
    }
  }

  /** undefined if the folder moved on while it was listed. */
  static async #list(root: string, out: string, found: Found): Promise<SnapshotFolder | undefined> {
    if (found.interrupted)
      throw new UserError(`the last build of ${out} was cut short; "awards build" makes it whole`);
    const manifest = parseManifest(found.manifest, nodeDigest);
    if (manifest === undefined)
      throw new UserError(`${out} holds no snapshot of this version; "awards build" makes one`);
    try {
      const files = await listFiles(manifest, fileSource(root));
      // Made from the snapshot, at a distance: what there is goes along, even if it is of an earlier one.
      for (const [path, hash] of listDownloads(readIndex(root))) files.set(path, hash);
      return new SnapshotFolder(root, found, manifest, files);
    } catch (error) {
      if (!(error instanceof SnapshotUnavailable)) throw error;
      if (movedOn(root, found.manifest)) return undefined;
      throw new UserError(`${out}: ${error.message}; "awards build --full" repairs it`, { cause: error });
    }
  }

  /** The bytes of a listed file. @throws SnapshotChanged if a build replaced it meanwhile; UserError if it is damaged */
  async read(path: string): Promise<Buffer> {
    if (path === manifestPath) return this.manifestBytes;
    const bytes = await readFile(join(this.root, this.#placeOf(path))).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (bytes && contentHash(bytes, nodeDigest) === this.files.get(path)) return bytes;
    if (movedOn(this.root, this.manifestBytes) || this.#hasOtherDownloads())
      throw new SnapshotChanged(`${path} was built again while it was being published`);
    throw new UserError(
      `${path} in ${this.root} is ${bytes ? 'damaged' : 'missing'}; "awards build --full" repairs it`,
    );
  }

  /** Where the listed bytes of a file lie: those of a download under the name that means no others. */
  #placeOf(path: string): string {
    const hash = this.files.get(path);
    const immutable = hash === undefined || !isDownload(path) ? path : immutableName(path, hash);
    return this.files.has(immutable) ? immutable : path;
  }

  /** Whether downloads were made since they were listed, or are being made. */
  #hasOtherDownloads(): boolean {
    const listed = [...this.files].filter(([path]) => isDownload(path));
    const now = listDownloads(readIndex(this.root));
    return listed.length !== now.size || listed.some(([path, hash]) => now.get(path) !== hash);
  }
}

/** @throws UserError if there is no such folder */
export function refuseMissing(out: string): void {
  if (!existsSync(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
}

interface Found {
  manifest: Buffer;
  interrupted: boolean;
  place: Place | undefined;
  behind: number;
}

/**
 * Looks at what no build may change meanwhile, with its lock in hand. Nothing waits in here: a build in this very process would
 * wait for the lock with everything else standing still.
 */
function look(root: string, connection: Connection | undefined): Found | 'busy' {
  const lock = join(root, lockName);
  // A snapshot that was copied here has no lock: nobody builds into it.
  const unlock = existsSync(lock) ? lockFile(lock, 0) : () => {};
  if (unlock === undefined) {
    new FolderOutput(root).askForTurn();
    return 'busy';
  }
  try {
    const file = join(root, manifestPath);
    const manifest = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const { interrupted } = new FolderOutput(root);
    return { manifest, interrupted, ...history(root, manifest, connection) };
  } finally {
    unlock();
  }
}

function history(root: string, manifest: Buffer, connection: Connection | undefined) {
  const unknown = { place: undefined, behind: 0 };
  if (connection === undefined) return unknown;
  const last = readBuild(connection, root);
  if (last === undefined || parseManifest(manifest, nodeDigest)?.snapshot !== last.snapshot) return unknown;
  return {
    place: { lineage: lineage(connection), revision: last.revision },
    behind: revision(connection) - last.revision,
  };
}

/** Whether a build has begun or ended since. */
function movedOn(root: string, manifest: Buffer): boolean {
  if (new FolderOutput(root).interrupted) return true;
  const file = join(root, manifestPath);
  return !existsSync(file) || !readFileSync(file).equals(manifest);
}
