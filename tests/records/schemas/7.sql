CREATE TABLE ceremonies (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  ceremony_year INTEGER NOT NULL CHECK (ceremony_year BETWEEN 1 AND 9999),
  date TEXT CHECK (date IS date(date) AND date NOT GLOB '-*'),
  show_title TEXT CHECK (show_title <> '' AND instr(show_title, char(0)) = 0),
  venue TEXT CHECK (venue <> '' AND instr(venue, char(0)) = 0),
  overview TEXT CHECK (overview <> '' AND instr(overview, char(0)) = 0),
  movies_eligible TEXT CHECK (movies_eligible <> '' AND instr(movies_eligible, char(0)) = 0),
  wikiurl TEXT CHECK (wikiurl <> '' AND instr(wikiurl, char(0)) = 0),
  moment_1_caption TEXT CHECK (moment_1_caption <> '' AND instr(moment_1_caption, char(0)) = 0),
  moment_2_caption TEXT CHECK (moment_2_caption <> '' AND instr(moment_2_caption, char(0)) = 0),
  moment_3_caption TEXT CHECK (moment_3_caption <> '' AND instr(moment_3_caption, char(0)) = 0),
  moment_1_img_url TEXT CHECK (moment_1_img_url <> '' AND instr(moment_1_img_url, char(0)) = 0),
  moment_2_img_url TEXT CHECK (moment_2_img_url <> '' AND instr(moment_2_img_url, char(0)) = 0),
  moment_3_img_url TEXT CHECK (moment_3_img_url <> '' AND instr(moment_3_img_url, char(0)) = 0)
, film_years TEXT CHECK (
  (film_years GLOB '[0-9][0-9][0-9][0-9]' OR film_years GLOB '[0-9][0-9][0-9][0-9]/[0-9][0-9]')
  AND film_years NOT GLOB '0000*' AND instr(film_years, char(0)) = 0
)) STRICT;
CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  category_name TEXT NOT NULL CHECK (category_name <> '' AND instr(category_name, char(0)) = 0),
  category_group TEXT CHECK (category_group <> '' AND instr(category_group, char(0)) = 0),
  definition TEXT CHECK (definition <> '' AND instr(definition, char(0)) = 0),
  era TEXT CHECK (era <> '' AND instr(era, char(0)) = 0),
  history TEXT CHECK (history <> '' AND instr(history, char(0)) = 0)
) STRICT;
CREATE TABLE movies (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  title TEXT NOT NULL CHECK (title <> '' AND instr(title, char(0)) = 0),
  tagline TEXT CHECK (tagline <> '' AND instr(tagline, char(0)) = 0),
  overview TEXT CHECK (overview <> '' AND instr(overview, char(0)) = 0),
  release_date TEXT CHECK (release_date IS date(release_date) AND release_date NOT GLOB '-*'),
  runtime INTEGER CHECK (runtime BETWEEN 0 AND 9007199254740991),
  genres TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(genres) AND json_type(genres) = 'array' AND instr(genres, char(0)) = 0 AND instr(genres, '\u0000') = 0),
  origin_country TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(origin_country) AND json_type(origin_country) = 'array' AND instr(origin_country, char(0)) = 0 AND instr(origin_country, '\u0000') = 0),
  moviedb_id INTEGER CHECK (moviedb_id BETWEEN 0 AND 9007199254740991),
  filmindex_id TEXT CHECK (filmindex_id GLOB 'tt[0-9]*' AND substr(filmindex_id, 3) NOT GLOB '*[^0-9]*' AND instr(filmindex_id, char(0)) = 0),
  poster_path TEXT CHECK (poster_path GLOB 'https://*' AND instr(poster_path, char(0)) = 0),
  backdrop_path TEXT CHECK (backdrop_path GLOB 'https://*' AND instr(backdrop_path, char(0)) = 0)
