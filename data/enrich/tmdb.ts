/** `awards enrich tmdb`: fills the record from the TMDB API, with the operator's own token. */
import type { JsonValue } from '../../api/contract/bodies.ts';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import type { Connection } from '../database/open.ts';
import type { RecordFields } from '../record/validation.ts';
import { type Candidate, Filling, type FillOptions } from './filling.ts';
import { genresOf } from './genres.ts';
import { removeExpired } from './restricted.ts';
import { brief, type EnrichReport } from './report.ts';
import { type Answer, type TmdbAccess, TmdbAnswers, TmdbRefusal } from './tmdb-answers.ts';
import { type WantedRecord, wantedRecords } from './wanted.ts';

const images = 'https://image.tmdb.org/t/p/w500';

/** `limit`: records to ask TMDB about at most; those whose answers are in the cache do not count. */
export interface TmdbOptions extends FillOptions, Omit<TmdbAccess, 'notBefore'> {}

/** With --refresh, answers of the same day count as new, so that an interrupted refresh continues. */
const refreshMs = 24 * 60 * 60_000;

/** Records asked for at the same time. */
const concurrency = 32;

interface Wanted extends WantedRecord {
  resource: EnrichedResource;
}

/**
 * Asks TMDB about each record with an unset field, and fills the record as the answers arrive.
 * @throws UserError if the token is refused or the cache cannot be used; RetryLaterError if TMDB cannot be reached. What was
 *   filled stays, and what was answered is in the cache.
 */
export async function enrichFromTmdb(connection: Connection, options: TmdbOptions): Promise<EnrichReport> {
  const notBefore = options.refresh ? new Date(options.now().getTime() - refreshMs) : undefined;
  const answers = new TmdbAnswers({ ...options, notBefore });
  try {
    return await new TmdbEnrichment(connection, answers, options).run();
  } finally {
    answers.close();
  }
}

class TmdbEnrichment {
  readonly #connection: Connection;
  readonly #answers: TmdbAnswers;
  readonly #options: TmdbOptions;
  readonly #filling: Filling;

  constructor(connection: Connection, answers: TmdbAnswers, options: TmdbOptions) {
    this.#connection = connection;
    this.#answers = answers;
    this.#options = options;
    this.#filling = new Filling(connection, 'tmdb', { ...options, limit: undefined });
  }

