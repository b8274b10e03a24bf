/**
 * The database of the SQL alternative: the project's own, with what a good engineer would add to answer reads by SQL: folded
 * shadow columns for partial matches, an index for each filter of the bench, covering ones for the rankings, FTS5, and the
 * number of each nomination's entry with the totals and sort keys that follow from it.
 */
import Database from 'better-sqlite3';
import { type EntryFields, entryKey, isActingGroup } from '../../api/contract/entries.ts';
import { fold, tokens } from '../../api/contract/text.ts';

/** Copies a database and prepares the copy. @returns its path */
export function makeSqlDatabase(from: string, to: string): string {
  const original = new Database(from, { readonly: true });
  original.prepare('VACUUM INTO ?').run(to);
  original.close();
  const connection = new Database(to);
  connection.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))));
  connection.function('words', { deterministic: true }, (text) => tokens(String(text)).join(' '));
  connection.function('entry_number', { deterministic: true, varargs: true }, entryNumbers());
  connection.transaction(() => {
    const triggers = connection
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      .pluck();
    for (const name of triggers.all()) connection.exec(`DROP TRIGGER ${name}`);
    for (const statements of [shadowColumns, totals, indexes, fullText]) connection.exec(statements);
  })();
  connection.exec('ANALYZE');
  connection.close();
  return to;
}

/** A function of the fields of a nomination and the group of its category: nominations of one entry have the same number. */
function entryNumbers(): (...values: unknown[]) => number {
  const numbers = new Map<string, number>();
  return (ceremony_id, category_id, movie_id, nominee_id, song_id, entry, group) => {
    const fields = { ceremony_id, category_id, movie_id, nominee_id, song_id, entry } as EntryFields;
    const key = entryKey(fields, isActingGroup(group as string | null));
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
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
ALTER TABLE categories ADD COLUMN group_folded TEXT;
UPDATE categories SET name_folded = fold(category_name), group_folded = fold(category_group);
ALTER TABLE songs ADD COLUMN title_folded TEXT;
ALTER TABLE songs ADD COLUMN artist_folded TEXT;
UPDATE songs SET title_folded = fold(original_title), artist_folded = fold(artist_names);
`;

/** Kept at every write, as sorting and counting need them. */
const totals = `
ALTER TABLE nominations ADD COLUMN entry_number INTEGER;
ALTER TABLE nominations ADD COLUMN year INTEGER;
ALTER TABLE nominations ADD COLUMN movie_folded TEXT;
ALTER TABLE nominations ADD COLUMN nominee_folded TEXT;
UPDATE nominations SET (year, movie_folded, nominee_folded, entry_number) =
  (SELECT e.ceremony_year, m.title_folded, p.name_folded,
     entry_number(n.ceremony_id, n.category_id, n.movie_id, n.nominee_id, n.song_id, n.entry, c.category_group)
   FROM nominations n JOIN ceremonies e ON e.id = n.ceremony_id JOIN categories c ON c.id = n.category_id
   JOIN movies m ON m.id = n.movie_id JOIN nominees p ON p.id = n.nominee_id WHERE n.id = nominations.id);
${(['movies', 'nominees'] as const)
  .map((table) => {
    const of = `FROM nominations WHERE ${table === 'movies' ? 'movie_id' : 'nominee_id'} = ${table}.id`;
    return `
ALTER TABLE ${table} ADD COLUMN entries INTEGER;
ALTER TABLE ${table} ADD COLUMN wins INTEGER;
ALTER TABLE ${table} ADD COLUMN nominations INTEGER;
UPDATE ${table} SET (entries, wins, nominations) =
  (SELECT count(DISTINCT entry_number), count(DISTINCT CASE WHEN winner THEN entry_number END), count(*) ${of});
CREATE INDEX ${table}_by_entries ON ${table} (entries);
CREATE INDEX ${table}_by_wins ON ${table} (wins);`;
  })
  .join('')}
CREATE INDEX nominations_by_year ON nominations (year);
CREATE INDEX nominations_by_folded_movie ON nominations (movie_folded);
CREATE INDEX nominations_by_folded_nominee ON nominations (nominee_folded);
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
