/**
 * The downloads layer: each resource as NDJSON, CSV and Parquet, and the whole record as one SQLite database,
 * with an index of them. Every file has two names: a stable one, and an immutable one that contains its hash.
 */
import type { DownloadIndex } from '../../api/contract/answers.ts';
import { downloadIndexName, downloadsFolder } from '../../api/contract/layers.ts';
import { type ResourceName, referencedResources } from '../../api/contract/names.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { productCode } from '../snapshot/fingerprint.ts';
import { describeDownload, type MadeDownload, rankOf } from './download-entry.ts';
import { makeFiles } from './download-files.ts';
import { type Layer, type LayerFile, madeFile } from './layer.ts';
import { Restricted } from './restricted-values.ts';

/** Records that a nomination refers to come before it. */
const order: readonly ResourceName[] = [...referencedResources, 'nominations', 'honors'];

/** @param includeRestricted whether values that may not be passed on are in the files */
export function downloadsLayer(includeRestricted: boolean): Layer {
  return {
    name: 'downloads',
    options: includeRestricted ? 'restricted' : '',
    isMadeWhole: true,
    files: (snapshot) => downloadFiles(snapshot, includeRestricted),
  };
}

/**
 * The immutable names first, then the public index, then the stable names: the index always names files that
 * exist.
 */
async function* downloadFiles(snapshot: Snapshot, includeRestricted: boolean): AsyncGenerator<LayerFile> {
  const restricted = await Restricted.of(snapshot, includeRestricted);
  const made = await makeDownloads(snapshot, restricted);
  const file = (name: string, content: string | Uint8Array) =>
    madeFile(`${downloadsFolder}/${name}`, content);
  for (const [{ immutable_name }, bytes] of made) yield file(immutable_name, bytes);
  const index: DownloadIndex = {
    snapshot: snapshot.id,
    maker: productCode().slice(0, 20),
    sources: restricted.sources,
    notices: restricted.notices,
    files: made.map(([download]) => download),
  };
  yield file(downloadIndexName, `${JSON.stringify(index)}\n`);
  for (const [{ name }, bytes] of made) yield file(name, bytes);
}

/** Reads a snapshot once and makes all files. @returns in the order of the index */
async function makeDownloads(snapshot: Snapshot, restricted: Restricted): Promise<MadeDownload[]> {
  const files: MadeDownload[] = [];
  const { RecordExport } = await import('../../data/record/export.ts');
  const database = new RecordExport(restricted.sources);
  try {
    for (const resource of order)
      for (const file of await makeFiles(snapshot, resource, database, restricted)) files.push(file);
    const rows = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
    files.push(describeDownload(undefined, 'sqlite', rows, database.finish()));
  } finally {
    database.close();
  }
  return files.sort(([a], [b]) => rankOf(a) - rankOf(b));
}
