/** The records of a snapshot as the lists of the service show them, one shard's worth after the other. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { contentHash, recordFamily, recordShardLines, shardPath } from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import { nominationText } from '../../../api/read/documents.ts';
import { Reader } from '../../../api/read/reader.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { SnapshotUnavailable, type Source } from '../../../api/read/source.ts';

/** Of shards nothing is read twice. */
const cacheBytes = 1024 * 1024;
/** Nominations in one piece. */
const piece = 1024;

export class RecordTexts {
  readonly snapshot: Snapshot;
  readonly #source: Source;

  private constructor(snapshot: Snapshot, source: Source) {
    this.snapshot = snapshot;
    this.#source = source;
  }

  /** @throws SnapshotUnavailable */
  static async of(source: Source): Promise<RecordTexts> {
    return new RecordTexts(await new Reader(source, { digest: nodeDigest, cacheBytes }).current(), source);
  }

  /** JSON texts, ascending by id. @throws SnapshotUnavailable */
  of(resource: ResourceName): AsyncGenerator<string[]> {
    return resource === 'nominations' ? this.#nominations() : this.#records(recordFamily(resource));
  }

  async *#records(family: ReturnType<typeof recordFamily>): AsyncGenerator<string[]> {
    for (const hash of (await this.snapshot.directory(family)).hashes) {
      const path = shardPath(family, hash);
      const bytes = await this.#source.shard(path);
      if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
      if (contentHash(bytes, nodeDigest) !== hash) throw new SnapshotUnavailable(`${path} is damaged`);
      yield recordShardLines(new TextDecoder().decode(bytes));
    }
  }

  async *#nominations(): AsyncGenerator<string[]> {
    const table = await this.snapshot.nominations();
    for (let first = 0; first < table.count; first += piece) {
      const count = Math.min(piece, table.count - first);
      yield Array.from({ length: count }, (_, i) => nominationText(table, first + i));
      // Nobody asks for them again.
      table.texts.fill(undefined, first, first + count);
    }
  }
}
