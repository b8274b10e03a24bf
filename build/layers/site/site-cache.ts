/** Caches the files of the site in node_modules/.cache until their sources change: bundling takes longer than building the sample. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

type Files = ReadonlyMap<string, Uint8Array>;

const defaultFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

interface CacheEntry {
  /** Of the sources that the files were made from. */
  fingerprint: string;
  files: [path: string, base64: string][];
}

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
  writeCache(file, { fingerprint, files: [...files].map(([path, bytes]) => [path, base64(bytes)]) });
  return files;
}

function readCache(file: string, fingerprint: string): Files | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== digestOf(body)) return undefined;
    const entry = JSON.parse(body) as CacheEntry;
    if (entry.fingerprint !== fingerprint) return undefined;
    return new Map(entry.files.map(([path, bytes]) => [path, Buffer.from(bytes, 'base64')]));
  } catch {
    return undefined; // Missing or unreadable.
  }
}

function writeCache(file: string, entry: CacheEntry): void {
  const body = JSON.stringify(entry);
  // Another process may write the same file.
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, `${digestOf(body)}\n${body}`);
    renameSync(temporary, file);
  } catch {
    // Without a cache, the site is made each time.
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
