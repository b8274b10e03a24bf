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
import { useEffect } from 'preact/hooks';
import { imageOriginsMeta } from '../../../api/contract/site.ts';
import { enableOffline } from '../shared/offline.ts';
import { Answers } from './answers.ts';
import { App } from './app.tsx';
import {
  browserReading,
  checkForChanges,
  exported,
  onSnapshotChange,
  startWithSnapshot,
  warmOnFirstEvent,
} from './browser-record.ts';
import { embeddedIn } from './embedded.ts';
import { requestFirstPage } from './first-page.ts';
import { PlaceProvider, startNavigation, useAddress } from './navigation.ts';
import { type PageContext, PageContextProvider } from './page-context.ts';
import { startReading } from './record.ts';

/** Looks for a new snapshot when the reader comes back to the window. */
function useChangeChecks(): void {
  useEffect(() => {
    const check = () => void (document.visibilityState === 'visible' && checkForChanges());
    document.addEventListener('visibilitychange', check);
    // A window beside another one never becomes hidden.
    addEventListener('focus', check);
    return () => {
      document.removeEventListener('visibilitychange', check);
      removeEventListener('focus', check);
    };
  }, []);
}

function Program({ context }: { context: PageContext }) {
  useChangeChecks();
  return (
    <PageContextProvider value={context}>
      <PlaceProvider value={useAddress()}>
        <App />
      </PlaceProvider>
    </PageContextProvider>
  );
}

function start(): void {
  const embedded = embeddedIn(document);
  startReading(browserReading);
  if (embedded) startWithSnapshot(embedded.snapshot);
  else {
    requestFirstPage();
    // The page needs it; a load of the page reports the failure.
    browserReading().catch(() => {});
  }
  startNavigation();
  const posters = document.querySelector<HTMLMetaElement>(`meta[name="${imageOriginsMeta}"]`);
  const context: PageContext = {
    answers: new Answers(embedded?.answers),
    origin: embedded?.origin ?? location.origin,
    imageOrigins: new Set([location.origin, ...(posters?.content.split(' ') ?? [])]),
    browser: { exported, onSnapshotChange, hasServer: embedded !== undefined },
  };
  const root = document.getElementById('app')!;
  if (embedded) hydrate(<Program context={context} />, root);
  else render(<Program context={context} />, root);
  context.answers.close();
}

start();
warmOnFirstEvent();
enableOffline();
