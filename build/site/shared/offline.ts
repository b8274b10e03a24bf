/** Registers the service worker, which makes the site work offline from the next visit on. */

/** Message to the worker: cache the whole record. */
export const cacheRecordMessage = 'keep-record';

/** Network Information API, where the browser has it. */
const connection = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }).connection;

/** Whether the reader asked the browser to save data. */
export const savesData = (): boolean => connection()?.saveData ?? false;

/** Call it after the first view is shown: it uses bandwidth that the first view needs more. */
export function enableOffline(): void {
  // Browsers have service workers on secure origins only.
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const register = async () => {
    await serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
    if (savesData() || connection()?.effectiveType?.endsWith('2g')) return;
    (await serviceWorker.ready).active?.postMessage(cacheRecordMessage);
  };
  const begin = () => void register().catch(() => {});
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}
