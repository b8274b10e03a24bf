/** The layers of a folder, in the order in which they are brought up to date. */
import { resolve } from 'node:path';
import { defaultOrigin, type LayerName } from '../../api/contract/layers.ts';
import { downloadsLayer } from './downloads/layer.ts';
import type { Layer } from './layer.ts';
import { listsLayer } from './lists/layer.ts';
import { pagesLayer } from './pages/layer.ts';
import { siteLayer } from './site/layer.ts';

export interface LayerOptions {
  /** Whether the downloads include values that may not be passed on. */
  includeRestricted?: boolean | undefined;
  /** Other hosts that the site may show posters of, such as https://image.tmdb.org. */
  imageOrigins?: readonly string[] | undefined;
  /** Of the links in the feeds. */
  origin?: string | undefined;
}

/** @param out folder of the snapshot */
export function layersOf(
  out: string,
  names: readonly LayerName[],
  { includeRestricted = false, imageOrigins, origin = defaultOrigin }: LayerOptions = {},
): Layer[] {
  const makers: Record<LayerName, () => Layer> = {
    site: () => siteLayer(imageOrigins),
    pages: () => pagesLayer,
    lists: () => listsLayer(origin),
    downloads: () => downloadsLayer(resolve(out), includeRestricted),
  };
  return names.map((name) => makers[name]());
}
