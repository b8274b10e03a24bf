/** The sources that fill unset fields of films and people, and the terms for their values. */

export interface EnrichmentTerms {
  title: string;
  licence: string;
  /**
   * Whether the values may not be passed on: they stay out of the downloads unless the operator includes
   * them.
   */
  isRestricted: boolean;
  /** How long a value may be kept without asking the source again. */
  maxAgeDays?: number;
  /** Must be shown where values of the source are shown. */
  notice?: string;
}

export const enrichmentSources = {
  wikidata: { title: 'Wikidata', licence: 'CC0-1.0', isRestricted: false },
  tmdb: {
    title: 'TMDB',
    licence: 'TMDB API Terms of Use',
    isRestricted: true,
    // The terms say six months.
    maxAgeDays: 180,
    notice: 'This product uses the TMDB API but is not endorsed or certified by TMDB.',
  },
} as const satisfies Record<string, EnrichmentTerms>;

export type EnrichmentSource = keyof typeof enrichmentSources;

/** The one source whose values may not be passed on, nor kept for ever. */
export const restrictedSource = 'tmdb' satisfies EnrichmentSource;

/** The terms of a source; undefined for one that this program does not know. */
export const termsOf = (source: string): EnrichmentTerms | undefined =>
  Object.hasOwn(enrichmentSources, source) ? enrichmentSources[source as EnrichmentSource] : undefined;

/** The resources with fields that a source can fill: data/enrich/wanted.ts. */
export const enrichedResources = ['movies', 'nominees'] as const;
export type EnrichedResource = (typeof enrichedResources)[number];

/** Wikimedia Commons: the images that Wikidata names, each with a page that names its author and licence. */
export const commonsOrigin = 'https://commons.wikimedia.org';
/** Where the addresses of images lead. */
export const commonsFilesOrigin = 'https://upload.wikimedia.org';

const filePath = /^https?:\/\/commons\.wikimedia\.org\/wiki\/Special:FilePath\/([^/?#\s]+)(\?width=\d+)?$/;
/** Width of a portrait in pixels, for screens of double density. */
const width = 400;

/** The address of an image in the size of a portrait, from its address at Wikidata; undefined for another. */
export function commonsImage(address: string): string | undefined {
  const [, file] = filePath.exec(address) ?? [];
  return file && `${commonsOrigin}/wiki/Special:FilePath/${file}?width=${width}`;
}

/** The page about an image, with its author and licence; undefined for an image of another site. */
export function commonsPage(address: string | null): string | undefined {
  const [, file] = filePath.exec(address ?? '') ?? [];
  return file && `${commonsOrigin}/wiki/File:${file}`;
}
