/** Search and the two rankings of the SQL alternative. */
import type { Query } from '../../api/contract/parameters.ts';
import { tokens } from '../../api/contract/text.ts';
import { paginationOf } from '../../api/read/documents.ts';
import { rankingConditions, searchConditions } from './sql-conditions.ts';
import { pageOf, type SqlConnection } from './sql-connection.ts';
import { asNomination, nominationColumns, nominationJoins } from './sql-rows.ts';

export function searchDocument(sql: SqlConnection, query: Query): object {
  const match = [...new Set(tokens(query.q!))]
    .map((token) => `"${token}"${[...token].length > 1 ? ' *' : ''}`)
    .join(' AND ');
  const conditions = searchConditions(query);
  const filtered = conditions.values.length > 0;
  // Without filters FTS5 sorts by rank itself.
  const found = filtered
    ? `SELECT t.rowid AS found, t.rank AS score FROM nomination_text t JOIN nominations n ON n.id = t.rowid
         ${conditions.sql} AND nomination_text MATCH ? ORDER BY t.rank LIMIT ? OFFSET ?`
    : 'SELECT rowid AS found, rank AS score FROM nomination_text WHERE nomination_text MATCH ? ORDER BY rank LIMIT ? OFFSET ?';
  const data = sql
    .all(
      `SELECT ${nominationColumns} FROM (${found}) JOIN nominations n ON n.id = found ${nominationJoins} ORDER BY score, found`,
      ...conditions.values,
      match,
      ...pageOf(query),
    )
    .map(asNomination);
  const total = filtered
    ? sql.count(
        `SELECT count(*) AS total FROM nomination_text t JOIN nominations n ON n.id = t.rowid ${conditions.sql} AND nomination_text MATCH ?`,
        ...conditions.values,
        match,
      )
    : sql.count('SELECT count(*) AS total FROM nomination_text WHERE nomination_text MATCH ?', match);
  return { query: query.q, data, pagination: paginationOf(total, query.page, query.limit) };
}

export function topMovies(sql: SqlConnection, query: Query): object {
  const conditions = rankingConditions(query);
  const order = `${rankingOrder(query)}, movie_id`;
  const data = sql.all(
    `SELECT movie_id, m.title AS movie, total_nominations, total_wins FROM
       (SELECT n.movie_id, count(DISTINCT n.category_id) AS total_nominations,
          count(DISTINCT CASE WHEN n.winner THEN n.category_id END) AS total_wins
        FROM nominations n ${conditions.sql} GROUP BY n.movie_id ORDER BY ${order} LIMIT ?)
       JOIN movies m ON m.id = movie_id ORDER BY ${order}`,
    ...conditions.values,
    query.limit,
  );
  return { data, count: data.length };
}

export function topNominees(sql: SqlConnection, query: Query): object {
  const conditions = rankingConditions(query);
  conditions.add('p.is_person = 1');
  const order = `${rankingOrder(query)}, nominee_id`;
  const data = sql.all(
    `SELECT n.nominee_id, p.name AS nominee, count(*) AS total_nominations, sum(n.winner) AS total_wins
       FROM nominations n JOIN nominees p ON p.id = n.nominee_id ${conditions.sql}
       GROUP BY n.nominee_id ORDER BY ${order} LIMIT ?`,
    ...conditions.values,
    query.limit,
  );
  return { data, count: data.length };
}

const rankingOrder = ({ sort }: Query): string =>
  sort === 'wins' ? 'total_wins DESC, total_nominations DESC' : 'total_nominations DESC, total_wins DESC';
