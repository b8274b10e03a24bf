/** What the renderer of HTML pages gets and gives. The renderer itself is part of the explorer: build/site/explorer/render.tsx. */
import type { Resolver } from './resolve.ts';

export interface HtmlRequest {
  /** Of the page, without a slash at its end. */
  path: string;
  /** Without the leading `?`. */
  query: string;
  /** Scheme and host of the site, for absolute addresses. */
  origin: string;
  /** Other hosts that pages may show posters of. */
  imageOrigins: readonly string[];
  resolver: Resolver;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
}

/** The parts of a page that its shell lacks, as HTML. */
export interface HtmlParts {
  /** Whether the address names something. */
  isFound: boolean;
  /** Title and description, as texts. */
  title: string;
  description: string;
  /** More elements of the head. */
  head: string;
  body: string;
  /** JSON for the program of the browser. */
  data: string;
  /** Whether the page depends on the snapshot alone. */
  isOfSnapshot: boolean;
}

export interface HtmlRenderer {
  /** A page, or the address that the page has. @throws SnapshotUnavailable @throws ApiError for a failure of the API */
  page(request: HtmlRequest): Promise<HtmlParts | { location: string }>;
  /** The paths of all pages. @throws SnapshotUnavailable */
  addresses(resolver: Resolver): Promise<string[]>;
}
