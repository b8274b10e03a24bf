/** Names of the lists of films for media tools: plain files beside the API. */

/** Origin of the links in feeds, if none is given: where `awards serve` listens. */
export const defaultOrigin = 'http://127.0.0.1:3000';

/** Folder of the lists below the root. */
export const listsFolder = 'lists';
export const listIndexPath = `${listsFolder}/index.json`;

export const isList = (path: string): boolean => path.startsWith(`${listsFolder}/`);

/** Each category and each ceremony has a list of each kind. Winners are among the nominees. */
export const listKinds = ['winners', 'nominees'] as const;
export type ListKind = (typeof listKinds)[number];

/** JSON, as Radarr takes it, and RSS 2.0. */
export type ListFormat = 'json' | 'rss';

/** @param name of the folder: the slug of a category, or ceremonySlug() */
export const filmListPath = <F extends ListFormat>(name: string, kind: ListKind, format: F) =>
  `${listsFolder}/${name}/${kind}.${format}` as const;

export const ceremonySlug = (id: number): string => `ceremony-${id}`;
/** The id in the name of the folder of a ceremony; undefined for other names. */
export function ceremonyOfSlug(name: string): number | undefined {
  const digits = /^ceremony-([0-9]+)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
