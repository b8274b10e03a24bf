/** @jsxRuntime automatic @jsxImportSource preact */
/** Renders a page of the explorer on a server, from the components of the browser and the resolver of the API. */
import { renderToString } from 'preact-render-to-string';
import type { HtmlParts, HtmlRenderer, HtmlRequest } from '../../../api/read/html.ts';
import type { Resolver } from '../../../api/read/resolve.ts';
import { viewOf } from './addresses.ts';
import { Answers } from './answers.ts';
import { App } from './app.tsx';
import { PlaceProvider } from './navigation.ts';
import { PageContextProvider } from './page-context.ts';
import { dataText } from './embedded.ts';
import { documentTitle, siteName } from './parts/page.tsx';
import { type Reading, withReading } from './record.ts';
import { serverReading } from './server-record.ts';

/** Answers can need other answers: a page is complete after three or four passes. */
const maxPasses = 10;

/** One per resolver, so that loads of the same site need not wait for each other. */
const readings = new WeakMap<Resolver, Reading>();

function readingOf({ resolver, file }: HtmlRequest): Reading {
  const known = readings.get(resolver);
  if (known) return known;
  const made = serverReading(resolver, file);
  readings.set(resolver, made);
  return made;
}

export const renderHtml: HtmlRenderer = (request) => withReading(readingOf(request), () => rendered(request));

async function rendered(request: HtmlRequest): Promise<HtmlParts | { location: string }> {
  const { path, query, origin, imageOrigins, resolver } = request;
  const answers = new Answers();
  let title = siteName;
  const context = {
    answers,
    origin,
    imageOrigins: new Set([origin, ...imageOrigins]),
    onTitle: (own: string) => {
      title = own;
    },
  };
  const { id: snapshot } = await resolver.snapshot();
  let body = '';
  for (let pass = 0; pass < maxPasses; pass += 1) {
    body = renderToString(
      <PageContextProvider value={context}>
        <PlaceProvider value={{ path, query, fragment: '', visit: 0 }}>
          <App />
        </PlaceProvider>
      </PageContextProvider>,
    );
    if (!(await answers.load())) break;
  }
  const view = viewOf(path);
  const key = view.kind === 'record' ? `${view.resource}/${view.id}` : '';
  return {
    isFound: view.kind !== 'unknown' && !answers.isUnknown(key),
    title: documentTitle(title),
    description: '',
    head: '',
    body,
    data: dataText({ snapshot, origin, answers }),
    isOfSnapshot: view.kind !== 'downloads',
  };
}
