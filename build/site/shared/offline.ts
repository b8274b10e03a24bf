/** Has the browser keep the site, so that it works without a network the next time. */

/** To be called once a page is shown: it takes bandwidth that the first view needs more. */
export function keepForOffline(): void {
  // Browsers have it on secure origins alone; without it the site works all the same, online.
  if (!('serviceWorker' in navigator)) return;
  const register = () =>
    void navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
