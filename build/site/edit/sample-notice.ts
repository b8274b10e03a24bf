/** Says on a page without the resolver that the record is the sample: the explorer has a notice of its own. */
import { sampleNotice } from '../../../api/contract/sample.ts';
import { type Manifest, manifestPath } from '../../../api/contract/snapshot.ts';

/** Puts the notice above the page, if there is something to say. */
export async function showSampleNotice(): Promise<void> {
  const manifest = await fetch(`/${manifestPath}`)
    .then((response) => response.json() as Promise<Manifest>)
    .catch(() => undefined);
  if (manifest?.sample !== true) return;
  const notice = document.createElement('aside');
  notice.className = 'sample';
  notice.setAttribute('aria-label', 'About this record');
  notice.textContent = sampleNotice;
  document.body.prepend(notice);
}
