/**
 * The site as part of a snapshot: its pages with all they need, the description of the service, the rules that hosts of plain
 * files read, and what a host answers where there is nothing. Made of the sources below; whatever makes it is loaded when it
 * is made, not before.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byCodeUnit } from '../../api/contract/text.ts';
import { bareDocuments, type Documents } from './documents.ts';
import { codeFingerprint } from './fingerprint.ts';
import { openapiDocuments } from './openapi-documents.ts';

/** Folders of sources besides those that the builder's own fingerprint covers, and the versions of what is bundled with them. */
const folders = ['../site/', '../layers/site/'];
const versions = '../../package-lock.json';

export const siteDocuments: Documents = {
  get fingerprint() {
    const hash = createHash('sha256').update(openapiDocuments.fingerprint);
    hash.update(readFileSync(new URL(versions, import.meta.url)));
    for (const folder of folders) {
      const url = new URL(folder, import.meta.url);
      for (const name of existsSync(url) ? filesBelow(url) : [])
        hash.update(`${folder}${name}\0`).update(readFileSync(new URL(name, url)));
    }
    return hash.digest('hex');
  },
  async make() {
    const { cachedSite } = await import('../layers/site/site-cache.ts');
    return cachedSite(codeFingerprint(siteDocuments), makeSite);
  },
};

/** Makes the site from its sources, whatever is kept. @returns path below the root → bytes */
export async function makeSite(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { bundleSite } = await import('../layers/site/bundle.ts');
  const { hostRules } = await import('../layers/site/pages.ts');
  return new Map([
    ...(await bareDocuments.make()),
    ...(await openapiDocuments.make()),
    ...(await bundleSite()),
    ...hostRules(),
  ]);
}

/** Paths below a folder, with slashes, ascending. */
function filesBelow(folder: URL): string[] {
  const root = fileURLToPath(folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort(byCodeUnit);
}
