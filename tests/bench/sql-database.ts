/**
 * The database of the SQL alternative: the project's own, with what a good engineer would add to answer reads by SQL: folded
 * shadow columns for partial matches, an index for each filter of the bench, covering ones for the rankings, and FTS5.
 */
import Database from 'better-sqlite3';
import { fold, tokens } from '../../api/contract/text.ts';

/** Copies a database and prepares the copy. @returns its path */
export function makeSqlDatabase(from: string, to: string): string {
  const original = new Database(from, { readonly: true });
  original.prepare('VACUUM INTO ?').run(to);
  original.close();
  const connection = new Database(to);
  connection.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))));
  connection.function('words', { deterministic: true }, (text) => tokens(String(text)).join(' '));
  connection.transaction(() => {
    const triggers = connection
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      .pluck();
    for (const name of triggers.all()) connection.exec(`DROP TRIGGER ${name}`);
    for (const statements of [shadowColumns, indexes, fullText]) connection.exec(statements);
  })();
  connection.exec('ANALYZE');
  connection.close();
  return to;
}

const shadowColumns = `
ALTER TABLE movies ADD COLUMN title_folded TEXT;
UPDATE movies SET title_folded = fold(title);
ALTER TABLE nominees ADD COLUMN name_folded TEXT;
ALTER TABLE nominees ADD COLUMN department_folded TEXT;
ALTER TABLE nominees ADD COLUMN is_person INTEGER;
UPDATE nominees SET name_folded = fold(name), department_folded = fold(known_for_department),
  is_person = CASE WHEN filmindex_id IS NULL THEN known_for_department IS NOT NULL ELSE filmindex_id NOT GLOB 'co*' END;
ALTER TABLE categories ADD COLUMN name_folded TEXT;
UPDATE categories SET name_folded = fold(category_name);
ALTER TABLE songs ADD COLUMN title_folded TEXT;
ALTER TABLE songs ADD COLUMN artist_folded TEXT;
UPDATE songs SET title_folded = fold(original_title), artist_folded = fold(artist_names);
CREATE TABLE movie_genres (genre TEXT, movie_id INTEGER, PRIMARY KEY (genre, movie_id)) WITHOUT ROWID;
INSERT INTO movie_genres SELECT DISTINCT fold(value), movies.id FROM movies, json_each(genres);
`;

const indexes = `
CREATE INDEX movies_by_folded_title ON movies (title_folded);
CREATE INDEX nominees_by_folded_name ON nominees (name_folded);
CREATE INDEX nominees_by_department ON nominees (department_folded, is_person);
CREATE INDEX ceremonies_by_year ON ceremonies (ceremony_year);
CREATE INDEX nominations_by_winner ON nominations (winner, ceremony_id);
CREATE INDEX nominations_for_films ON nominations (movie_id, category_id, ceremony_id, winner);
CREATE INDEX nominations_for_people ON nominations (nominee_id, category_id, ceremony_id, winner);
CREATE INDEX nominations_by_ceremony ON nominations (ceremony_id, movie_id, nominee_id, category_id, winner);
`;

/** Words are folded as the interface says before they are indexed, so that both services find the same. */
const fullText = `
CREATE VIRTUAL TABLE nomination_text USING fts5(
  nominee, movie, category, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4'
);
INSERT INTO nomination_text (rowid, nominee, movie, category)
  SELECT n.id, words(p.name), words(m.title), words(c.category_name)
  FROM nominations n JOIN nominees p ON p.id = n.nominee_id JOIN movies m ON m.id = n.movie_id
  JOIN categories c ON c.id = n.category_id ORDER BY n.id;
INSERT INTO nomination_text (nomination_text) VALUES ('optimize');
`;
