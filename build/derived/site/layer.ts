/**
 * The site layer: the explorer, the editor, the reference, the OpenAPI document, error documents for hosts of plain files, and
 * the rules that those hosts read. Its files depend on the code and the origins of posters alone.
 */
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';
import { cachedSite, type SiteFiles, shippedSite } from './stored-site.ts';

const sources = [
  ...['../../site/', './', '../../../api/contract/openapi/'],
  ...['../../../docs/errors.md', '../../../package-lock.json'],
];

/** @param imageOrigins other hosts that posters may come from */
export function siteLayer(imageOrigins: readonly string[] = []): Layer {
  return {
    name: 'site',
    code: () => [siteCode(), ...imageOrigins].join(' '),
    async *all() {
      const { withImageOrigins } = await import('./pages.ts');
      const files = shippedSite()?.files ?? (await cachedSite(siteCode(), makeSite));
      for (const [path, bytes] of withImageOrigins(files, imageOrigins))
        yield { path, cause: 'the site is made', content: async () => bytes };
    },
    async *affected() {},
  };
}

/** Fingerprint of the code that the site is made from. */
export function siteCode(): string {
  return shippedSite()?.code ?? codeFingerprint(import.meta.url, ...sources);
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
