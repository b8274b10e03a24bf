-- What a source says, on its way into the tables of the record: one table for each of them, on this connection only. SQLite
-- keeps them in temporary files where they are large, so that the memory of an import does not grow with its source.
-- `n` counts in order of first appearance; references are to `n`. `id` is that of the matching record, or of a new one if
-- `is_new`. The columns that are also columns of the record have their names and values. Numbers are bound as REAL, so that
-- columns of whole numbers need their type.

CREATE TEMP TABLE source_ceremonies (
  id INTEGER PRIMARY KEY,
  ceremony_year INTEGER, date, show_title, venue, overview, movies_eligible, wikiurl,
  is_new INTEGER DEFAULT 0
);

-- `n` is the id in the reference.
CREATE TEMP TABLE source_categories (
  n INTEGER PRIMARY KEY,
  category_name, category_group, definition, history, era, department,
  id INTEGER, is_new INTEGER DEFAULT 0
);

-- The key is the identity: the external id, or else the title or name. The title is that of the latest row; the name is chosen
-- from the spellings at the end, see deriveNames().
CREATE TEMP TABLE source_movies (
  n INTEGER PRIMARY KEY,
  key UNIQUE,
  title, filmindex_id, release_date, runtime INTEGER, genres, origin_country,
  id INTEGER, is_new INTEGER DEFAULT 0
);
CREATE TEMP TABLE source_nominees (
  n INTEGER PRIMARY KEY,
  key UNIQUE,
  name, filmindex_id, is_person INTEGER, known_for_department,
  id INTEGER, is_new INTEGER DEFAULT 0
);

-- The number of rows with each spelling of a nominee, and the place of the last one among all credits.
CREATE TEMP TABLE source_spellings (
  nominee INTEGER, spelling, rows INTEGER, latest INTEGER,
  PRIMARY KEY (nominee, spelling)
) WITHOUT ROWID;

CREATE TEMP TABLE source_songs (
  n INTEGER PRIMARY KEY,
  movie INTEGER, original_title, artist_names,
  id INTEGER, is_new INTEGER DEFAULT 0,
  UNIQUE (movie, original_title)
);

-- `song` is 0 for none. `titled_as` and `credited_as` are the title and the name in this row.
CREATE TEMP TABLE source_nominations (
  n INTEGER PRIMARY KEY,
  ceremony_id INTEGER, category INTEGER, movie INTEGER, nominee INTEGER, song INTEGER, titled_as, credited_as,
  winner INTEGER, entry INTEGER, character, note, official INTEGER, historical_category,
  category_id INTEGER, movie_id INTEGER, nominee_id INTEGER, song_id INTEGER,
  id INTEGER, is_new INTEGER DEFAULT 0,
  UNIQUE (ceremony_id, category, movie, nominee, song)
);

-- The key is the identity. `movie_key` and `nominee_keys` (a JSON array) are external ids.
CREATE TEMP TABLE source_honors (
  n INTEGER PRIMARY KEY,
  key UNIQUE,
  ceremony_id INTEGER, class, category, recipients, citation, movie_key, nominee_keys, movie_id INTEGER, nominee_ids,
  id INTEGER, is_new INTEGER DEFAULT 0
);

-- The records before the import: by their current values, and by those that sources gave last.

CREATE TEMP TABLE known_movies (id INTEGER PRIMARY KEY, current_key, source_key, source_id, source_name);
CREATE INDEX temp.known_movies_by_current ON known_movies (current_key);
CREATE INDEX temp.known_movies_by_source ON known_movies (source_key);
CREATE INDEX temp.known_movies_by_name ON known_movies (source_name) WHERE source_id IS NULL;

CREATE TEMP TABLE known_nominees (id INTEGER PRIMARY KEY, current_key, source_key, source_id, source_name);
CREATE INDEX temp.known_nominees_by_current ON known_nominees (current_key);
CREATE INDEX temp.known_nominees_by_source ON known_nominees (source_key);
CREATE INDEX temp.known_nominees_by_name ON known_nominees (source_name) WHERE source_id IS NULL;

CREATE TEMP TABLE known_honors (id INTEGER PRIMARY KEY, current_key, source_key);
CREATE INDEX temp.known_honors_by_current ON known_honors (current_key);
CREATE INDEX temp.known_honors_by_source ON known_honors (source_key);

CREATE TEMP TABLE known_nominations (
  id INTEGER PRIMARY KEY,
  ceremony_id INTEGER, category_id INTEGER, movie_id INTEGER, nominee_id INTEGER, song_id INTEGER,
  source_ceremony_id INTEGER, source_category_id INTEGER, source_movie_id INTEGER, source_nominee_id INTEGER, source_song_id INTEGER
);
CREATE INDEX temp.known_nominations_by_current ON known_nominations (nominee_id, movie_id);
CREATE INDEX temp.known_nominations_by_source ON known_nominations (source_nominee_id, source_movie_id);

-- The songs of each film, by each title. Rank 1: film and title are those of the source.
CREATE TEMP TABLE known_songs (movie_id INTEGER, title, rank INTEGER, nomination_id INTEGER, id INTEGER);
CREATE INDEX temp.known_songs_by_title ON known_songs (movie_id, title);
