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

/** The terms of the record as a whole, without restricted values. */
export const recordLicence =
  'Facts of the imported record are under the terms of its source, those of Wikidata under CC0-1.0, texts of the project under MIT.';

export type EnrichmentSource = keyof typeof enrichmentSources;

/** The one source whose values may not be passed on, nor kept for ever. */
export const restrictedSource = 'tmdb' satisfies EnrichmentSource;

/** The terms of a source; undefined for one that this program does not know. */
export const termsOf = (source: string): EnrichmentTerms | undefined =>
  Object.hasOwn(enrichmentSources, source) ? enrichmentSources[source as EnrichmentSource] : undefined;

/** The resources with fields that a source can fill: data/enrich/wanted.ts. */
export const enrichedResources = ['movies', 'nominees'] as const;
export type EnrichedResource = (typeof enrichedResources)[number];
