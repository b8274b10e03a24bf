/**
 * The downloads layer: each resource as NDJSON and CSV, and the whole record as one SQLite database, with an index of them.
 * Every file has two names: a stable one, and an immutable one that contains its hash.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, DownloadIndex } from '../../../api/contract/download-index.ts';
import {
  type DownloadFormat,
  downloadDescriptions,
  downloadFormats,
  downloadIndexPath,
  downloadsFolder,
  immutableName,
  stableName,
} from '../../../api/contract/download-names.ts';
import { type ResourceName, referencedResources, resourceNames } from '../../../api/contract/names.ts';
import { resourceSchemas } from '../../../api/contract/resources.ts';
import { recordFamily } from '../../../api/contract/snapshot.ts';
import { nominationText } from '../../../api/read/documents.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { RecordExport } from '../../../data/export.ts';
import { linkOrCopy, lockFile } from '../../../data/file-lock.ts';
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer, LayerFile } from '../layer.ts';
import { csvLine } from './csv.ts';
import { HashedFile, type Measure, measureFile } from '../hashed-file.ts';

const sources = ['./layer.ts', '../../../api/read/snapshot.ts'];

/** Records that a nomination refers to come before it. */
const order: readonly ResourceName[] = [...referencedResources, 'nominations'];
/** Nominations per piece. */
const pieceLength = 1024;

/** Folders for unfinished files begin with this. Each contains a lock that its process holds. */
const workPrefix = '.awards.downloads-';
const workLock = (folder: string): string => join(folder, '.lock');

/** @param root folder of the snapshot: the files are made below it, so that moving them copies nothing */
export function downloadsLayer(root: string): Layer {
  let work: string | undefined;
  let unlock: (() => void) | undefined;
  return {
    name: 'downloads',
    code: downloadsCode,
    findsMissing: true,
    // Each shard is read once.
    cacheBytes: 1024 * 1024,
    async *all(snapshot) {
      mkdirSync(root, { recursive: true });
      removeAbandoned(root);
      work = mkdtempSync(join(root, workPrefix));
      unlock = lockFile(workLock(work), 0);
      const files = await makeDownloads(snapshot, work);
      yield* layerFiles(work, files, snapshot.id);
    },
    close() {
      unlock?.();
      if (work !== undefined) rmSync(work, { recursive: true, force: true });
      work = unlock = undefined;
    },
  };
}

/** Removes what a process left behind that was killed. */
function removeAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(workPrefix)) continue;
    const release = lockFile(workLock(join(root, name)), 0);
    release?.();
    if (release) rmSync(join(root, name), { recursive: true, force: true });
  }
}

const downloadsCode = (): string => codeFingerprint(sources.map((path) => new URL(path, import.meta.url)));

/** The immutable names first, then the public index, then the stable names: the index always names files that exist. */
function* layerFiles(work: string, files: readonly Download[], snapshot: string): Generator<LayerFile> {
  const cause = 'the snapshot changed';
  const file = (name: string, content: LayerFile['content']): LayerFile => ({
    path: `${downloadsFolder}/${name}`,
    group: downloadsFolder,
    cause,
    content,
  });
  for (const { name, immutable_name, sha256 } of files)
    yield file(immutable_name, async () => {
      const second = join(work, immutable_name);
      linkOrCopy(join(work, name), second);
      return { file: second, hash: sha256.slice(0, 20) };
    });
  const index: DownloadIndex = { snapshot, maker: downloadsCode().slice(0, 20), files: [...files] };
  const bytes = new TextEncoder().encode(`${JSON.stringify(index)}\n`);
  yield { path: downloadIndexPath, group: downloadsFolder, cause, content: async () => bytes };
  for (const { name, sha256 } of files)
    yield file(name, async () => ({ file: join(work, name), hash: sha256.slice(0, 20) }));
}

/**
 * Reads a snapshot once and makes all files from it.
 * @param folder an empty folder; the files get their stable names there
 * @returns the files in the order of the index
 * @throws SnapshotUnavailable
 */
export async function makeDownloads(snapshot: Snapshot, folder: string): Promise<Download[]> {
  const files: Download[] = [];
  const databaseFile = join(folder, stableName(undefined, 'sqlite'));
  const database = new RecordExport(databaseFile);
  try {
    for (const resource of order) files.push(...(await makeTexts(snapshot, resource, folder, database)));
    database.finish();
  } finally {
    database.close();
  }
  const rows = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
  files.push(describe({ resource: undefined, format: 'sqlite', rows, ...measureFile(databaseFile) }));
  return inOrder(files);
}

/** Writes both texts of a resource, and its rows into the database. */
async function makeTexts(
  snapshot: Snapshot,
  resource: ResourceName,
  folder: string,
  database: RecordExport,
): Promise<Download[]> {
  const fields = Object.keys(resourceSchemas[resource].properties);
  const fileOf = (format: DownloadFormat) => new HashedFile(join(folder, stableName(resource, format)));
  const [ndjson, csv] = [fileOf('ndjson'), fileOf('csv')];
  try {
    let rows = 0;
    csv.write(csvLine(fields));
    for await (const lines of recordTexts(snapshot, resource)) {
      for (const line of lines) {
        const record = JSON.parse(line) as Record<string, unknown>;
        ndjson.write(`${line}\n`);
        csv.write(csvLine(fields.map((field) => record[field])));
        database.add(resource, record);
      }
      rows += lines.length;
    }
    return [
      describe({ resource, format: 'ndjson', rows, ...ndjson.finish() }),
      describe({ resource, format: 'csv', rows, ...csv.finish() }),
    ];
  } finally {
    ndjson.close();
    csv.close();
  }
}

/** The records of a resource as the lists show them: JSON texts, ascending by id, in pieces. */
async function* recordTexts(snapshot: Snapshot, resource: ResourceName): AsyncGenerator<string[]> {
  if (resource !== 'nominations') {
    const family = recordFamily(resource);
    for (const hash of (await snapshot.directory(family)).hashes)
      yield [...(await snapshot.recordShard(family, hash)).values()];
    return;
  }
  const table = await snapshot.nominations();
  for (let first = 0; first < table.count; first += pieceLength) {
    const count = Math.min(pieceLength, table.count - first);
    yield Array.from({ length: count }, (_, i) => nominationText(table, first + i));
    // Free the texts: nothing asks for them again.
    table.texts.fill(undefined, first, first + count);
  }
}

function describe(
  file: Measure & { resource: ResourceName | undefined; format: DownloadFormat; rows: number },
): Download {
  const { resource, format, rows, bytes, sha256 } = file;
  const name = stableName(resource, format);
  return {
    name,
    // A contentHash is the beginning of the SHA-256.
    immutable_name: immutableName(name, sha256.slice(0, 20)),
    format,
    resource: resource ?? null,
    rows,
    bytes,
    sha256,
    media_type: downloadFormats[format],
    description: downloadDescriptions[format],
  };
}

/** By format, then by resource in the order of the interface. */
function inOrder(files: readonly Download[]): Download[] {
  const rank = ({ format, resource }: Download) =>
    Object.keys(downloadFormats).indexOf(format) * resourceNames.length +
    (resource === null ? 0 : (resourceNames as readonly string[]).indexOf(resource));
  return [...files].sort((a, b) => rank(a) - rank(b));
}
