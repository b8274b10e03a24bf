/** Builds for tests, the pages layer by default and no retention, so that folders can be compared; and answers from them. */
import { layerIndexFiles } from '../../api/contract/layer-index.ts';
import type { LayerName } from '../../api/contract/layers.ts';
import { splitTarget } from '../../api/contract/target.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { buildFolder, type FolderBuildOptions, type FolderReport } from '../../build/build.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { layerInMemory } from '../../build/derived/layer.ts';
import { pagesLayer } from '../../build/derived/pages.ts';
import { compileInMemory as compileShards } from '../../build/snapshot/in-memory.ts';
import { type Verification, verify as verifyFolder } from '../../build/verify.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { loadPlainRecord, type PlainRecord } from './record.ts';

/** Brings a folder up to date; see buildFolder(). */
export function build(
  connection: Connection,
  out: string,
  options: Partial<FolderBuildOptions> = {},
): Promise<FolderReport> {
  return buildFolder(connection, out, { layers: ['pages'], retentionMs: 0, ...options });
}

/** Compares a folder with a clean build. */
export function verify(
  connection: Connection,
  out: string,
  layers: readonly LayerName[] = ['pages'],
): Promise<Verification> {
  return verifyFolder(connection, out, layersOf(layers));
}

/** The files of a snapshot in memory, which is a Source as well. */
export class MemoryFolder implements Source {
  readonly files: Map<string, Uint8Array>;

  constructor(files: Iterable<readonly [string, Uint8Array]> = []) {
    this.files = new Map(files);
  }

  file = async (path: string): Promise<Uint8Array | undefined> => this.files.get(path);
  shard = async (path: string): Promise<Uint8Array | undefined> => this.files.get(path);
}

/** The shards, the manifest and the pages layer of a database, in memory. */
export async function compileInMemory(connection: Connection): Promise<MemoryFolder> {
  const { files, snapshot } = await compileShards(connection);
  const folder = new MemoryFolder(files);
  for await (const file of pagesLayer.files(snapshot))
    folder.files.set(file.path, (await file.content()).slice());
  const index = await layerInMemory(pagesLayer, snapshot);
  for (const [path, text] of layerIndexFiles(index)) folder.files.set(path, Buffer.from(text));
  return folder;
}

/** A record of its own: as plain arrays, and compiled in memory. @param fill fills an empty database */
export async function compiledRecord(
  fill: (connection: Connection) => unknown,
): Promise<{ record: PlainRecord; files: MemoryFolder }> {
  const connection = openDatabase(':memory:');
  await fill(connection);
  const [record, files] = [loadPlainRecord(connection), await compileInMemory(connection)];
  connection.close();
  return { record, files };
}

/** The answer to GET. @param target path and query string */
export const answerAt = (resolver: Resolver, target: string) =>
  resolver.answer({ method: 'GET', ...splitTarget(target) });
