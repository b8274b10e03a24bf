/**
 * The obvious alternative: Fastify and better-sqlite3. Its database is the project's own with what a good engineer would add to
 * answer the reads of the bench by SQL: folded shadow columns for partial matches, an index for each filter, covering ones for
 * the rankings, FTS5. Prepared statements, a COUNT for each total.
 */
import Database from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Query } from '../../api/contract/addresses.ts';
import { parseQuery } from '../../api/contract/query-string.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { matchRoute } from '../../api/contract/routes.ts';
import { fold, tokens } from '../../api/contract/text.ts';
import { paginationOf } from '../../api/read/documents.ts';

const additions = `
ALTER TABLE movies ADD COLUMN title_folded TEXT;
UPDATE movies SET title_folded = fold(title);
ALTER TABLE nominees ADD COLUMN name_folded TEXT;
UPDATE nominees SET name_folded = fold(name);
CREATE INDEX movies_by_folded_title ON movies (title_folded);
CREATE INDEX nominees_by_folded_name ON nominees (name_folded);
CREATE INDEX ceremonies_by_year ON ceremonies (ceremony_year);
CREATE INDEX nominations_by_winner ON nominations (winner, ceremony_id);
CREATE INDEX nominations_for_films ON nominations (movie_id, category_id, ceremony_id, winner);
CREATE INDEX nominations_for_people ON nominations (nominee_id, ceremony_id, winner);
CREATE INDEX nominations_by_ceremony ON nominations (ceremony_id, movie_id, nominee_id, category_id, winner);
CREATE VIRTUAL TABLE nomination_text USING fts5(
  nominee, movie, category, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4'
);
INSERT INTO nomination_text (rowid, nominee, movie, category)
  SELECT n.id, words(p.name), words(m.title), words(c.category_name)
  FROM nominations n JOIN nominees p ON p.id = n.nominee_id JOIN movies m ON m.id = n.movie_id
  JOIN categories c ON c.id = n.category_id ORDER BY n.id;
INSERT INTO nomination_text (nomination_text) VALUES ('optimize');
`;

/** Copies a database and prepares the copy. Words are folded before they are indexed, so that both services find the same. */
export function makeSqlDatabase(from: string, to: string): void {
  const original = new Database(from, { readonly: true });
  original.prepare('VACUUM INTO ?').run(to);
  original.close();
  const connection = new Database(to);
  connection.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))));
  connection.function('words', { deterministic: true }, (text) => tokens(String(text)).join(' '));
  connection.transaction(() => connection.exec(additions))();
  connection.exec('ANALYZE');
  connection.close();
}

type SqlRow = Record<string, unknown>;

/** A nomination as a list shows it. */
const nominationColumns = `n.id, n.ceremony_id, e.ceremony_year, n.category_id, c.category_name AS category, n.movie_id,
  m.title AS movie, n.nominee_id, p.name AS nominee, n.song_id, s.original_title AS song_title,
  n.song_id IS NOT NULL AS is_song, n.winner`;
const nominationJoins = `JOIN ceremonies e ON e.id = n.ceremony_id JOIN categories c ON c.id = n.category_id
  JOIN movies m ON m.id = n.movie_id JOIN nominees p ON p.id = n.nominee_id LEFT JOIN songs s ON s.id = n.song_id`;

/** SQLite has neither booleans nor arrays. */
function asJson(row: SqlRow): SqlRow {
  if ('winner' in row) Object.assign(row, { is_song: row.is_song === 1, winner: row.winner === 1 });
  if (typeof row.genres === 'string')
    Object.assign(row, {
      genres: JSON.parse(row.genres),
      origin_country: JSON.parse(`${row.origin_country}`),
    });
  return row;
}

const hasPart = (column: string, table: string, test: string) =>
  `n.${column} IN (SELECT id FROM ${table} WHERE instr(${test}, ?) > 0)`;
const inYears = (operator: string) =>
  `n.ceremony_id IN (SELECT id FROM ceremonies WHERE ceremony_year ${operator} ?)`;
/** Parameter → test with one placeholder. */
const tests: Partial<Record<keyof Query, string>> = {
  nominee: hasPart('nominee_id', 'nominees', 'name_folded'),
  movie: hasPart('movie_id', 'movies', 'title_folded'),
  title: 'instr(title_folded, ?) > 0',
  winner: 'n.winner = ?',
  yearStart: inYears('>='),
  yearEnd: inYears('<='),
};

/** The whole WHERE clause, empty without conditions, and the values of its placeholders. */
function conditionsOf(query: Query): { where: string; values: unknown[] } {
  const sent = (Object.keys(tests) as (keyof Query)[]).filter((name) => query[name] !== undefined);
  const where = sent.length === 0 ? '' : `WHERE ${sent.map((name) => tests[name]!).join(' AND ')}`;
  const plain = (value: unknown) => (typeof value === 'string' ? fold(value) : Number(value));
  return { where, values: sent.map((name) => plain(query[name])) };
}

