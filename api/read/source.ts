/** Where a snapshot's bytes come from: the resolver reads everything it needs through the first two methods. */
export interface Source {
  /** The bytes of manifest.json as they are now; undefined if there is none. */
  manifest(): Promise<Uint8Array | undefined>;
  /** The bytes of an immutable file named by the manifest or a head; undefined if it is missing. Where there is no `page`, of a document too. */
  shard(path: string): Promise<Uint8Array | undefined>;
  /**
   * The bytes of a page as they are now; undefined if it is missing. Where there is this method, documents that are
   * precomputed are read and not computed: right where a file costs less than the shards to compute it from.
   */
  page?(path: string): Promise<Uint8Array | undefined>;
}

/** A part of the snapshot is missing or not what its name says. */
export class SnapshotUnavailable extends Error {
  override readonly name = 'SnapshotUnavailable';
}
