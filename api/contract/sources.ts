/** The sources of the record, with their licences: what everything that is published names. */
import type { Source } from './resources.ts';
import { enrichmentSources } from './enrichment.ts';

const holder = '© 2026 the Film Awards Data Service authors';

/** The sources that the program knows. Another one is named as itself, see data/record/sources.ts. */
export const knownSources = {
  oscar_data: {
    name: 'oscar_data',
    title: 'oscar_data',
    gives: 'nominations, winners and honors, with the names of films and people',
    licence: 'BSD-2-Clause',
    holder: '© 2022 David V. Lu!!',
    address: 'https://github.com/DLu/oscar_data',
  },
  sample: {
    name: 'sample',
    title: 'Film Awards sample',
    gives: 'all records of the sample',
    licence: 'MIT',
    holder,
    address: null,
  },
  generated: {
    name: 'generated',
    title: 'Film Awards generator',
    gives: 'invented records: they are no facts',
    licence: 'MIT',
    holder,
    address: null,
  },
  'film-awards': {
    name: 'film-awards',
    title: 'Film Awards',
    gives: 'dates and places of ceremonies, texts on ceremonies and categories',
    licence: 'MIT',
    holder,
    address: null,
  },
  wikidata: {
    name: 'wikidata',
    title: enrichmentSources.wikidata.title,
    gives: 'genres, dates, countries, running times and places of birth',
    licence: enrichmentSources.wikidata.licence,
    holder: null,
    address: 'https://www.wikidata.org',
  },
  tmdb: {
    name: 'tmdb',
    title: enrichmentSources.tmdb.title,
    gives: 'details and pictures of films and people',
    licence: enrichmentSources.tmdb.licence,
    holder: null,
    address: 'https://www.themoviedb.org',
  },
} as const satisfies Record<string, Source>;

/** The public file of the whole record. */
export const wholeRecord = 'https://raw.githubusercontent.com/DLu/oscar_data/main/oscars.csv';

/** "oscar_data (© 2022 David V. Lu!!, BSD-2-Clause, https://github.com/DLu/oscar_data)". */
export function creditOf({ title, holder: by, licence, address }: Source): string {
  const terms = [by, licence ?? 'licence not stated', address].filter((term) => term !== null);
  return `${title} (${terms.join(', ')})`;
}

/** The terms of a record as a whole, in one line. */
export const licenceOf = (sources: readonly Source[]): string =>
  sources.length === 0 ? 'The record names no source.' : `${sources.map(creditOf).join('; ')}.`;
