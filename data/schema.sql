-- The record: six tables. References are stored once; the derived fields of a nomination (ceremony_year, category, movie,
-- nominee, song_title, is_song) are not stored.
-- The constraints repeat the rules of api/contract/resources.ts for all other writers, such as the sqlite3 shell, except the
-- rules of writes (maximum lengths, addresses of websites): a stored value may break them.
-- A CHECK whose result is NULL passes, so each CHECK results in 0 for a forbidden value and in NULL for NULL only.
-- AUTOINCREMENT never gives an id again, so that an address never means another record.

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

-- The change log: the changed records, in order. Triggers fill it, so it includes changes of other programs. It has no values:
-- the old values are in the last snapshot, the new ones in the tables. `seq` only grows.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL
) STRICT;

-- The last build into each output folder, see data/builds.ts.
CREATE TABLE builds (
  out TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;

-- The values that imports last read, by record and field. A later import changes only fields whose value in the source changed,
-- so that the changes of editors stay. See data/import/merge.ts.
CREATE TABLE imported (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  PRIMARY KEY (resource, record_id)
) STRICT, WITHOUT ROWID;

-- One row while the record is the sample of the project: the number of the last change of its fill. See data/sample/state.ts.
CREATE TABLE sample (
  revision INTEGER NOT NULL
) STRICT;
