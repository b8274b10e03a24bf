/** Makes the files to download from a snapshot: of each resource one as NDJSON and one as CSV, and of all one for SQLite. */
import { join } from 'node:path';
import type { Download } from '../../../api/contract/download-index.ts';
import {
  type DownloadFormat,
  downloadDescriptions,
  downloadFormats,
  immutableName,
  stableName,
} from '../../../api/contract/download-names.ts';
import { type ResourceName, referencedResources, resourceNames } from '../../../api/contract/names.ts';
import { resourceSchemas } from '../../../api/contract/resources.ts';
import type { Source } from '../../../api/read/source.ts';
import { RecordExport } from '../../../data/export.ts';
import { csvLine } from './csv.ts';
import { HashedFile, type Measure, measureFile } from './hashed-file.ts';
import { RecordTexts } from './record-texts.ts';

/** What a nomination refers to comes before it. */
const order: readonly ResourceName[] = [...referencedResources, 'nominations'];

export interface Made {
  snapshot: string;
  /** In the order of the index. */
  files: Download[];
}

/**
 * Reads a snapshot once and makes all files from it.
 * @param folder an empty one; the files bear their stable names there
 * @param onProgress told of how many of how many records are done
 * @throws SnapshotUnavailable
 */
export async function makeFiles(
  source: Source,
  folder: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Made> {
  const texts = await RecordTexts.of(source);
  const rows = Object.values(texts.snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  const onRows = (count: number) => {
    done += count;
    onProgress?.(done, rows);
  };
  const files: Download[] = [];
  const databaseName = stableName(undefined, 'sqlite');
  const database = new RecordExport(join(folder, databaseName));
  try {
    for (const resource of order) files.push(...(await makeTexts(texts, resource, folder, database, onRows)));
    database.finish();
  } finally {
    database.close();
  }
  const measure = measureFile(join(folder, databaseName));
  files.push(describe({ resource: undefined, format: 'sqlite', rows, ...measure }));
  return { snapshot: texts.snapshot.id, files: inOrder(files) };
}

/** Both texts of a resource, and its rows in the database. */
async function makeTexts(
  texts: RecordTexts,
  resource: ResourceName,
  folder: string,
  database: RecordExport,
  onRows: (count: number) => void,
): Promise<Download[]> {
  const fields = Object.keys(resourceSchemas[resource].properties);
  const fileOf = (format: DownloadFormat) => new HashedFile(join(folder, stableName(resource, format)));
  const [ndjson, csv] = [fileOf('ndjson'), fileOf('csv')];
  try {
    let rows = 0;
    csv.write(csvLine(fields));
    for await (const lines of texts.of(resource)) {
      for (const line of lines) {
        const record = JSON.parse(line) as Record<string, unknown>;
        ndjson.write(`${line}\n`);
        csv.write(csvLine(fields.map((field) => record[field])));
        database.add(resource, record);
      }
      rows += lines.length;
      onRows(lines.length);
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

function describe(
  file: Measure & { resource: ResourceName | undefined; format: DownloadFormat; rows: number },
): Download {
  const { resource, format, rows, bytes, sha256 } = file;
  const name = stableName(resource, format);
  return {
    name,
    // The beginning of the SHA-256 is what contentHash would say.
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

/** By format, then by resource as the interface introduces them. */
function inOrder(files: readonly Download[]): Download[] {
  const rank = ({ format, resource }: Download) =>
    Object.keys(downloadFormats).indexOf(format) * resourceNames.length +
    (resource === null ? 0 : (resourceNames as readonly string[]).indexOf(resource));
  return [...files].sort((a, b) => rank(a) - rank(b));
}
