/**
 * The explorer in the browser. It takes over the HTML of a server, with the answers that are embedded there, or shows the page
 * from its beginning on a host of plain files.
 */
import './styles/frame.css';
import './styles/prose.css';
import './styles/records.css';
import './styles/lists.css';
import './styles/views.css';
import './styles/media.css';
import { hydrate, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { imageOriginsMeta } from '../shared/hosting.ts';
import { enableOffline, savesData } from '../shared/offline.ts';
import { Answers, embeddedIn } from './answers.ts';
import { App } from './app.tsx';
import { startNavigation, useAddress } from './navigation.ts';
import { type PageContext, PageContextProvider } from './page-context.ts';
import type { Reading } from './record.ts';

const embedded = embeddedIn(document);
/** The snapshot that the answers in the HTML are from, while the page shows them. */
let embeddedSnapshot = embedded?.snapshot;

/**
 * Loads the resolver and all that reads tables: a page that a server has made shows without them. A browser may keep a failed
 * import until the page is loaded again.
 */
const resolver = () => import('./browser-resolver.ts');

/** The files of the snapshot, read by the browser. */
async function browserReading(): Promise<Reading> {
  try {
    return (await resolver()).reading;
  } catch (error) {
    // A newer deploy may have removed the program. A server that answers has the page of this address.
    const isThere = () => fetch(location.href, { method: 'HEAD' }).then(({ ok }) => ok);
    if (embeddedSnapshot !== undefined && (await isThere().catch(() => false))) location.reload();
    throw error;
  }
}

const readerEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Loads the columns that a search needs at the first event of the reader, unless the browser saves data. */
function warmOnFirstEvent(): void {
  if (savesData()) return;
  const begin = () => {
    for (const event of readerEvents) removeEventListener(event, begin);
    // A search tries again, and reports the failure.
    resolver()
      .then(({ warm }) => warm())
      .catch(() => {});
  };
  for (const event of readerEvents) addEventListener(event, begin, { passive: true });
}

/** The version of the snapshot. Looks for a new one when the reader comes back to the window. */
function useVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const check = async () => {
      if (document.visibilityState !== 'visible') return;
      // Without a network, nothing changes.
      const program = await resolver().catch(() => undefined);
      if (!(await program?.takeUpChanges(embeddedSnapshot))) return;
      embeddedSnapshot = undefined;
      setVersion((before) => before + 1);
    };
    const begin = () => void check();
    document.addEventListener('visibilitychange', begin);
    // A window beside another one never becomes hidden.
    addEventListener('focus', begin);
    return () => {
      document.removeEventListener('visibilitychange', begin);
      removeEventListener('focus', begin);
    };
  }, []);
  return version;
}

function Program({ context }: { context: Omit<PageContext, 'version' | 'place'> }) {
  return (
    <PageContextProvider value={{ ...context, version: useVersion(), place: useAddress() }}>
      <App />
    </PageContextProvider>
  );
}

function start(): void {
  // The page needs it; a load of the page reports the failure.
  if (!embedded) browserReading().catch(() => {});
  startNavigation();
  const posters = document.querySelector<HTMLMetaElement>(`meta[name="${imageOriginsMeta}"]`);
  const context = {
    answers: new Answers(embedded?.answers),
    reading: browserReading,
    origin: embedded?.origin ?? location.origin,
    imageOrigins: new Set([location.origin, ...(posters?.content.split(' ') ?? [])]),
    resolver,
    hasServer: embedded !== undefined,
  };
  const root = document.getElementById('app')!;
  if (embedded) hydrate(<Program context={context} />, root);
  else render(<Program context={context} />, root);
  context.answers.close();
}

start();
warmOnFirstEvent();
enableOffline();
