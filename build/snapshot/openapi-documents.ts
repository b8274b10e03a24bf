/** The description of the service as a file of the snapshot. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { documentPageName } from '../../api/contract/pages.ts';
import { openapiPath } from '../../api/contract/routes.ts';
import type { Documents } from './documents.ts';

/** Where it is made; what lies beside that folder is the builder's own code to it. */
const folder = new URL('../../api/contract/openapi/', import.meta.url);

/** Names the version of every library, and so of the one that the schemas are made with. */
const versions = new URL('../../package.json', import.meta.url);

export const openapiDocuments: Documents = {
  get fingerprint() {
    const hash = createHash('sha256').update(readFileSync(versions));
    for (const name of readdirSync(folder).sort())
      hash.update(`${name}\0`).update(readFileSync(new URL(name, folder)));
    return hash.digest('hex');
  },
  async make() {
    // Loaded here: most builds have nothing to do, and the schemas take as long to load as the rest of the builder.
    const { openapiText } = await import('../../api/contract/openapi/document.ts');
    return new Map([[documentPageName(openapiPath).path, new TextEncoder().encode(openapiText())]]);
  },
};
