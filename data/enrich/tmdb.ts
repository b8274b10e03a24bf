/** `awards enrich tmdb`: fills the record from the TMDB API, with the operator's own token. */
import Database from 'better-sqlite3';
import PQueue from 'p-queue';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import { UserError } from '../system/messages.ts';
import { type RequestOptions, Requests, requestText } from '../system/requests.ts';
import type { Connection } from '../database/open.ts';
import { type Candidate, Filling, type FillOptions } from './filling.ts';
import { genresOf } from './genres.ts';
import { brief, type EnrichReport } from './report.ts';
import { oldestAllowed, removeExpired } from './restricted.ts';
import { isOfCompany, type WantedRecord, wantedRecords } from './wanted.ts';

const images = 'https://image.tmdb.org/t/p/w500';
/** With --refresh, answers of the same day count as new, so that an interrupted refresh continues. */
const refreshMs = 24 * 60 * 60_000;
/** Records asked for at the same time. */
const concurrency = 32;

export interface TmdbOptions extends FillOptions {
  token: string;
  /** Such as https://api.themoviedb.org. */
  api: string;
  /** File of the answers: an interrupted enrichment continues where it stopped. */
  cache: string;
  now: () => Date;
  retry?: RequestOptions | undefined;
  /** Milliseconds between two requests. Default 25: TMDB takes about 40 a second. */
  intervalMs?: number | undefined;
}

interface Wanted extends WantedRecord {
  resource: EnrichedResource;
}

/**
 * Asks TMDB about each record with an unset field, and fills the record as the answers arrive.
 * @throws UserError if the token is refused or the cache cannot be used; RetryLaterError if TMDB cannot be
 *   reached. What was filled stays, and what was answered is in the cache.
 */
export async function enrichFromTmdb(connection: Connection, options: TmdbOptions): Promise<EnrichReport> {
  const answers = new Answers(options);
  const filling = new Filling(connection, 'tmdb', options);
  const { resources } = filling.report;
  try {
    const expired = removeExpired(connection, options.now(), options.dryRun);
    for (const resource of enrichedResources) resources[resource].removed = expired[resource];
    const wanted = enrichedResources.flatMap((resource) => wantedOf(connection, resource, options));
    for (let first = 0; first < wanted.length && !filling.report.isLimited; first += concurrency) {
      const chunk = wanted.slice(first, first + concurrency);
      const outcomes = await Promise.allSettled(chunk.map((record) => candidateOf(answers, record)));
      const candidates = outcomes.flatMap((outcome, i) => noteOutcome(filling, chunk[i]!, outcome));
      await filling.fill(candidates);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)) throw outcome.reason;
      options.onProgress?.(first + chunk.length, wanted.length);
    }
    return filling.report;
  } finally {
    answers.close();
  }
}

/** The records that TMDB may have something for. */
function wantedOf(connection: Connection, resource: EnrichedResource, { refresh }: TmdbOptions): Wanted[] {
  const given = connection
    .prepare<[string], number>("SELECT record_id FROM given WHERE resource = ? AND source = 'tmdb'")
    .pluck();
  const renewed = new Set(refresh ? given.all(resource) : []);
  return wantedRecords(connection, resource)
    .filter(({ filmindexId }) => !isOfCompany(filmindexId))
    .filter(({ id, isIncomplete }) => isIncomplete || renewed.has(id))
    .map((record) => ({ ...record, resource }));
}

/** @returns the candidate, if there is one */
function noteOutcome(
  filling: Filling,
  { resource, id, filmindexId }: Wanted,
  outcome: PromiseSettledResult<Candidate | undefined>,
): Candidate[] {
  const report = filling.report.resources[resource];
  report.wanted += 1;
  if (outcome.status === 'rejected') {
    if (outcome.reason instanceof Refusal)
      filling.skip(`${resource} ${id} (${filmindexId})`, outcome.reason.message);
    return [];
  }
  if (outcome.value === undefined) report.notFound.push(filmindexId);
  else report.found += 1;
  return outcome.value ? [outcome.value] : [];
}

/**
 * @returns undefined if TMDB does not have the record
 * @throws Refusal if it has something else under its id
 */
async function candidateOf(answers: Answers, record: Wanted): Promise<Candidate | undefined> {
  const { resource, filmindexId } = record;
  const kind = resource === 'movies' ? 'movie' : 'person';
  const { content: found } = await answers.get(`find/${filmindexId}?external_source=imdb_id`);
  const id = wholeNumber(listOf(found?.[`${kind}_results`])[0]?.id);
  if (id === undefined) return undefined;
  const sourceId = `${kind}/${id}`;
  const { content, retrievedAt } = await answers.get(sourceId);
  if (content === undefined) return undefined;
  const about = textOf(content.imdb_id) ?? filmindexId;
  if (about !== filmindexId) throw new Refusal(`${sourceId} at TMDB is about ${brief(about)}`);
  return { ...record, sourceId, retrievedAt, values: valuesOf(resource, content), isWhole: true };
}

/** TMDB refused one request and would refuse a retry, or its answer cannot be used. */
class Refusal extends Error {}

