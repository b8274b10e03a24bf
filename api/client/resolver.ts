import { portableDigest } from '../read/portable-digest.ts';
import { type ResolverOptions, Resolver as WebResolver } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';

/** The resolver, which hashes without Web Crypto where there is none, as in pages without TLS. */
export class Resolver extends WebResolver {
  constructor(source: Source, options: ResolverOptions = {}) {
    super(source, { digest: portableDigest, ...options });
  }
}