, other_names TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(other_names) AND json_type(other_names) = 'array' AND instr(other_names, char(0)) = 0 AND instr(other_names, '\u0000') = 0)) STRICT;
CREATE TABLE nominees (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT NOT NULL CHECK (name <> '' AND instr(name, char(0)) = 0),
  biography TEXT CHECK (biography <> '' AND instr(biography, char(0)) = 0),
  birthday TEXT CHECK (birthday IS date(birthday) AND birthday NOT GLOB '-*'),
  deathday TEXT CHECK (deathday IS date(deathday) AND deathday NOT GLOB '-*'),
  place_of_birth TEXT CHECK (place_of_birth <> '' AND instr(place_of_birth, char(0)) = 0),
  known_for_department TEXT CHECK (known_for_department <> '' AND instr(known_for_department, char(0)) = 0),
  homepage TEXT CHECK (homepage <> '' AND instr(homepage, char(0)) = 0),
  moviedb_person_id INTEGER CHECK (moviedb_person_id BETWEEN 0 AND 9007199254740991),
  filmindex_id TEXT CHECK ((filmindex_id GLOB 'nm[0-9]*' OR filmindex_id GLOB 'co[0-9]*') AND substr(filmindex_id, 3) NOT GLOB '*[^0-9]*' AND instr(filmindex_id, char(0)) = 0),
  profile_path TEXT CHECK (profile_path GLOB 'https://*' AND instr(profile_path, char(0)) = 0)
, other_names TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(other_names) AND json_type(other_names) = 'array' AND instr(other_names, char(0)) = 0 AND instr(other_names, '\u0000') = 0)) STRICT;
CREATE TABLE songs (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  original_title TEXT NOT NULL CHECK (original_title <> '' AND instr(original_title, char(0)) = 0),
  artist_names TEXT CHECK (artist_names <> '' AND instr(artist_names, char(0)) = 0),
  streaming_id TEXT CHECK (streaming_id <> '' AND instr(streaming_id, char(0)) = 0),
  streaming_url TEXT CHECK (streaming_url <> '' AND instr(streaming_url, char(0)) = 0),
  streaming_track_name TEXT CHECK (streaming_track_name <> '' AND instr(streaming_track_name, char(0)) = 0),
  streaming_album_name TEXT CHECK (streaming_album_name <> '' AND instr(streaming_album_name, char(0)) = 0),
  streaming_year INTEGER CHECK (streaming_year BETWEEN 1 AND 9999)
) STRICT;
CREATE TABLE nominations (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  category_id INTEGER NOT NULL REFERENCES categories (id),
  movie_id INTEGER NOT NULL REFERENCES movies (id),
  nominee_id INTEGER NOT NULL REFERENCES nominees (id),
  song_id INTEGER REFERENCES songs (id),
  winner INTEGER NOT NULL DEFAULT 0 CHECK (winner IN (0, 1)),
  -- The row of the source that the nomination was made from, counted within ceremony and category; NULL if an editor made it.
  -- What the press counts as one nomination is one entry, see api/contract/entries.ts.
  entry INTEGER CHECK (entry BETWEEN 1 AND 9007199254740991),
  character TEXT CHECK (character <> '' AND instr(character, char(0)) = 0),
  note TEXT CHECK (note <> '' AND instr(note, char(0)) = 0),
  official INTEGER NOT NULL DEFAULT 1 CHECK (official IN (0, 1)),
  historical_category TEXT CHECK (historical_category <> '' AND instr(historical_category, char(0)) = 0),
  credited_as TEXT CHECK (credited_as <> '' AND instr(credited_as, char(0)) = 0)
) STRICT;
CREATE TABLE given (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  source_id TEXT,
  retrieved_at TEXT,
  fields TEXT NOT NULL CHECK (json_valid(fields) AND json_type(fields) = 'object'),
  added INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1)), replaced TEXT NOT NULL DEFAULT '{}'
  CHECK (json_valid(replaced) AND json_type(replaced) = 'object'),
  PRIMARY KEY (resource, record_id, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL
) STRICT;
CREATE TABLE builds (
  out TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;
CREATE TABLE lineage (
  id TEXT NOT NULL
) STRICT;
CREATE TABLE sample (
  revision INTEGER NOT NULL
) STRICT;
CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
) STRICT;
CREATE TABLE rebuilds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  files TEXT NOT NULL CHECK (json_valid(files))
) STRICT;
CREATE TABLE receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  key_name TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete')),
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  before TEXT CHECK ((before IS NULL) = (action = 'create') AND (before IS NULL OR json_valid(before))),
  after TEXT CHECK ((after IS NULL) = (action = 'delete') AND (after IS NULL OR json_valid(after))),
  revision INTEGER NOT NULL,
  snapshot TEXT CHECK ((snapshot IS NULL) = (rebuild_id IS NULL)),
  rebuild_id INTEGER,
  group_id INTEGER