export class SqlAnswers {
  readonly #database: Database.Database;
  /** By their text: one per combination of filters in use. */
  readonly #statements = new Map<string, Database.Statement<unknown[], SqlRow>>();

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true, fileMustExist: true });
    this.#database.pragma('cache_size = -65536');
    this.#database.pragma('mmap_size = 268435456');
  }

  /** The document at an address as JSON text; undefined if there is none. */
  answer(path: string, queryString: string): string | undefined {
    const match = matchRoute(path);
    if (match === undefined) return undefined;
    const { route, id } = match;
    if (route.kind === 'record') return id === undefined ? undefined : this.#record(route.resource, id);
    if (!('parameters' in route)) return undefined;
    const parsed = parseQuery(queryString, route);
    if (!parsed.ok) throw new Error(`a wrong request of the bench: ${queryString}`);
    const { query } = parsed;
    if (route.kind === 'search') return this.#search(query);
    if (route.kind === 'ranking') return this.#topMovies(query);
    return route.kind === 'list' ? this.#list(route.resource, query) : undefined;
  }

  #list(resource: string, query: Query): string {
    const { where, values } = conditionsOf(query);
    const limits = [query.limit, (query.page - 1) * query.limit];
    // The page's ids first: rows before it are skipped without joining.
    const select =
      resource === 'nominations'
        ? `SELECT ${nominationColumns} FROM
            (SELECT n.id AS found FROM nominations n ${where} ORDER BY n.id LIMIT ? OFFSET ?)
            JOIN nominations n ON n.id = found ${nominationJoins} ORDER BY n.id`
        : `SELECT ${columnsOf(resource)} FROM ${resource} ${where} ORDER BY id LIMIT ? OFFSET ?`;
    const data = this.#all(select, ...values, ...limits);
    return JSON.stringify({ data, pagination: this.#pagination(`${resource} n ${where}`, values, query) });
  }

  /** Without filters FTS5 sorts by rank itself. */
  #search(query: Query): string {
    const words = [...new Set(tokens(query.q!))].map((it) => `"${it}"${[...it].length > 1 ? ' *' : ''}`);
    const match = words.join(' AND ');
    const from = 'nomination_text t WHERE nomination_text MATCH ?';
    const select = `SELECT ${nominationColumns} FROM
       (SELECT t.rowid AS found, t.rank AS score FROM ${from} ORDER BY t.rank LIMIT ? OFFSET ?)
       JOIN nominations n ON n.id = found ${nominationJoins} ORDER BY score, found`;
    const data = this.#all(select, match, query.limit, (query.page - 1) * query.limit);
    return JSON.stringify({ query: query.q, data, pagination: this.#pagination(from, [match], query) });
  }

  #topMovies(query: Query): string {
    const { where, values } = conditionsOf(query);
    const totals = ['total_nominations DESC', 'total_wins DESC'];
    const order = [...(query.sort === 'wins' ? totals.reverse() : totals), 'movie_id'].join(', ');
    const select = `SELECT movie_id, m.title AS movie, total_nominations, total_wins FROM
         (SELECT n.movie_id, count(DISTINCT n.category_id) AS total_nominations,
            count(DISTINCT CASE WHEN n.winner THEN n.category_id END) AS total_wins
          FROM nominations n ${where} GROUP BY n.movie_id ORDER BY ${order} LIMIT ?)
         JOIN movies m ON m.id = movie_id ORDER BY ${order}`;
    const data = this.#all(select, ...values, query.limit);
    return JSON.stringify({ data, count: data.length });
  }

  #record(resource: string, id: number): string | undefined {
    const [record] = this.#all(`SELECT ${columnsOf(resource)} FROM ${resource} WHERE id = ?`, id);
    const reference = resource === 'movies' ? 'n.movie_id' : 'n.nominee_id';
    const of = `FROM nominations n ${nominationJoins} WHERE ${reference} = ?`;
    const nominations = this.#all(`SELECT ${nominationColumns} ${of} ORDER BY n.id`, id);
    return record && JSON.stringify({ ...record, nominations });
  }

  #pagination(from: string, values: unknown[], { page, limit }: Query): object {
    const [counted] = this.#all(`SELECT count(*) AS total FROM ${from}`, ...values);
    return paginationOf(counted!.total as number, page, limit);
  }

  #all(sql: string, ...values: unknown[]): SqlRow[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare<unknown[], SqlRow>(sql);
      this.#statements.set(sql, statement);
    }
    return statement.all(...values).map(asJson);
  }
}

/** The columns of a record, in document order. */
const columnsOf = (resource: string): string =>
  Object.keys(resourceSchemas[resource as keyof typeof resourceSchemas].properties).join(', ');

/** The service. */
export function sqlService(file: string): FastifyInstance {
  const answers = new SqlAnswers(file);
  // The contract's own parser reads the query string, as in the resolver; Fastify's would be work done twice.
  const service = Fastify({ logger: false, routerOptions: { querystringParser: (text) => ({ text }) } });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' };
  service.get<{ Querystring: { text?: string } }>('/*', async (request, reply) => {
    const text = answers.answer(request.url.split('?')[0]!, request.query.text ?? '');
    return reply.headers(headers).send(text ?? '{"status":404}');
  });
  return service;
}
