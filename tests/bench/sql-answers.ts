/**
 * The obvious alternative to the resolver: the same documents, each answered by SQL over better-sqlite3. Prepared statements,
 * a COUNT for each total, FTS5 for search; the bench measures it in process and behind Fastify. (Getting page and total of a
 * partial match from one statement, by count(*) OVER (), would take about 0.45 instead of 0.8 ms; for a broad filter it
 * takes longer.)
 */
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import { parseQuery, type Query } from '../../api/contract/parameters.ts';
import { type ListRoute, matchRoute, type Route } from '../../api/contract/routes.ts';
import { paginationOf } from '../../api/read/documents.ts';
import { searchDocument, topMovies, topNominees } from './sql-computed.ts';
import { type Conditions, nominationConditions, recordConditions } from './sql-conditions.ts';
import { pageOf, SqlConnection } from './sql-connection.ts';
import {
  asNomination,
  complete,
  fields,
  nominationColumns,
  nominationJoins,
  type SqlRow,
} from './sql-rows.ts';

const references = {
  ceremonies: undefined,
  categories: 'category_id',
  movies: 'movie_id',
  nominees: 'nominee_id',
  songs: 'song_id',
};

export class SqlAnswers {
  readonly #sql: SqlConnection;

  constructor(file: string) {
    this.#sql = new SqlConnection(file);
  }

  close(): void {
    this.#sql.close();
  }

  /** The document at an address as JSON text; undefined if there is none. */
  answer(path: string, queryString: string): string | undefined {
    const match = matchRoute(path);
    return match && this.respond(match.route, match.id, queryString);
  }

  /** The same for a route that is known. */
  respond(route: Route, id: number | undefined, queryString: string): string | undefined {
    const document = this.#document(route, id, queryString);
    return document && JSON.stringify(document);
  }

  #document(route: Route, id: number | undefined, queryString: string): object | undefined {
    if (route.kind === 'record') return id === undefined ? undefined : this.#record(route.resource, id);
    if (route.kind === 'document') return undefined;
    const parsed = parseQuery(queryString, route.parameters);
    if (!parsed.ok) return { status: 400, errors: parsed.faults };
    if (route.kind === 'search') return searchDocument(this.#sql, parsed.query);
    if (route.kind === 'list') return this.#list(route, parsed.query);
    return route.ranking === 'top-movies'
      ? topMovies(this.#sql, parsed.query)
      : topNominees(this.#sql, parsed.query);
  }

  #list({ resource, paginated }: ListRoute, query: Query): object {
    if (resource === 'nominations') return this.#nominations(query);
    const conditions = recordConditions[resource](query);
    const order = resource === 'ceremonies' ? 'ceremony_year DESC, id DESC' : 'id';
    const select = `SELECT ${fields(resource)} FROM ${resource} ${conditions.sql} ORDER BY ${order}`;
    if (!paginated) {
      const data = this.#sql.all(select, ...conditions.values);
      return { data, count: data.length };
    }
    const data = this.#sql
      .all(`${select} LIMIT ? OFFSET ?`, ...conditions.values, ...pageOf(query))
      .map(complete);
    return { data, pagination: this.#pagination(resource, conditions, query) };
  }

  #nominations(query: Query): object {
    const conditions = nominationConditions(query);
    // The page's ids first, so that rows before it are skipped without joining.
    const data = this.#sql
      .all(
        `SELECT ${nominationColumns} FROM (SELECT n.id AS found FROM nominations n ${conditions.sql} ORDER BY n.id LIMIT ? OFFSET ?)
       JOIN nominations n ON n.id = found ${nominationJoins} ORDER BY found`,
        ...conditions.values,
        ...pageOf(query),
      )
      .map(asNomination);
    return { data, pagination: this.#pagination('nominations n', conditions, query) };
  }

  #pagination(table: string, conditions: Conditions, query: Query): object {
    const total = this.#sql.count(
      `SELECT count(*) AS total FROM ${table} ${conditions.sql}`,
      ...conditions.values,
    );
    return paginationOf(total, query.page, query.limit);
  }

  #record(resource: ResourceName, id: number): object | undefined {
    if (resource === 'nominations') return this.#nomination(id);
    const record = this.#one(resource, id);
    const reference = references[resource];
    if (record === undefined || reference === undefined) return record;
    return { ...record, nominations: this.#nominationsWhere(`n.${reference} = ?`, id) };
  }

  #nomination(id: number): object | undefined {
    const nomination = this.#nominationsWhere('n.id = ?', id)[0];
    if (nomination === undefined) return undefined;
    const one = (resource: ReferencedResource, reference: string) =>
      this.#one(resource, nomination[reference] as number);
    return {
      ...nomination,
      category: one('categories', 'category_id'),
      movie: one('movies', 'movie_id'),
      nominee: one('nominees', 'nominee_id'),
      ceremony: one('ceremonies', 'ceremony_id'),
      ...(nomination.song_id === null ? {} : { song: one('songs', 'song_id') }),
    };
  }

  #nominationsWhere(condition: string, id: number): SqlRow[] {
    const select = `SELECT ${nominationColumns} FROM nominations n ${nominationJoins} WHERE ${condition} ORDER BY n.id`;
    return this.#sql.all(select, id).map(asNomination);
  }

  #one(resource: ReferencedResource, id: number): SqlRow | undefined {
    const row = this.#sql.get(`SELECT ${fields(resource)} FROM ${resource} WHERE id = ?`, id);
    return row && complete(row);
  }
}
