/** Has the browser keep the site, so that it works without a network the next time. */

/** What the worker is told when it may take its time with the record. */
export const keepRecord = 'keep-record';

/** What browsers tell of the network, where they do. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** To be called once a page is shown: it takes bandwidth that the first view needs more. */
export function keepForOffline(): void {
  // Browsers have it on secure origins alone; without it the site works all the same, online.
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const { connection } = navigator as Navigator & { connection?: Connection };
  const isSpared = connection?.saveData || connection?.effectiveType?.endsWith('2g');
  const register = async () => {
    await serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
    if (!isSpared) (await serviceWorker.ready).active?.postMessage(keepRecord);
  };
  const begin = () => void register().catch(() => {});
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}
