-- The record. Truth lives in these six tables: references are stored once, and everything the interface shows
-- denormalised (ceremony_year, category, movie, nominee, song_title, is_song of a nomination) is derived on reading.
-- The constraints repeat the rules of api/contract/resources.ts, so that a change by any other tool is held to them too.
-- A CHECK that comes to NULL passes, so each is written to come to 0 for every value it forbids, and to NULL for null alone.
-- Ids are AUTOINCREMENT, so that none is handed out again: an address never comes to mean another record.

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
) STRICT;

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
) STRICT;

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
) STRICT;

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
  winner INTEGER NOT NULL DEFAULT 0 CHECK (winner IN (0, 1))
) STRICT;

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

-- Arrays hold non-empty strings only; a CHECK cannot look into an array, a trigger can.

CREATE TRIGGER movies_arrays_insert BEFORE INSERT ON movies
WHEN EXISTS (SELECT 1 FROM json_each(NEW.genres) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.origin_country) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'genres and origin_country hold non-empty strings only');
END;

CREATE TRIGGER movies_arrays_update BEFORE UPDATE ON movies
WHEN EXISTS (SELECT 1 FROM json_each(NEW.genres) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
  OR EXISTS (SELECT 1 FROM json_each(NEW.origin_country) WHERE type <> 'text' OR value = '' OR instr(value, char(0)) > 0)
BEGIN
  SELECT RAISE(ABORT, 'genres and origin_country hold non-empty strings only');
END;

-- The change log: which records changed, in order. Triggers fill it, so that a change counts whoever makes it. It names
-- records, not values: what was is in the last snapshot, what is now is in the tables. `seq` only ever grows.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL
) STRICT;

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

-- What each output folder was last built from; see data/builds.ts.
CREATE TABLE builds (
  out TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;

-- What imports last read of a record, field by field; null where the source names the record without that field. A later
-- import changes only what its source changed, so that an editor's correction survives it. See data/import/record-merge.ts.
CREATE TABLE imported (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  PRIMARY KEY (resource, record_id)
) STRICT, WITHOUT ROWID;

-- It goes with its record: deleted with it, moved with its id. An id given by UPDATE counts as handed out too.

CREATE TRIGGER nominations_forgotten AFTER DELETE ON nominations BEGIN
  DELETE FROM imported WHERE resource = 'nominations' AND record_id = OLD.id;
END;
CREATE TRIGGER nominations_renumbered AFTER UPDATE ON nominations WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'nominations' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'nominations' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'nominations' AND seq < NEW.id;
END;

CREATE TRIGGER ceremonies_forgotten AFTER DELETE ON ceremonies BEGIN
  DELETE FROM imported WHERE resource = 'ceremonies' AND record_id = OLD.id;
END;
CREATE TRIGGER ceremonies_renumbered AFTER UPDATE ON ceremonies WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'ceremonies' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'ceremonies' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'ceremonies' AND seq < NEW.id;
END;

CREATE TRIGGER categories_forgotten AFTER DELETE ON categories BEGIN
  DELETE FROM imported WHERE resource = 'categories' AND record_id = OLD.id;
END;
CREATE TRIGGER categories_renumbered AFTER UPDATE ON categories WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'categories' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'categories' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'categories' AND seq < NEW.id;
END;

CREATE TRIGGER movies_forgotten AFTER DELETE ON movies BEGIN
  DELETE FROM imported WHERE resource = 'movies' AND record_id = OLD.id;
END;
CREATE TRIGGER movies_renumbered AFTER UPDATE ON movies WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'movies' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'movies' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'movies' AND seq < NEW.id;
END;

CREATE TRIGGER nominees_forgotten AFTER DELETE ON nominees BEGIN
  DELETE FROM imported WHERE resource = 'nominees' AND record_id = OLD.id;
END;
CREATE TRIGGER nominees_renumbered AFTER UPDATE ON nominees WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'nominees' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'nominees' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'nominees' AND seq < NEW.id;
END;

CREATE TRIGGER songs_forgotten AFTER DELETE ON songs BEGIN
  DELETE FROM imported WHERE resource = 'songs' AND record_id = OLD.id;
END;
CREATE TRIGGER songs_renumbered AFTER UPDATE ON songs WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM imported WHERE resource = 'songs' AND record_id = NEW.id;
  UPDATE imported SET record_id = NEW.id WHERE resource = 'songs' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = 'songs' AND seq < NEW.id;
END;
