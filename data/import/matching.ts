/**
 * Finds the record of each thing that a source names. First by identity: the external id, or the name if there is none,
 * compared with the values that sources gave last and then with the current values. Then by *adoption*: a record without an
 * id, in the same nomination and under the same name, is the thing, which brings its id. Things without a record get the id of
 * a new one. Nothing is written to the record.
 */

import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { freeIds } from '../edits.ts';
import type { Connection } from '../open.ts';
import { asGiven, rememberFields, withMemory } from './merge.ts';

/** The references of a nomination are its identity. */
const fields = Object.keys(references) as ReferenceField[];

/** Gives an id to each row of the staged tables, except honors. */
export function matchRecords(connection: Connection): void {
  connection.exec('UPDATE source_ceremonies SET is_new = id NOT IN (SELECT id FROM ceremonies)');
  matchCategories(connection);
  knowRecords(connection);
  matchByKey(connection, 'movies');
  adoptMovies(connection);
  giveNewIds(connection, 'movies');
  matchByKey(connection, 'nominees');
  adoptNominees(connection);
  giveNewIds(connection, 'nominees');
  matchSongs(connection);
  giveNewIds(connection, 'songs');
  matchNominations(connection);
  giveNewIds(connection, 'nominations');
}

/** Gives an id to each staged honor. */
export function matchHonors(connection: Connection): void {
  const key = (of: (field: string) => string) =>
    `${of('ceremony_id')} || char(9) || ${of('category')} || char(9) || ifnull(${of('recipients')}, '') || char(9) || ifnull(${of('citation')}, '')`;
  connection.exec(
    `INSERT INTO known_honors (id, current_key, source_key)
     SELECT r.id, ${key((field) => `r.${field}`)}, ${key(asGiven)} FROM ${withMemory('honors')}`,
  );
  matchByKey(connection, 'honors');
  adoptHonors(connection);
  giveNewIds(connection, 'honors');
}

/** A record without a citation is the honor of the same recipients that brings one. */
function adoptHonors(connection: Connection): void {
  pairUp(
    connection,
    'honors',
    `SELECT s.n, r.id FROM source_honors AS s
     JOIN honors AS r ON r.citation IS NULL AND r.ceremony_id = s.ceremony_id
       AND r.category = s.category AND r.recipients IS s.recipients
     WHERE s.id IS NULL AND r.id NOT IN ${taken('honors')}
     ORDER BY s.n, r.id`,
  );
}

/** By name. A new category gets its id of the reference if that id is free. */
function matchCategories(connection: Connection): void {
  connection.exec(
    `UPDATE source_categories SET id = known.id
     FROM (SELECT max(r.id) AS id, ${asGiven('category_name')} AS name FROM ${withMemory('categories')} GROUP BY name) AS known
     WHERE known.name = category_name;
     UPDATE source_categories SET id = n, is_new = 1 WHERE id IS NULL AND n NOT IN (SELECT id FROM categories)`,
  );
  const ids = connection
    .prepare<[], number>(`SELECT id FROM source_categories WHERE id IS NOT NULL`)
    .pluck()
    .all();
  giveNewIds(connection, 'categories', new Set(ids));
}

/** Fills the tables of known records. */
function knowRecords(connection: Connection): void {
  const knowNamed = (table: 'movies' | 'nominees', name: string) => {
    const key = (of: (field: string) => string) => `coalesce(${of('filmindex_id')}, 'named ' || ${of(name)})`;
    return `
      INSERT INTO known_${table} (id, current_key, source_key, source_id, source_name)
      SELECT r.id, ${key((field) => `r.${field}`)}, ${key(asGiven)}, ${asGiven('filmindex_id')}, ${asGiven(name)}
      FROM ${withMemory(table)};`;
  };
  connection.exec(
    `${knowNamed('movies', 'title')}
     ${knowNamed('nominees', 'name')}
     INSERT INTO known_nominations (id, ${fields.join(', ')}, ${fields.map((field) => `source_${field}`).join(', ')})
     SELECT r.id, ${fields.map((field) => `r.${field}`).join(', ')}, ${fields.map(asGiven).join(', ')}
     FROM ${withMemory('nominations')};`,
  );
  // A song belongs to the films of its nominations.
  const songs = `known_nominations AS x JOIN (
      SELECT r.id, r.original_title AS title, ${asGiven('original_title')} AS source_title FROM ${withMemory('songs')}
    ) AS g ON g.id IN (x.source_song_id, x.song_id) AND coalesce(x.source_song_id, x.song_id) IS NOT NULL`;
  connection.exec(
    `INSERT INTO known_songs (movie_id, title, rank, nomination_id, id)
     SELECT x.source_movie_id, g.source_title, 1, x.id, g.id FROM ${songs}
     UNION ALL SELECT x.source_movie_id, g.title, 2, x.id, g.id FROM ${songs}
     UNION ALL SELECT x.movie_id, g.source_title, 2, x.id, g.id FROM ${songs}
     UNION ALL SELECT x.movie_id, g.title, 2, x.id, g.id FROM ${songs}`,
  );
}

