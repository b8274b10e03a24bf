-- The tables and indexes of the first release. This file stays as it is: a change of the schema is another migration, see
-- migrations.ts. The triggers are in triggers.sql and record-triggers.sql.

-- The record: seven tables. References are stored once; the derived fields of a nomination (ceremony_year, category, movie,
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

-- Honorary, scientific and technical awards. They are for no nomination. `nominee_ids` is a JSON array.
CREATE TABLE honors (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  class TEXT NOT NULL CHECK (class IN ('SciTech', 'Special')),
  category TEXT NOT NULL CHECK (category <> '' AND instr(category, char(0)) = 0),
  movie_id INTEGER REFERENCES movies (id),
  recipients TEXT CHECK (recipients <> '' AND instr(recipients, char(0)) = 0),
  nominee_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(nominee_ids) AND json_type(nominee_ids) = 'array' AND instr(nominee_ids, char(0)) = 0),
  citation TEXT CHECK (citation <> '' AND instr(citation, char(0)) = 0)
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
CREATE INDEX honors_by_identity ON honors (ceremony_id, category);
CREATE INDEX honors_by_movie ON honors (movie_id) WHERE movie_id IS NOT NULL;

-- What sources gave last: a row for each record and source, see given.ts. `fields` is a JSON object, field -> value as its column
-- holds it. `added` is 1 if the source added the record, 0 if it found it. `retrieved_at` is the time of the oldest value.
CREATE TABLE given (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  source_id TEXT,
  retrieved_at TEXT,
  fields TEXT NOT NULL CHECK (json_valid(fields) AND json_type(fields) = 'object'),
  added INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1)),
  PRIMARY KEY (resource, record_id, source)
) STRICT, WITHOUT ROWID;

-- The change log: the changed records, in order. Triggers fill it, so it includes changes of other programs. It has no values:
-- the old values are in the last snapshot, the new ones in the tables. `seq` only grows. Builds delete what no folder needs.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL
) STRICT;

-- The last build into each output folder, see changes.ts.
CREATE TABLE builds (
  out TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;

-- The id of the database, which copies keep. See lineage() in changes.ts.
CREATE TABLE lineage (
  id TEXT NOT NULL
) STRICT;
INSERT INTO lineage (id) VALUES (lower(hex(randomblob(8))));

-- One row while the record is the sample of the project: the number of the last change of its fill. See sample/sample.ts.
CREATE TABLE sample (
  revision INTEGER NOT NULL
) STRICT;

-- Keys and receipts. They are not part of the snapshot, so they are not in the change log.
-- Times are ISO 8601 in UTC with milliseconds: they sort as text.

-- Only the SHA-256 of a key is stored. A revoked key stays, because receipts refer to its name.
CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
) STRICT;

-- The finished builds that include writes, each with its changes of files: an array of objects with `path`, `action` and
-- `cause`.
CREATE TABLE rebuilds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  files TEXT NOT NULL CHECK (json_valid(files))
) STRICT;

-- One receipt per accepted write: the record before (NULL for a new one) and after it (NULL for a deleted one), as a list shows
-- it. `revision` is the last entry of the write in the change log; `rebuild_id` is NULL until a build includes that entry.
-- The writes of one batch are one group: its number is the id of its first receipt, NULL for a single write.
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
) STRICT;
CREATE INDEX receipts_not_built ON receipts (revision) WHERE rebuild_id IS NULL;
CREATE INDEX receipts_of_group ON receipts (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX receipts_of_record ON receipts (resource, record_id);
CREATE INDEX receipts_of_key ON receipts (key_name);