interface Answer {
  /** undefined: TMDB does not have it. */
  content: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601 in UTC. */
  retrievedAt: string;
}

/** Answers from the file, or else from TMDB, at the pace that TMDB asks for. */
class Answers {
  readonly #options: TmdbOptions;
  readonly #connection: Database.Database;
  readonly #requests: Requests;
  /** Each attempt is one of its tasks. */
  readonly #pace: PQueue;

  /** @throws UserError if the file cannot be used */
  constructor(options: TmdbOptions) {
    this.#options = options;
    this.#connection = openAnswers(options.cache, options.now());
    this.#requests = new Requests(options.retry);
    this.#pace = new PQueue({ interval: options.intervalMs ?? 25, intervalCap: 1 });
  }

  /**
   * @param path such as "movie/289"
   * @throws Refusal; RetryLaterError when the retries are used up; UserError if the token is refused
   */
  async get(path: string): Promise<Answer> {
    const { refresh, now } = this.#options;
    const since = refresh ? new Date(now().getTime() - refreshMs).toISOString() : '';
    const known = this.#connection
      .prepare<[string, string], { content: string | null; retrievedAt: string }>(
        'SELECT content, retrieved_at AS retrievedAt FROM answers WHERE path = ? AND retrieved_at >= ?',
      )
      .get(path, since);
    if (known === undefined) return this.#ask(path);
    return { ...known, content: known.content === null ? undefined : JSON.parse(known.content) };
  }

  close(): void {
    this.#connection.close();
  }

  async #ask(path: string): Promise<Answer> {
    const { api, token, now } = this.#options;
    const address = `${api.replace(/\/+$/, '')}/3/${path}`;
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { status, ok, content } = await this.#requests.run(`asking TMDB for ${path}`, (signal) =>
      this.#pace.add(() => requestText(address, { signal, headers })),
    );
    if (status === 401 || status === 403)
      throw new UserError(
        `TMDB does not accept the token in TMDB_TOKEN (${status}); it is the "API Read Access Token" under Settings, API`,
      );
    if (!ok && status !== 404) throw new Refusal(`TMDB answered ${status}`);
    const answer = {
      content: status === 404 ? undefined : objectOf(content),
      retrievedAt: now().toISOString(),
    };
    this.#connection
      .prepare('INSERT OR REPLACE INTO answers (path, content, retrieved_at) VALUES (?, ?, ?)')
      .run(path, answer.content === undefined ? null : JSON.stringify(answer.content), answer.retrievedAt);
    return answer;
  }
}

/** Opens or creates the file, and removes the answers that may not be kept any longer. @throws UserError */
function openAnswers(file: string, now: Date): Database.Database {
  try {
    const connection = new Database(file);
    // Before any setting is changed.
    if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name <> 'answers'").get())
      throw new Error('it is another database');
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = NORMAL');
    // An answer that may not be kept is overwritten in the file.
    connection.pragma('secure_delete = ON');
    connection.exec(
      `CREATE TABLE IF NOT EXISTS answers (
         path TEXT PRIMARY KEY, content TEXT, retrieved_at TEXT NOT NULL
       ) STRICT`,
    );
    connection.prepare('DELETE FROM answers WHERE retrieved_at < ?').run(oldestAllowed(now));
    return connection;
  } catch (error) {
    throw new UserError(
      `cannot use ${file} for the answers of TMDB: ${(error as Error).message}; choose another file with --cache`,
      { cause: error },
    );
  }
}

/** @throws Refusal if a text is not that of a JSON object */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The same as another JSON value.
  }
  throw new Refusal('the answer of TMDB is no JSON object');
}

/** The known values of the fields of a film or person. An empty text and the number 0 mean unknown. */
function valuesOf(
  resource: EnrichedResource,
  details: Readonly<Record<string, unknown>>,
): Record<string, JsonValue> {
  const { origin_country: origin, production_countries: production, genres } = details;
  const texts = (names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, textOf(details[name])]));
  const pictures = (names: string) =>
    Object.fromEntries(
      names.split(' ').map((name) => {
        const path = textOf(details[name]);
        return [name, path && images + path];
      }),
    );
  const countries =
    Array.isArray(origin) && origin.length > 0 ? origin : listOf(production).map((each) => each.iso_3166_1);
  const values =
    resource === 'movies'
      ? {
          ...texts('tagline overview release_date'),
          runtime: wholeNumber(details.runtime),
          genres: genresOf(listOf(genres).flatMap(({ name }) => textOf(name) ?? [])),
          origin_country: [...new Set(countries.flatMap((code) => textOf(code) ?? []))],
          moviedb_id: wholeNumber(details.id),
          ...pictures('poster_path backdrop_path'),
        }
      : {
          ...texts('biography birthday deathday place_of_birth known_for_department homepage'),
          moviedb_person_id: wholeNumber(details.id),
          ...pictures('profile_path'),
        };
  const isKnown = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value))) as Record<
    string,
    JsonValue
  >;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const wholeNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : []).filter((item) => typeof item === 'object' && item !== null);
