/** Where the bytes of a snapshot come from. The resolver reads every file through a Source. */
export interface Source {
  /** The bytes of a mutable file now: manifest.json, a layer index, a document. Undefined if it is missing; rejects if that is not known. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** The bytes of an immutable file, named by its hash. Undefined if it is missing. */
  shard(path: string): Promise<Uint8Array | undefined>;
}

/** A part of the snapshot is missing or damaged. */
export class SnapshotUnavailable extends Error {
  override readonly name = 'SnapshotUnavailable';
}
