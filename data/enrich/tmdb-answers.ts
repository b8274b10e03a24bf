/** The answers of the TMDB API that were received, in a file: an interrupted enrichment continues where it stopped. */
import Database from 'better-sqlite3';
import PQueue from 'p-queue';
import { type RequestOptions, Requests, requestText } from '../../build/system/requests.ts';
import { UserError } from '../../build/system/messages.ts';
import { oldestAllowed } from './restricted.ts';

export interface Answer {
  /** undefined: TMDB does not have it. */
  content: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601 in UTC. */
  retrievedAt: string;
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

/** TMDB refused one request and would refuse a retry, or its answer cannot be used. */
export class TmdbRefusal extends Error {}

export interface TmdbAccess {
  token: string;
  /** Such as https://api.themoviedb.org. */
  api: string;
  /** File of the answers. */
  cache: string;
  /** Answers that are older are asked for again. */
  notBefore?: Date | undefined;
  now: () => Date;
  retry?: RequestOptions | undefined;
  /** Milliseconds between two requests. Default 25: TMDB takes about 40 a second. */
  intervalMs?: number | undefined;
}

/** Answers from the file, or else from TMDB, at the pace that TMDB asks for. */
export class TmdbAnswers {
  readonly #access: TmdbAccess;
  readonly #connection: Database.Database;
  readonly #requests: Requests;
  /** Each attempt is one of its tasks. */
  readonly #pace: PQueue;

  /** @throws UserError if the file cannot be used */
  constructor(access: TmdbAccess) {
    this.#access = access;
    this.#connection = openAnswers(access.cache, access.now());
    this.#requests = new Requests(access.retry);
    this.#pace = new PQueue({ interval: access.intervalMs ?? 25, intervalCap: 1 });
  }

  /** An answer of the file; undefined if there is none that is young enough. */
  known(path: string): Answer | undefined {
    const since = this.#access.notBefore?.toISOString() ?? '';
    const row = this.#connection
      .prepare<[string, string], { content: string | null; retrievedAt: string }>(
        'SELECT content, retrieved_at AS retrievedAt FROM answers WHERE path = ? AND retrieved_at >= ?',
      )
      .get(path, since);
    return row && { ...row, content: row.content === null ? undefined : JSON.parse(row.content) };
  }

  /**
   * @param path such as "movie/289"
   * @throws TmdbRefusal; RetryLaterError when the retries are used up; UserError if the token is refused
   */
  async get(path: string): Promise<Answer> {
    return this.known(path) ?? (await this.#ask(path));
  }

  close(): void {
    this.#connection.close();
  }

  async #ask(path: string): Promise<Answer> {
    const { api, token, now } = this.#access;
    const address = `${api.replace(/\/+$/, '')}/3/${path}`;
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { status, ok, content } = await this.#requests.run(`asking TMDB for ${path}`, (signal) =>
      this.#pace.add(() => requestText(address, { signal, headers })),
    );
    if (status === 401 || status === 403)
      throw new UserError(
        `TMDB does not accept the token in TMDB_TOKEN (${status}); it is the "API Read Access Token" under Settings, API`,
      );
    if (!ok && status !== 404) throw new TmdbRefusal(`TMDB answered ${status}`);
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

/** @throws TmdbRefusal if a text is not that of a JSON object */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The same as another JSON value.
  }
  throw new TmdbRefusal('the answer of TMDB is no JSON object');
}