/** SQL: the ids that things of a table have already. */
const taken = (table: ResourceName) => `(SELECT id FROM source_${table} WHERE id IS NOT NULL)`;

/** Keys are unique among the things, and each record has one key, so that no two things want one record. */
function matchByKey(connection: Connection, table: 'movies' | 'nominees' | 'honors'): void {
  connection.exec(
    `UPDATE source_${table} SET id = (SELECT min(id) FROM known_${table} WHERE source_key = key);
     UPDATE source_${table} SET id = (
       SELECT min(id) FROM known_${table} WHERE current_key = key AND id NOT IN ${taken(table)}
     ) WHERE id IS NULL`,
  );
}

interface Pair {
  n: number;
  id: number;
}

/** Matches each thing with the first of its candidates that is still free. @param candidates SQL: `n` and `id`, in order */
function pairUp(connection: Connection, table: ResourceName, candidates: string): Pair[] {
  const pairs = new Map<number, Pair>();
  const ids = new Set<number>();
  for (const pair of connection.prepare<[], Pair>(candidates).iterate())
    if (!pairs.has(pair.n) && !ids.has(pair.id)) {
      pairs.set(pair.n, pair);
      ids.add(pair.id);
    }
  const statement = connection.prepare<[number, number]>(`UPDATE source_${table} SET id = ? WHERE n = ?`);
  for (const { n, id } of pairs.values()) statement.run(id, n);
  return [...pairs.values()];
}

/** Films of the same ceremony and title. It can have two of one title, so the same category and nominee come first. */
function adoptMovies(connection: Connection): void {
  const candidates = (join: string) =>
    `SELECT m.n, k.id FROM source_nominations AS s
     JOIN source_movies AS m ON m.n = s.movie
     JOIN known_movies AS k ON k.source_id IS NULL AND k.source_name = s.titled_as
     JOIN nominations AS x ON x.movie_id = k.id AND x.ceremony_id = s.ceremony_id ${join}
     WHERE m.id IS NULL AND m.filmindex_id IS NOT NULL AND k.id NOT IN ${taken('movies')}
     ORDER BY s.n, x.id`;
  const precise = `JOIN source_categories AS c ON c.n = s.category AND c.id = x.category_id
     JOIN known_nominees AS p ON p.id = x.nominee_id AND p.source_name = s.credited_as`;
  pairUp(connection, 'movies', candidates(precise));
  pairUp(connection, 'movies', candidates(''));
}

/** Nominees of the same ceremony, category, film and name. */
function adoptNominees(connection: Connection): void {
  pairUp(
    connection,
    'nominees',
    `SELECT p.n, k.id FROM source_nominations AS s
     JOIN source_nominees AS p ON p.n = s.nominee
     JOIN source_categories AS c ON c.n = s.category
     JOIN source_movies AS m ON m.n = s.movie
     JOIN known_nominees AS k ON k.source_id IS NULL AND k.source_name = s.credited_as
     JOIN nominations AS x
       ON x.nominee_id = k.id AND x.ceremony_id = s.ceremony_id AND x.category_id = c.id AND x.movie_id = m.id
     WHERE p.id IS NULL AND p.filmindex_id IS NOT NULL AND k.id NOT IN ${taken('nominees')}
     ORDER BY s.n, x.id`,
  );
}

/** By film and title. */
function matchSongs(connection: Connection): void {
  for (const ranks of ['k.rank = 1', 'true'])
    pairUp(
      connection,
      'songs',
      `SELECT s.n, k.id FROM source_songs AS s
       JOIN source_movies AS m ON m.n = s.movie
       JOIN known_songs AS k ON k.movie_id = m.id AND k.title = s.original_title
       WHERE s.id IS NULL AND ${ranks} AND k.id NOT IN ${taken('songs')}
       ORDER BY s.n, k.nomination_id, k.id`,
    );
}

