/** Caches the files of the site in node_modules/.cache until their sources change: bundling takes longer than building the sample. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

type Files = ReadonlyMap<string, Uint8Array>;

const defaultFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

/**
 * The cached files for this fingerprint; new ones from `make` if there are none or the cache is damaged.
 * @param file path of the cache
 */
export async function cachedSite(
  fingerprint: string,
  make: () => Promise<Files>,
  file = defaultFile,
): Promise<Files> {
  const cached = readCache(file, fingerprint);
  if (cached) return cached;
  const files = await make();
  writeCache(file, fingerprint, files);
  return files;
}

/** The cache is a line with this checksum, then the paths and the bytes in base64 as JSON. */
const checksumOf = (fingerprint: string, body: string): string =>
  createHash('sha256').update(fingerprint).update(body).digest('hex');

function readCache(file: string, fingerprint: string): Files | undefined {
  try {
    const [checksum, body = ''] = readFileSync(file, 'utf8').split('\n', 2);
    if (checksum !== checksumOf(fingerprint, body)) return undefined;
    const entries = JSON.parse(body) as [path: string, base64: string][];
    return new Map(entries.map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));
  } catch {
    return undefined; // Missing or unreadable.
  }
}

function writeCache(file: string, fingerprint: string, files: Files): void {
  const body = JSON.stringify(
    [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
  );
  // Another process may write the same file.
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, `${checksumOf(fingerprint, body)}\n${body}`);
    renameSync(temporary, file);
  } catch {
    // Without a cache, the site is made each time.
  }
}
