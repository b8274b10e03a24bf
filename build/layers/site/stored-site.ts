/**
 * The finished site in one file: a package ships it, so that an installation needs neither a bundler nor the site's packages,
 * and a checkout caches it until its sources change, as bundling takes longer than building the sample.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders, writeDurably } from '../../system/files.ts';
import { UserError } from '../../system/user-error.ts';

/** Path below the root → bytes. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

interface StoredSite {
  /** Fingerprint of the code that the site was made from. */
  code: string;
  files: SiteFiles;
}

/** The file of a shipped site, in the folder of this module. */
export const shippedName = 'site.json';
const shippedFile = fileURLToPath(new URL(shippedName, import.meta.url));
const cacheFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

const checksumOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** Writes a line with a checksum, then the fingerprint, the paths, and the bytes in base64 as JSON. */
export function writeSite(file: string, { code, files }: StoredSite): void {
  const encoded = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
  const body = JSON.stringify({ code, files: encoded });
  makeFolders(dirname(file));
  writeDurably(file, `${checksumOf(body)}\n${body}`);
}

/** The site in a file; undefined if it is missing or damaged. */
function readSite(file: string): StoredSite | undefined {
  try {
    const [checksum, body = ''] = readFileSync(file, 'utf8').split('\n', 2);
    if (checksum !== checksumOf(body)) return undefined;
    const { code, files } = JSON.parse(body) as { code: string; files: [path: string, base64: string][] };
    return { code, files: new Map(files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')])) };
  } catch {
    return undefined;
  }
}

let shipped: StoredSite | undefined;

/** The site beside this module; undefined in a checkout, which makes it from its sources. @throws UserError if it is damaged */
export function shippedSite(): StoredSite | undefined {
  shipped ??= readSite(shippedFile);
  if (!shipped && existsSync(shippedFile))
    throw new UserError(`${shippedFile} is damaged; install the package again`);
  return shipped;
}

/** The cached files for this fingerprint; new ones from `make` if there are none or the cache is damaged. */
export async function cachedSite(
  code: string,
  make: () => Promise<SiteFiles>,
  file = cacheFile,
): Promise<SiteFiles> {
  const cached = readSite(file);
  if (cached?.code === code) return cached.files;
  const files = await make();
  try {
    writeSite(file, { code, files });
  } catch {
    // Without a cache, the site is made each time.
  }
  return files;
}
