/** What a site shows its readers. */
import { type Manifest, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { fetchSource } from '../../api/read/fetch-source.ts';
import type { Source } from '../../api/read/source.ts';
import { RetryLaterError } from './failure.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** Milliseconds for one answer. */
const requestLimit = 15_000;

/** A site as a Source. @param address without a slash at the end */
export const liveSource = (address: string): Source =>
  fetchSource(`${address}/`, (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(requestLimit) }),
  );

/** The manifest that a site shows; undefined if it shows none, or cannot be reached. */
export async function liveManifest(address: string): Promise<Manifest | undefined> {
  const bytes = await liveSource(address)
    .manifest()
    .catch(() => undefined);
  return bytes && parseManifest(bytes, nodeDigest);
}

/**
 * Waits until a site shows a snapshot.
 * @param timeoutMs milliseconds
 * @throws RetryLaterError if it does not in time
 */
export async function untilLive(
  address: string,
  snapshot: string,
  timeoutMs: number,
  persistence: RetryPolicy,
): Promise<void> {
  const since = performance.now();
  await persistence.poll('looking at the site', async () => {
    const shown = (await liveManifest(address))?.snapshot;
    if (shown === snapshot) return true;
    if (performance.now() - since < timeoutMs) return undefined;
    throw new RetryLaterError(
      `the deploy of snapshot ${snapshot} is ready, but ${address}/manifest.json shows ${shown ?? 'no snapshot'}; look again in a minute`,
    );
  });
}
