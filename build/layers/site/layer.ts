/**
 * The site layer: the explorer, the editor, the reference, the OpenAPI document, error documents for hosts of plain files, and
 * the rules that those hosts read. Its files depend on the code and the origins of posters alone.
 */
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';

const sources = ['../../site/', './', '../../../api/contract/openapi/', '../../../package-lock.json'];

export function siteLayer(imageOrigins: readonly string[] = []): Layer {
  const code = () => [siteCode(), ...imageOrigins].join(' ');
  return {
    name: 'site',
    code,
    async *all() {
      const { cachedSite } = await import('./site-cache.ts');
      for (const [path, bytes] of await cachedSite(code(), () => makeSite(imageOrigins)))
        yield { path, cause: 'the site is made', content: async () => bytes };
    },
    async *affected() {},
  };
}

function siteCode(): string {
  return codeFingerprint(sources.map((path) => new URL(path, import.meta.url)));
}

/** Makes the site from its sources. @returns path below the root → bytes */
export async function makeSite(
  imageOrigins: readonly string[] = [],
): Promise<ReadonlyMap<string, Uint8Array>> {
  // The bundler and the schemas take long to load, and most updates do not need them.
  const [{ bundleSite }, { hostRules }, { openapiText }, { problemDocument }, { openapiPath }] =
    await Promise.all([
      import('./bundle.ts'),
      import('./pages.ts'),
      import('../../../api/contract/openapi/document.ts'),
      import('../../../api/contract/problems.ts'),
      import('../../../api/contract/routes.ts'),
    ]);
  const encoder = new TextEncoder();
  const notFound = problemDocument('unknown-address', 'there is nothing at this address');
  return new Map([
    ['404.json', encoder.encode(`${JSON.stringify(notFound)}\n`)],
    [openapiPath.slice(1), encoder.encode(openapiText())],
    ...(await bundleSite(imageOrigins)),
    ...hostRules(imageOrigins),
  ]);
}
