/** What the editor has to know of the service before it is shown. */
import { listPath } from '../../../api/contract/routes.ts';
import { type Manifest, manifestPath } from '../../../api/contract/snapshot.ts';

/** Whether the service takes writes; true if it does not say so in two seconds. */
export async function takesWrites(): Promise<boolean> {
  const options = { method: 'OPTIONS', signal: AbortSignal.timeout(2000) };
  const response = await fetch(listPath('movies'), options).catch(() => undefined);
  return response?.headers.get('Allow')?.includes('POST') ?? true;
}

/** Whether the record is the sample; false if the service does not say so. */
export async function hasSample(): Promise<boolean> {
  const manifest = await fetch(`/${manifestPath}`)
    .then((found) => found.json() as Promise<Manifest>)
    .catch(() => undefined);
  return manifest?.sample === true;
}
