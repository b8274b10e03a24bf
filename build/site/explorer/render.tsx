/** @jsxRuntime automatic @jsxImportSource preact */
/** Renders a page of the explorer on a server, from the components of the browser and the resolver of the API. */
import { renderToString } from 'preact-render-to-string';
import type { HtmlParts, HtmlRenderer, HtmlRequest } from '../../../api/read/html.ts';
import { knownQuery, viewOf, withQuery } from './addresses.ts';
import { Answers, dataText } from './answers.ts';
import { App } from './app.tsx';
import { type PageContext, PageContextProvider } from './page-context.ts';
import { descriptionOf, headOf, ownPath } from './head.ts';
import { documentTitle, siteName } from './parts/page.tsx';
import { readingOf } from './record.ts';
import { pageAddressesOf } from './sitemap.ts';
// Browsers load these with their first use. A server loads them at its start, so that no request waits for them.
import './choices.ts';
import './search/finder.ts';

/** Answers can need other answers: a page is complete after three or four passes. */
const maxPasses = 10;

export const renderer: HtmlRenderer = { page: rendered, addresses: pageAddressesOf };

const bodyOf = (context: PageContext): string =>
  renderToString(
    <PageContextProvider value={context}>
      <App />
    </PageContextProvider>,
  );

async function rendered(request: HtmlRequest): Promise<HtmlParts | { location: string }> {
  const { path, origin, imageOrigins, resolver, file } = request;
  const query = knownQuery(request.query);
  const view = viewOf(path);
  const answers = new Answers();
  let title = siteName;
  const context = {
    place: { path, query, fragment: '', visit: 0 },
    answers,
    reading: async () => readingOf(resolver, file),
    version: 0,
    origin,
    imageOrigins: new Set([origin, ...imageOrigins]),
    onTitle: (own: string) => {
      title = own;
    },
  };
  const { id: snapshot } = await resolver.snapshot();
  let body = '';
  for (let pass = 0; pass < maxPasses; pass += 1) {
    body = bodyOf(context);
    if (!(await answers.load())) break;
    const own = ownPath(view, answers);
    if (own !== undefined && own !== path) return { location: withQuery(own, request.query) };
  }
  const isFound = view.kind === 'record' ? ownPath(view, answers) !== undefined : view.kind !== 'unknown';
  const described = { view, path, query, origin, title: documentTitle(title), isFound, answers };
  return {
    isFound,
    title: described.title,
    description: descriptionOf(described),
    head: headOf(described),
    body,
    data: dataText({ snapshot, origin, answers }),
    isOfSnapshot: view.kind !== 'downloads',
  };
}

/** The page for unknown addresses: the frame of every page, without a program and without the record. */
export const notFoundHtml = (): string =>
  bodyOf({
    place: { path: '/unknown', query: '', fragment: '', visit: 0 },
    answers: new Answers(),
    // Only a program reads the record.
    reading: () => Promise.reject(new Error('the page has no record')),
    version: 0,
    origin: '',
    imageOrigins: new Set(),
  });
