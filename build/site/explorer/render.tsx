/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Renders a page: from a request over the snapshot to HTML. It runs in the server, at the edge and in the
 * service worker.
 */
import { renderToString } from 'preact-render-to-string';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { changed, knownQuery, viewOf, withQuery } from './addresses.ts';
import { SearchRefused } from './ask.ts';
import { Frame, siteName } from './frame.tsx';
import { headOf } from './head.ts';
import { locationOf, pageOf } from './page-of-view.tsx';
import type { Visit } from './parts.tsx';
import { findRecords } from './search.ts';
import { views } from './views.ts';

interface PageRequest {
  snapshot: Snapshot;
  /** Without a slash at its end. */
  path: string;
  /** Without the leading `?`. */
  query: string;
  /** Scheme and host of the site, for absolute addresses; '' for relative ones. */
  origin: string;
  /** Other hosts that pages may show posters of. */
  imageOrigins: readonly string[];
  isWritable: boolean;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** Whether the client has a search left. */
  mayFind: () => Promise<boolean>;
}

/** The parts of a page that its shell lacks, as HTML; title and description are texts. */
export interface RenderedPage {
  status: 200 | 404;
  title: string;
  description: string;
  /** More elements of the head. */
  head: string;
  body: string;
  /** Whether the page depends on the snapshot alone. */
  isOfSnapshot: boolean;
  /** Whether the body is all: a part of a page, which the script puts into another one. */
  isPart: boolean;
}

/** A page, or the address that the page has. @throws SnapshotUnavailable */
export async function render(request: PageRequest): Promise<RenderedPage | { location: string }> {
  const { snapshot, path, origin, imageOrigins, isWritable, file, mayFind } = request;
  const view = viewOf(path);
  const query = new URLSearchParams(knownQuery(request.query));
  if (view.kind === 'moved')
    return { location: changed(view.to, query, view.sort ? { sort: view.sort } : {}) };
  const isSample = snapshot.manifest.sample === true;
  const origins = new Set([origin, ...imageOrigins]);
  const find = async (typed: string) => {
    if (!(await mayFind())) throw new SearchRefused();
    return findRecords(snapshot, typed);
  };
  const host = { origin, imageOrigins: origins, isWritable, file };
  const visit: Visit = { snapshot, path, query, isSample, find, ...host };
  if (view.kind === 'search' && query.get('part') === 'options')
    return partOf(renderToString(await views.searchOptions(visit)));
  const location = await locationOf(visit, view);
  if (location !== undefined) return { location };
  const page = await pageOf(visit, view);
  const { canonical } = page;
  if (view.kind === 'record' && canonical !== undefined && canonical !== path)
    return { location: withQuery(canonical, request.query) };
  const body = renderToString(
    <Frame path={path} typed={query.get('q') ?? ''} isSample={isSample} sources={snapshot.manifest.sources}>
      {page.body}
    </Frame>,
  );
  const title = page.title === siteName ? siteName : `${page.title} · ${siteName}`;
  const description = shortened(isSample ? `${page.description} This is a sample.` : page.description);
  const own = canonical ?? withQuery(path, query);
  const { status = 200 } = page;
  const record = view.kind === 'record' && status === 200 ? view : undefined;
  return {
    status,
    title,
    description,
    head: headOf(page, { title, description, origin, url: origin + own, record }),
    body,
    isOfSnapshot: !page.isOfFiles,
    isPart: false,
  };
}

const partOf = (body: string): RenderedPage => ({
  status: 200,
  title: '',
  description: '',
  head: '',
  body,
  isOfSnapshot: true,
  isPart: true,
});

/** Search engines show about as much. */
const maxDescription = 160;

/** A text that ends after a whole word. */
const shortened = (text: string): string =>
  text.length <= maxDescription ? text : `${text.slice(0, maxDescription).replace(/[\s,;:]+\S*$/, '')}…`;
