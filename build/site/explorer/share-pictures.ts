/** The pictures that links to pages are shared with: one for each kind of page. `npm run icons` draws them. */
import type { View } from './addresses.ts';

export const shareKinds = ['site', 'movies', 'nominees', 'ceremonies', 'categories', 'songs'] as const;
export type ShareKind = (typeof shareKinds)[number];

export const sharePicture = (kind: ShareKind) => ({
  /** Below the root. */
  path: kind === 'site' ? '/share.png' : `/share-${kind}.png`,
  width: 1200,
  height: 630,
});

/** The kind of picture for a page. */
export function shareKindOf(view: View): ShareKind {
  if (view.kind !== 'record') return 'site';
  return shareKinds.find((kind) => kind === view.resource) ?? 'site';
}
