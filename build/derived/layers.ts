/** The layers of a folder, in the order in which they are brought up to date. */
import type { LayerName } from '../../api/contract/layers.ts';
import { byImdbLayer } from './by-imdb.ts';
import { downloadsLayer } from './downloads.ts';
import type { Layer } from './layer.ts';
import { listsLayer } from './lists.ts';
import { pagesLayer } from './pages.ts';
import { siteLayer } from './site.ts';

export interface LayerOptions {
  /** Whether the downloads include values that may not be passed on. */
  includeRestricted?: boolean | undefined;
  /** Other hosts that the site may show posters of, such as https://image.tmdb.org. */
  imageOrigins?: readonly string[] | undefined;
  /** Of the links in the feeds. Without it they are relative. */
  origin?: string | undefined;
}

export function layersOf(
  names: readonly LayerName[],
  { includeRestricted = false, imageOrigins, origin }: LayerOptions = {},
): Layer[] {
  const makers: Record<LayerName, () => Layer> = {
    site: () => siteLayer(imageOrigins),
    pages: () => pagesLayer,
    lists: () => listsLayer(origin),
    'by-imdb': () => byImdbLayer,
    downloads: () => downloadsLayer(includeRestricted),
  };
  return names.map((name) => makers[name]());
}