function matchNominations(connection: Connection): void {
  const isSame = (prefix: string, but?: ReferenceField) =>
    fields
      .filter((field) => field !== but)
      .map((field) => `k.${prefix}${field} IS s.${field}`)
      .join(' AND ');
  connection.exec(
    `UPDATE source_nominations SET
       category_id = (SELECT id FROM source_categories WHERE n = category),
       movie_id = (SELECT id FROM source_movies WHERE n = movie),
       nominee_id = (SELECT id FROM source_nominees WHERE n = nominee),
       song_id = (SELECT id FROM source_songs WHERE n = song);
     UPDATE source_nominations AS s SET id = (
       SELECT min(k.id) FROM known_nominations AS k WHERE ${isSame('source_')}
     );
     UPDATE source_nominations AS s SET id = (
       SELECT min(k.id) FROM known_nominations AS k WHERE ${isSame('')} AND k.id NOT IN ${taken('nominations')}
     ) WHERE id IS NULL`,
  );
  const unmatched = `s.id IS NULL AND k.id NOT IN ${taken('nominations')}`;
  const namesakes = pairUp(
    connection,
    'nominations',
    `SELECT s.n, k.id FROM source_nominations AS s
     JOIN known_nominees AS p ON p.source_id IS NULL AND p.source_name = s.credited_as
     JOIN known_nominations AS k ON k.source_nominee_id = p.id AND ${isSame('source_', 'nominee_id')}
     WHERE ${unmatched} ORDER BY s.n, k.id`,
  );
  rememberNominees(connection, namesakes);
  matchOrphans(connection, unmatched);
}

/** The source now gives the id of a namesake. It gave the old nominee before, so that the new one counts as a change. */
function rememberNominees(connection: Connection, namesakes: readonly Pair[]): void {
  const nominee = connection
    .prepare<[number], number>('SELECT source_nominee_id FROM known_nominations WHERE id = ?')
    .pluck();
  const values = namesakes.map(({ id }) => ({ id, field: 'nominee_id', value: nominee.get(id)! }));
  rememberFields(connection, values);
}

/**
 * Matches nominations that referred to a deleted record, according to sources, with those whose record is added again. The
 * nomination keeps the reference that an editor gave it instead.
 */
function matchOrphans(connection: Connection, unmatched: string): void {
  const isAmong = (table: string, id: string, condition = 'true') =>
    `EXISTS (SELECT 1 FROM ${table} AS t WHERE t.id = ${id} AND ${condition})`;
  const isGone = (field: ReferenceField) =>
    `(k.source_${field} IS NOT NULL AND NOT ${isAmong(references[field], `k.source_${field}`)}
      AND NOT ${isAmong(`source_${references[field]}`, `k.source_${field}`)})`;
  const isAdded = (field: ReferenceField) => isAmong(`source_${references[field]}`, `s.${field}`, 't.is_new');
  const isSame = (field: ReferenceField) =>
    `iif(${isGone(field)}, ${isAdded(field)}, NOT ${isAdded(field)} AND k.source_${field} IS s.${field})`;
  const pairs = pairUp(
    connection,
    'nominations',
    `SELECT s.n, k.id FROM known_nominations AS k CROSS JOIN source_nominations AS s
     WHERE (${fields.map(isGone).join(' OR ')}) AND ${unmatched} AND ${fields.map(isSame).join(' AND ')}
     ORDER BY s.n, k.id`,
  );
  for (const field of fields) {
    const added = connection
      .prepare<[number], number>(
        `SELECT s.${field} FROM source_nominations AS s WHERE n = ? AND ${isAdded(field)}`,
      )
      .pluck();
    const values = pairs.map(({ n, id }) => ({ id, field, value: added.get(n) }));
    rememberFields(
      connection,
      values.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }])),
    );
  }
}

/** Things that get their ids at a time. */
const thingsAtOnce = 10_000;

/**
 * Gives ids of new records to the things without one, in order of first appearance.
 * @param taken ids of other new records
 */
function giveNewIds(
  connection: Connection,
  table: ResourceName,
  taken: ReadonlySet<number> = new Set(),
): void {
  const numbers = connection
    .prepare<[number], number>(
      `SELECT n FROM source_${table} WHERE id IS NULL AND n > ? ORDER BY n LIMIT ${thingsAtOnce}`,
    )
    .pluck();
  const statement = connection.prepare<[number, number]>(
    `UPDATE source_${table} SET id = ?, is_new = 1 WHERE n = ?`,
  );
  const ids = freeIds(connection, table);
  for (let some = numbers.all(0); some.length > 0; some = numbers.all(some.at(-1)!))
    for (const n of some) {
      let id = ids.next().value;
      while (taken.has(id)) id = ids.next().value;
      statement.run(id, n);
    }
}
