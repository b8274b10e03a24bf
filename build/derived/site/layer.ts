/**
 * The site layer: the explorer, the editor, the reference, the OpenAPI document, error documents for hosts of plain files, and
 * the rules that those hosts read. Its files depend on the code and the origins of posters alone. A package ships them in one
 * file, so that an installation needs neither a bundler nor the site's packages; a checkout caches them until its code
 * changes, as bundling takes longer than building the sample.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders, writeDurably } from '../../system/files.ts';
import { productCode } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';

/** Path below the root → bytes. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

/** The file of a shipped site, in the folder of this module. */
export const shippedName = 'site.json';
const shippedFile = fileURLToPath(new URL(shippedName, import.meta.url));
const cacheFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

/** @param imageOrigins other hosts that posters may come from */
export function siteLayer(imageOrigins: readonly string[] = []): Layer {
  return {
    name: 'site',
    options: imageOrigins.join(' '),
    async *all() {
      const { withImageOrigins } = await import('./pages.ts');
      const files = readSite(shippedFile) ?? (await cachedSite(productCode(), makeSite));
      for (const [path, bytes] of withImageOrigins(files, imageOrigins))
        yield { path, topic: 'site', content: async () => bytes };
    },
    affected: async () => new Set(),
  };
}

/** Makes the site from its sources, without origins of posters. */
export async function makeSite(): Promise<SiteFiles> {
  // The bundler and the schemas take long to load, and most updates do not need them.
  const [
    { bundleSite },
    { hostRules },
    { openapiText },
    { problemDocument },
    { openapiPath },
    { robotsPath, robotsRules },
  ] = await Promise.all([
    import('./bundle.ts'),
    import('./pages.ts'),
    import('../../../api/contract/openapi/document.ts'),
    import('../../../api/contract/problems.ts'),
    import('../../../api/contract/routes.ts'),
    import('../../site/shared/hosting.ts'),
  ]);
  const encoder = new TextEncoder();
  const notFound = problemDocument('unknown-address', 'there is nothing at this address');
  return new Map([
    ['404.json', encoder.encode(`${JSON.stringify(notFound)}\n`)],
    [openapiPath.slice(1), encoder.encode(openapiText())],
    [robotsPath.slice(1), encoder.encode(robotsRules)],
    ...(await bundleSite()),
    ...hostRules([]),
  ]);
}

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

/** @param code that the site must be made from; default any @returns undefined if the file is missing, not whole, or of other code */
function readSite(file: string, code?: string): SiteFiles | undefined {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { code: string; files: [string, string][] };
    if (code !== undefined && stored.code !== code) return undefined;
    return new Map(stored.files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));
  } catch {
    return undefined;
  }
}
