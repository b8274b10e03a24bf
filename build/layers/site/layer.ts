/**
 * The site layer: the explorer, the editor, the reference, the OpenAPI document, error documents for hosts of plain files, and
 * the rules that those hosts read. Its files depend on the code and the origins of posters alone.
 */
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import { UserError } from '../../../data/user-error.ts';
import type { Layer } from '../layer.ts';
import { shippedSite } from './shipped-site.ts';

const sources = ['../../site/', './', '../../../api/contract/openapi/', '../../../package-lock.json'];

export function siteLayer(imageOrigins: readonly string[] = []): Layer {
  const code = () => [siteCode(), ...imageOrigins].join(' ');
  return {
    name: 'site',
    code,
    async *all() {
      for (const [path, bytes] of await siteFiles(code(), imageOrigins))
        yield { path, cause: 'the site is made', content: async () => bytes };
    },
    async *affected() {},
  };
}

/** Fingerprint of the code that the site is made from. */
export function siteCode(): string {
  return shippedSite()?.code ?? codeFingerprint(sources.map((path) => new URL(path, import.meta.url)));
}

/** @throws UserError for origins where the site is a finished one: its pages name the hosts that they may load from */
async function siteFiles(
  code: string,
  imageOrigins: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const shipped = shippedSite();
  if (shipped && imageOrigins.length > 0)
    throw new UserError('the installed package has a finished site; --image-origins needs a checkout');
  if (shipped) return shipped.files;
  const { cachedSite } = await import('./site-cache.ts');
  return cachedSite(code, () => makeSite(imageOrigins));
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
