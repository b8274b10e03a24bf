import { fallbackDigest } from './fallback-digest.ts';
import { Resolver, type ResolverOptions } from './resolve.ts';
import type { Source } from './source.ts';

/** The resolver for programs that may run in a page without TLS, where Web Crypto is missing: it brings its own SHA-256 there. */
export class PageResolver extends Resolver {
  constructor(source: Source, options: ResolverOptions = {}) {
    super(source, { ...options, digest: options.digest ?? fallbackDigest });
  }
}
