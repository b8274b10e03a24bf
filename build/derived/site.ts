/**
 * The site layer: the explorer, the editor, the reference, the OpenAPI document, error documents for hosts of
 * plain files, and the rules that those hosts read. Its files depend on the code and the origins of posters
 * alone, but for the reference and the summary for assistants: templates that are completed with the
 * snapshot. A package ships them in one file, so that an installation needs neither a bundler nor the site's
 * packages; a checkout caches them until its code changes, as bundling takes longer than building the sample.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { loadOnce } from '../../api/read/source.ts';
import { makeFolders, writeDurably } from '../../data/system/files.ts';
import { productCode } from '../snapshot/fingerprint.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { completeReference, completeSummary } from '../site/docs/answers.ts';
import { hostRules, policyElement, referenceFile, summaryFile } from '../site/shared/hosting.ts';
import { type Layer, type LayerFile, madeFile } from './layer.ts';

/** Path below the root → bytes. */
type SiteFiles = ReadonlyMap<string, Uint8Array>;

/** The file of a shipped site, in the folder of this module. */
export const shippedName = 'site.json';
const shippedFile = fileURLToPath(new URL(shippedName, import.meta.url));
const cacheFile = fileURLToPath(new URL('../../node_modules/.cache/film-awards/site.json', import.meta.url));

/** @param imageOrigins other hosts that posters may come from */
export function siteLayer(imageOrigins: readonly string[] = []): Layer {
  // The bundler and the schemas take long to load, and most updates do not need them.
  const make = async () => (await import('../site/bundle.ts')).makeSite();
  const read = loadOnce(async () => readSite(shippedFile) ?? (await cachedSite(productCode(), make)));
  return {
    name: 'site',
    options: imageOrigins.join(' '),
    async *files(snapshot, difference) {
      for (const [path, bytes] of withImageOrigins(await read(), imageOrigins))
        if (Object.hasOwn(completed, path)) yield completedFile(path, bytes, snapshot);
        else if (difference === undefined) yield madeFile(path, bytes);
    },
  };
}

/** The files that are completed with the snapshot. */
const completed: Readonly<
  Record<string, (template: string, snapshot: Snapshot) => Promise<string> | string>
> = {
  [referenceFile]: completeReference,
  [summaryFile]: completeSummary,
};

const completedFile = (path: string, template: Uint8Array, snapshot: Snapshot): LayerFile => ({
  path,
  content: async () => Buffer.from(await completed[path]!(Buffer.from(template).toString(), snapshot)),
});

/** The cached files of this code; new ones from `make` if there are none or the cache is not whole. */
export async function cachedSite(
  code: string,
  make: () => Promise<SiteFiles>,
  file = cacheFile,
): Promise<SiteFiles> {
  const cached = readSite(file, code);
  if (cached) return cached;
  const files = await make();
  try {
    writeSite(file, code, files);
  } catch {
    // Without a cache, the site is made each time.
  }
  return files;
}

/** Writes the code, and the paths with the bytes in base64, as JSON. */
export function writeSite(file: string, code: string, site: SiteFiles): void {
  const files = [...site].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
  makeFolders(dirname(file));
  writeDurably(file, JSON.stringify({ code, files }));
}

/**
 * @param code that the site must be made from; default any
 * @returns undefined if the file is missing, not whole, or of other code
 */
function readSite(file: string, code?: string): SiteFiles | undefined {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { code: string; files: [string, string][] };
    if (code !== undefined && stored.code !== code) return undefined;
    return new Map(stored.files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));
  } catch {
    return undefined;
  }
}

/** The version in the service worker, by which it tells the files of one site from those of another. */
const workerVersion = /(?<=\bversion: ?")[0-9a-f]{20}(?=")/;

/** The site with posters from other hosts. @param files of the site without them */
function withImageOrigins(files: SiteFiles, imageOrigins: readonly string[]): SiteFiles {
  if (imageOrigins.length === 0) return files;
  const changed = new Map([...files, ...hostRules(imageOrigins)]);
  const change = (path: string, replace: (text: string) => string) =>
    changed.set(path, new TextEncoder().encode(replace(new TextDecoder().decode(files.get(path)))));
  for (const path of files.keys())
    if (path.endsWith('.html'))
      change(path, (text) => text.replace(policyElement([]), policyElement(imageOrigins)));
  change('service-worker.js', (text) =>
    text.replace(workerVersion, (version) =>
      contentHash(new TextEncoder().encode([version, ...imageOrigins].join(' ')), nodeDigest),
    ),
  );
  return changed;
}
