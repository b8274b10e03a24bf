/** A made-up TMDB API with a film and a person, a database that lacks everything about them, and a cache. */
import { afterEach, beforeEach, expect } from 'vitest';
import { enrichFromTmdb, type TmdbOptions } from '../../data/enrich/tmdb.ts';
import { useEnrichment } from './enriching.ts';
import { TmdbServer, token } from './tmdb-server.ts';
import { addUnknown } from './wikidata-text.ts';

export const filmDetails = {
  genres: [
    { id: 878, name: 'Science Fiction' },
    { id: 18, name: 'Drama' },
    { id: 10770, name: 'TV Movie' },
  ],
  runtime: 102,
  origin_country: ['US'],
  production_countries: [{ iso_3166_1: 'GB', name: 'United Kingdom' }],
  tagline: 'They had a date with fate!',
  overview: ' In Casablanca …\r\n\r\nMore. ',
  release_date: '1943-01-15',
  poster_path: '/poster.jpg',
  backdrop_path: '/backdrop.jpg',
  homepage: 'https://example.org',
};
export const personDetails = {
  biography: 'An actor.',
  birthday: '1899-12-25',
  deathday: '1957-01-14',
  place_of_birth: 'New York City, New York, USA',
  known_for_department: 'Acting',
  homepage: 'https://example.org/bogart',
  profile_path: '/profile.jpg',
};

export function useTmdb() {
  const enrichment = useEnrichment();
  const state = {} as { server: TmdbServer; cache: string; now: Date };
  beforeEach(async () => {
    state.server = await new TmdbServer().start();
    state.cache = `${enrichment.file('')}.db`;
    state.now = new Date('2026-03-01T12:00:00.000Z');
  });
  afterEach(async () => {
    await state.server.stop();
    expect(state.server.offences).toEqual([]);
  });
  return {
    ...enrichment,
    state,
    enrich: (options: Partial<TmdbOptions> = {}) =>
      enrichFromTmdb(enrichment.connection(), {
        ...{ token, api: state.server.api, cache: state.cache, now: () => state.now, intervalMs: 0 },
        retry: { minPauseMs: 1, maxPauseMs: 5, attempts: 4 },
        ...options,
      }),
    daysLater: (days: number) => new Date(state.now.getTime() + days * 24 * 60 * 60_000),
    addCasablanca(): void {
      addUnknown(enrichment.connection(), ['tt1'], ['nm1']);
      state.server.film('tt1', 289, filmDetails);
      state.server.person('nm1', 4110, personDetails);
    },
  };
}
