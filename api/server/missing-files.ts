/** Answers for a file that is not there, but known by its name. */
import {
  byImdbFolder,
  hasBuiltName,
  isCurrent,
  type LayerName,
  layerOf,
  layersFolder,
} from '../contract/layers.ts';
import { fixedFiles, pageAt, sitemapPartAt } from '../../build/site/shared/hosting.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';
import type { FolderWatch } from './folder-watch.ts';

/** Seconds after which a file that is being made is asked for again. */
const retrySeconds = 5;

/** The layer that makes a file, by the name of the file; undefined for a name that no build gives. */
function makerOf(path: string): LayerName | undefined {
  const address = `/${path}`;
  if (path.startsWith(`${layersFolder}/`)) return undefined;
  const isOfSite =
    pageAt(address) !== undefined || fixedFiles.has(path) || sitemapPartAt(address) !== undefined;
  return isOfSite || hasBuiltName(path) ? layerOf(path) : undefined;
}

/**
 * The answer for a missing file: 503 while its layer is made, 404 for an IMDb id that no record has.
 * Undefined for any other path.
 */
export function missingFile({ indexes, manifest }: FolderWatch, path: string): Answer | undefined {
  const layer = makerOf(path);
  const index = layer && indexes.get(layer);
  if (!index) return undefined;
  if (!isCurrent(index().content, manifest().content))
    return problemAnswer('snapshot-unavailable', `/${path} is being made`, {
      'Retry-After': String(retrySeconds),
    });
  if (layer !== 'by-imdb') return undefined;
  const id = path.slice(byImdbFolder.length + 1).replace('.json', '');
  return problemAnswer('no-such-record', `there is no record with the IMDb id ${id}`);
}
