/** Caches the files of the site in node_modules/.cache until their sources change: bundling takes longer than building the sample. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders, writeDurably } from '../../../data/durable-files.ts';
import { decoded, encoded, type SiteFiles } from './shipped-site.ts';

const defaultFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

/**
 * The cached files for this fingerprint; new ones from `make` if there are none or the cache is damaged.
 * @param file path of the cache
 */
export async function cachedSite(
  fingerprint: string,
  make: () => Promise<SiteFiles>,
  file = defaultFile,
): Promise<SiteFiles> {
  const cached = readCache(file, fingerprint);
  if (cached) return cached;
  const files = await make();
  writeCache(file, fingerprint, files);
  return files;
}

/** The cache is a line with this checksum, then the paths and the bytes in base64 as JSON. */
const checksumOf = (fingerprint: string, body: string): string =>
  createHash('sha256').update(fingerprint).update(body).digest('hex');

function readCache(file: string, fingerprint: string): SiteFiles | undefined {
  try {
    const [checksum, body = ''] = readFileSync(file, 'utf8').split('\n', 2);
    if (checksum !== checksumOf(fingerprint, body)) return undefined;
    return decoded(JSON.parse(body));
  } catch {
    return undefined; // Missing or unreadable.
  }
}

function writeCache(file: string, fingerprint: string, files: SiteFiles): void {
  const body = JSON.stringify(encoded(files));
  try {
    makeFolders(dirname(file));
    writeDurably(file, `${checksumOf(fingerprint, body)}\n${body}`);
  } catch {
    // Without a cache, the site is made each time.
  }
}