, note TEXT CHECK (note <> '')) STRICT;
CREATE TABLE deleted (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  fields TEXT NOT NULL CHECK (json_valid(fields) AND json_type(fields) = 'object'),
  replaced TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(replaced) AND json_type(replaced) = 'object'),
  added INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1))
) STRICT;
CREATE TABLE imported (
  source TEXT NOT NULL,
  digest TEXT NOT NULL,
  revision INTEGER NOT NULL
, title TEXT, licence TEXT, holder TEXT) STRICT;
CREATE TABLE "honors" (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  class TEXT NOT NULL CHECK (class IN ('SciTech', 'Special', 'Competitive')),
  winner INTEGER NOT NULL DEFAULT 1 CHECK (winner IN (0, 1)),
  category_id INTEGER REFERENCES categories (id),
  category TEXT NOT NULL CHECK (category <> '' AND instr(category, char(0)) = 0),
  movie_id INTEGER REFERENCES movies (id),
  recipients TEXT CHECK (recipients <> '' AND instr(recipients, char(0)) = 0),
  nominee_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(nominee_ids) AND json_type(nominee_ids) = 'array' AND instr(nominee_ids, char(0)) = 0),
  citation TEXT CHECK (citation <> '' AND instr(citation, char(0)) = 0),
  note TEXT CHECK (note <> '' AND instr(note, char(0)) = 0)
) STRICT;
CREATE TABLE generated (
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO ceremonies VALUES (1, 1929, '1929-05-16', '1st Gala', 'Blossom Room', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1927/28');
INSERT INTO ceremonies VALUES (2, 1930, NULL, '2nd "Gala"', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO categories VALUES (1, 'Actress', 'Acting', 'Who played best.', NULL, NULL);
INSERT INTO categories VALUES (2, 'Écriture', 'Writing', NULL, NULL, NULL);
INSERT INTO categories VALUES (3, 'Music (Original Song)', NULL, NULL, NULL, NULL);
INSERT INTO movies VALUES (1, 'Amélie', NULL, 'A girl, a "gnome".', '2001-04-25', 122, '["Comedy","Comédie"]', '["FR"]', NULL, 'tt0211915', NULL, NULL, '[]');
INSERT INTO movies VALUES (2, 'It''s a "Wonderful" Life', NULL, NULL, NULL, 130, '["Drama"]', '["US"]', NULL, NULL, NULL, NULL, '[]');
INSERT INTO movies VALUES (3, '8½', NULL, NULL, NULL, NULL, '[]', '[]', NULL, NULL, NULL, NULL, '[]');
INSERT INTO nominees VALUES (1, 'Ann O''Brien', NULL, '1900-02-28', NULL, NULL, 'Acting', NULL, NULL, 'nm0000001', NULL, '[]');
INSERT INTO nominees VALUES (2, 'Łukasz Żal', NULL, NULL, NULL, NULL, 'Camera', NULL, NULL, NULL, NULL, '[]');
INSERT INTO nominees VALUES (3, 'Metro Pictures', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'co0000003', NULL, '[]');
INSERT INTO nominees VALUES (4, 'José Ñandú', NULL, NULL, NULL, NULL, 'Writing', NULL, NULL, 'nm4', NULL, '[]');
INSERT INTO songs VALUES (1, 'Que Será', 'José & Ann', NULL, NULL, NULL, NULL, 1956);
INSERT INTO nominations VALUES (1, 1, 1, 1, 1, NULL, 1, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO nominations VALUES (2, 1, 2, 2, 4, NULL, 0, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO nominations VALUES (3, 1, 3, 2, 4, 1, 1, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO nominations VALUES (4, 2, 1, 3, 1, NULL, 0, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO nominations VALUES (5, 2, 2, 1, 3, NULL, 0, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO nominations VALUES (6, 2, 2, 1, 2, NULL, 1, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO given VALUES ('movies', 1, 'import', 'tt0211915', NULL, '{"title":"Amelie"}', 1, '{}');
INSERT INTO given VALUES ('nominees', 1, 'tmdb', '9', '2026-11-20', '{"birthday":"1900-02-28"}', 0, '{}');
INSERT INTO builds VALUES ('/dist', 26, 's', 'f');
INSERT INTO lineage VALUES ('0123456789abcdef');
INSERT INTO api_keys VALUES ('editor', '06ba7ac5c040e5dd9da549df2a18524d2e587c0611f7ef8be76908fd07cbcc18', '2026-11-22T10:00:00.000Z', NULL, NULL);
INSERT INTO api_keys VALUES ('former', '2aa50b47c92342ddda1dccb774e50e497d759632db2c3a8b86b31a9d737f8151', '2026-11-22T10:00:00.000Z', NULL, '2026-11-22T10:00:00.000Z');
INSERT INTO rebuilds VALUES (1, '[{"path":"manifest.json","action":"written","cause":"it names \"all\""}]');
INSERT INTO receipts VALUES (1, '2026-11-22T10:00:00.000Z', 'editor', 'update', 'movies', 1, '{"title":"Amelie"}', '{"title":"Amélie"}', 26, 's', 1, NULL, NULL);
INSERT INTO receipts VALUES (2, '2026-11-22T10:00:00.000Z', 'editor', 'delete', 'nominees', 90, '{"name":"Deleted"}', NULL, 26, NULL, NULL, NULL, NULL);
INSERT INTO deleted VALUES (1, 'nominees', 90, '{"name":"Deleted"}', '{}', 1);
INSERT INTO imported VALUES ('oscars.csv', '0000000000000000000000000000000000000000000000000000000000000000', 26, 'Our awards', 'CC0-1.0', 'Ann');
INSERT INTO honors VALUES (1, 1, 'Special', 1, NULL, 'HONORARY AWARD', 1, 'Ann', '[1]', 'To Ann.', NULL);
INSERT INTO honors VALUES (2, 2, 'SciTech', 1, NULL, 'PLAQUE', NULL, NULL, '[]', NULL, NULL);
INSERT INTO honors VALUES (3, 1, 'Competitive', 0, 2, 'ÉCRITURE', NULL, 'Ann', '[1]', NULL, 'For no film.');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('categories', 3);
INSERT INTO sqlite_sequence VALUES ('ceremonies', 2);
INSERT INTO sqlite_sequence VALUES ('changes', 26);
INSERT INTO sqlite_sequence VALUES ('honors', 3);
INSERT INTO sqlite_sequence VALUES ('movies', 3);
INSERT INTO sqlite_sequence VALUES ('nominations', 6);
INSERT INTO sqlite_sequence VALUES ('nominees', 90);
INSERT INTO sqlite_sequence VALUES ('rebuilds', 1);
INSERT INTO sqlite_sequence VALUES ('receipts', 2);
INSERT INTO sqlite_sequence VALUES ('songs', 1);
CREATE INDEX nominations_by_identity ON nominations (ceremony_id, category_id, movie_id, nominee_id, song_id);
CREATE INDEX nominations_by_category ON nominations (category_id);
CREATE INDEX nominations_by_movie ON nominations (movie_id);
CREATE INDEX nominations_by_nominee ON nominations (nominee_id);
CREATE INDEX nominations_by_song ON nominations (song_id) WHERE song_id IS NOT NULL;
CREATE INDEX movies_by_filmindex_id ON movies (filmindex_id) WHERE filmindex_id IS NOT NULL;
CREATE INDEX movies_by_title ON movies (title);
CREATE INDEX nominees_by_filmindex_id ON nominees (filmindex_id) WHERE filmindex_id IS NOT NULL;
CREATE INDEX nominees_by_name ON nominees (name);
CREATE INDEX songs_by_title ON songs (original_title);
CREATE INDEX receipts_not_built ON receipts (revision) WHERE rebuild_id IS NULL;
CREATE INDEX receipts_of_group ON receipts (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX receipts_of_record ON receipts (resource, record_id);
CREATE INDEX receipts_of_key ON receipts (key_name);
CREATE INDEX deleted_by_record ON deleted (resource, record_id);
CREATE INDEX honors_by_identity ON honors (ceremony_id, category);
CREATE INDEX honors_by_movie ON honors (movie_id) WHERE movie_id IS NOT NULL;
CREATE INDEX honors_by_category ON honors (category_id) WHERE category_id IS NOT NULL;
CREATE INDEX given_by_source ON given (source);
CREATE TRIGGER movies_arrays_insert BEFORE INSERT ON movies
WHEN EXISTS (SELECT 1 FROM json_each(NEW.genres) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.origin_country) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.other_names) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'genres, origin_country and other_names hold non-empty strings only');
END;
CREATE TRIGGER movies_arrays_update BEFORE UPDATE ON movies
WHEN EXISTS (SELECT 1 FROM json_each(NEW.genres) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.origin_country) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.other_names) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'genres, origin_country and other_names hold non-empty strings only');
END;
CREATE TRIGGER nominees_arrays_insert BEFORE INSERT ON nominees
WHEN EXISTS (SELECT 1 FROM json_each(NEW.other_names) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'other_names holds non-empty strings only');
END;
CREATE TRIGGER nominees_arrays_update BEFORE UPDATE ON nominees
WHEN EXISTS (SELECT 1 FROM json_each(NEW.other_names) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'other_names holds non-empty strings only');
END;
CREATE TRIGGER honors_nominees_insert BEFORE INSERT ON honors
WHEN EXISTS (SELECT 1 FROM json_each(NEW.nominee_ids) WHERE type <> 'integer' OR value NOT BETWEEN 1 AND 9007199254740991)
BEGIN
  SELECT RAISE(ABORT, 'nominee_ids holds ids only');
END;
CREATE TRIGGER honors_nominees_update BEFORE UPDATE ON honors
WHEN EXISTS (SELECT 1 FROM json_each(NEW.nominee_ids) WHERE type <> 'integer' OR value NOT BETWEEN 1 AND 9007199254740991)
BEGIN
  SELECT RAISE(ABORT, 'nominee_ids holds ids only');
END;
CREATE TRIGGER nominations_moved AFTER UPDATE OF ceremony_id, category_id ON nominations
WHEN NEW.entry IS OLD.entry AND NEW.entry IS NOT NULL
  AND (NEW.ceremony_id <> OLD.ceremony_id OR NEW.category_id <> OLD.category_id)
BEGIN
  UPDATE nominations SET entry = NULL WHERE id = NEW.id;
END;
CREATE TRIGGER given_inserted AFTER INSERT ON given WHEN NEW.retrieved_at IS NOT NULL BEGIN
  INSERT INTO changes (resource, record_id) VALUES (NEW.resource, NEW.record_id);
END;
CREATE TRIGGER given_updated AFTER UPDATE OF fields ON given WHEN NEW.retrieved_at IS NOT NULL AND NEW.fields <> OLD.fields BEGIN
  INSERT INTO changes (resource, record_id) VALUES (NEW.resource, NEW.record_id);
END;
CREATE TRIGGER given_deleted AFTER DELETE ON given WHEN OLD.retrieved_at IS NOT NULL BEGIN
  INSERT INTO changes (resource, record_id) VALUES (OLD.resource, OLD.record_id);
END;
CREATE TRIGGER nominations_inserted AFTER INSERT ON nominations BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominations', NEW.id);
END;
CREATE TRIGGER nominations_deleted AFTER DELETE ON nominations BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominations', OLD.id);
END;
CREATE TRIGGER nominations_updated AFTER UPDATE ON nominations BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominations', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'nominations', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER nominations_forgotten AFTER DELETE ON nominations BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'nominations' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'nominations' AND record_id = OLD.id;
END;
CREATE TRIGGER nominations_renumbered AFTER UPDATE ON nominations WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'nominations' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'nominations' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'nominations' AND seq < NEW.id;
END;
CREATE TRIGGER ceremonies_inserted AFTER INSERT ON ceremonies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('ceremonies', NEW.id);
END;
CREATE TRIGGER ceremonies_deleted AFTER DELETE ON ceremonies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('ceremonies', OLD.id);
END;
CREATE TRIGGER ceremonies_updated AFTER UPDATE ON ceremonies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('ceremonies', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'ceremonies', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER ceremonies_forgotten AFTER DELETE ON ceremonies BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'ceremonies' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'ceremonies' AND record_id = OLD.id;
END;
CREATE TRIGGER ceremonies_renumbered AFTER UPDATE ON ceremonies WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'ceremonies' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'ceremonies' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'ceremonies' AND seq < NEW.id;
END;
CREATE TRIGGER categories_inserted AFTER INSERT ON categories BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('categories', NEW.id);
END;
CREATE TRIGGER categories_deleted AFTER DELETE ON categories BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('categories', OLD.id);
END;
CREATE TRIGGER categories_updated AFTER UPDATE ON categories BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('categories', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'categories', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER categories_forgotten AFTER DELETE ON categories BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'categories' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'categories' AND record_id = OLD.id;
END;
CREATE TRIGGER categories_renumbered AFTER UPDATE ON categories WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'categories' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'categories' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'categories' AND seq < NEW.id;
END;
CREATE TRIGGER movies_inserted AFTER INSERT ON movies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('movies', NEW.id);
END;
CREATE TRIGGER movies_deleted AFTER DELETE ON movies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('movies', OLD.id);
END;
CREATE TRIGGER movies_updated AFTER UPDATE ON movies BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('movies', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'movies', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER movies_forgotten AFTER DELETE ON movies BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'movies' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'movies' AND record_id = OLD.id;
END;
CREATE TRIGGER movies_renumbered AFTER UPDATE ON movies WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'movies' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'movies' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'movies' AND seq < NEW.id;
END;
CREATE TRIGGER nominees_inserted AFTER INSERT ON nominees BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominees', NEW.id);
END;
CREATE TRIGGER nominees_deleted AFTER DELETE ON nominees BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominees', OLD.id);
END;
CREATE TRIGGER nominees_updated AFTER UPDATE ON nominees BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('nominees', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'nominees', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER nominees_forgotten AFTER DELETE ON nominees BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'nominees' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'nominees' AND record_id = OLD.id;
END;
CREATE TRIGGER nominees_renumbered AFTER UPDATE ON nominees WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'nominees' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'nominees' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'nominees' AND seq < NEW.id;
END;
CREATE TRIGGER songs_inserted AFTER INSERT ON songs BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('songs', NEW.id);
END;
CREATE TRIGGER songs_deleted AFTER DELETE ON songs BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('songs', OLD.id);
END;
CREATE TRIGGER songs_updated AFTER UPDATE ON songs BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('songs', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'songs', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER songs_forgotten AFTER DELETE ON songs BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'songs' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'songs' AND record_id = OLD.id;
END;
CREATE TRIGGER songs_renumbered AFTER UPDATE ON songs WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'songs' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'songs' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'songs' AND seq < NEW.id;
END;
CREATE TRIGGER honors_inserted AFTER INSERT ON honors BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('honors', NEW.id);
END;
CREATE TRIGGER honors_deleted AFTER DELETE ON honors BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('honors', OLD.id);
END;
CREATE TRIGGER honors_updated AFTER UPDATE ON honors BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('honors', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT 'honors', OLD.id WHERE OLD.id <> NEW.id;
END;
CREATE TRIGGER honors_forgotten AFTER DELETE ON honors BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = 'honors' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = 'honors' AND record_id = OLD.id;
END;
CREATE TRIGGER honors_renumbered AFTER UPDATE ON honors WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = 'honors' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = 'honors' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'honors' AND seq < NEW.id;
END;
PRAGMA user_version = 14;