  async run(): Promise<EnrichReport> {
    const { now, dryRun } = this.#options;
    const expired = removeExpired(this.#connection, now(), dryRun);
    for (const resource of enrichedResources)
      this.#filling.report.resources[resource].removed = expired[resource];
    const wanted = enrichedResources.flatMap((resource) => this.#wanted(resource));
    const chosen = this.#chosen(wanted);
    for (let first = 0; first < chosen.length; first += concurrency) {
      const chunk = chosen.slice(first, first + concurrency);
      const outcomes = await Promise.allSettled(chunk.map((record) => this.#candidate(record)));
      const candidates = chunk.flatMap((record, i) => this.#noteOutcome(record, outcomes[i]!));
      await this.#filling.fill(candidates);
      const failure = outcomes.map(failureOf).find((each) => each !== undefined);
      if (failure !== undefined) throw failure;
      this.#options.onProgress?.(first + chunk.length, chosen.length);
    }
    const isLimited = chosen.length < wanted.length;
    this.#filling.report.isLimited = isLimited;
    return this.#filling.report;
  }

  #noteOutcome(record: Wanted, outcome: PromiseSettledResult<Candidate | undefined>): Candidate[] {
    const { resource, id, filmindexId } = record;
    const report = this.#filling.report.resources[resource];
    report.wanted += 1;
    if (outcome.status === 'rejected') {
      if (outcome.reason instanceof TmdbRefusal)
        this.#filling.skip(`${resource} ${id} (${filmindexId})`, outcome.reason.message);
      return [];
    }
    if (outcome.value === undefined) report.notFound.push(filmindexId);
    else report.found += 1;
    return outcome.value ? [outcome.value] : [];
  }

  /** The records that TMDB may have something for. */
  #wanted(resource: EnrichedResource): Wanted[] {
    const renewed = this.#options.refresh ? this.#given(resource) : new Set();
    return wantedRecords(this.#connection, resource)
      .filter(({ id, isIncomplete }) => isIncomplete || renewed.has(id))
      .map((record) => ({ ...record, resource }));
  }

  /** Ids of the records that TMDB gave values of. */
  #given(resource: EnrichedResource): Set<number> {
    const ids = this.#connection
      .prepare<[string], number>("SELECT record_id FROM given WHERE resource = ? AND source = 'tmdb'")
      .pluck();
    return new Set(ids.all(resource));
  }

  /** As many records as the limit allows. */
  #chosen(wanted: readonly Wanted[]): readonly Wanted[] {
    if (this.#options.limit === undefined) return wanted;
    let left = this.#options.limit;
    return wanted.filter((record) => {
      if (this.#isAnswered(record)) return true;
      left -= 1;
      return left >= 0;
    });
  }

  #isAnswered(record: Wanted): boolean {
    const found = this.#answers.known(findPath(record));
    if (found === undefined) return false;
    const id = foundId(record, found);
    return id === undefined || this.#answers.known(detailsPath(record, id)) !== undefined;
  }

  /** @returns undefined if TMDB does not have the record @throws TmdbRefusal if it has something else under its id */
  async #candidate(record: Wanted): Promise<Candidate | undefined> {
    const { resource, filmindexId } = record;
    const id = foundId(record, await this.#answers.get(findPath(record)));
    if (id === undefined) return undefined;
    const sourceId = detailsPath(record, id);
    const { content, retrievedAt } = await this.#answers.get(sourceId);
    if (content === undefined) return undefined;
    const about = textOf(content.imdb_id) ?? filmindexId;
    if (about !== filmindexId) throw new TmdbRefusal(`${sourceId} at TMDB is about ${brief(about)}`);
    return { ...record, sourceId, retrievedAt, values: valuesOf(resource, content), isWhole: true };
  }
}

/** The error that ends the run, if an outcome has one. */
const failureOf = (outcome: PromiseSettledResult<unknown>): unknown =>
  outcome.status === 'rejected' && !(outcome.reason instanceof TmdbRefusal) ? outcome.reason : undefined;

const kinds: Readonly<Record<EnrichedResource, 'movie' | 'person'>> = { movies: 'movie', nominees: 'person' };
const findPath = ({ filmindexId }: Wanted): string => `find/${filmindexId}?external_source=imdb_id`;
const detailsPath = ({ resource }: Wanted, id: number): string => `${kinds[resource]}/${id}`;

/** The id at TMDB in an answer of "find"; undefined if TMDB does not have the record. */
function foundId({ resource }: Wanted, { content }: Answer): number | undefined {
  const [first] = listOf(content?.[`${kinds[resource]}_results`]);
  return wholeNumber(first?.id);
}

/** The known values of the fields of a film or person. An empty text and the number 0 mean unknown. */
function valuesOf(resource: EnrichedResource, details: Readonly<Record<string, unknown>>): RecordFields {
  const text = (name: string) => textOf(details[name]);
  const image = (name: string) => {
    const path = text(name);
    return path && images + path;
  };
  const values =
    resource === 'movies'
      ? {
          tagline: text('tagline'),
          overview: text('overview'),
          release_date: text('release_date'),
          runtime: wholeNumber(details.runtime),
          genres: genresOf(listOf(details.genres).flatMap(({ name }) => textOf(name) ?? [])),
          origin_country: countriesOf(details),
          moviedb_id: wholeNumber(details.id),
          poster_path: image('poster_path'),
          backdrop_path: image('backdrop_path'),
        }
      : {
          biography: text('biography'),
          birthday: text('birthday'),
          deathday: text('deathday'),
          place_of_birth: text('place_of_birth'),
          known_for_department: text('known_for_department'),
          homepage: text('homepage'),
          moviedb_person_id: wholeNumber(details.id),
          profile_path: image('profile_path'),
        };
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known.filter(([, value]) => !Array.isArray(value) || value.length > 0)) as Record<
    string,
    JsonValue
  >;
}

function countriesOf({ origin_country, production_countries }: Readonly<Record<string, unknown>>): string[] {
  const origin = Array.isArray(origin_country) ? origin_country : [];
  const codes = origin.length > 0 ? origin : listOf(production_countries).map((each) => each.iso_3166_1);
  return [...new Set(codes.flatMap((code) => textOf(code) ?? []))];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const wholeNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : []).filter((item) => typeof item === 'object' && item !== null);
