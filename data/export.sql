-- The public tables of the database to download. Arrays are JSON texts, booleans 0 or 1, dates YYYY-MM-DD.

CREATE TABLE ceremonies (
  id INTEGER PRIMARY KEY,
  ceremony_year INTEGER NOT NULL,
  date TEXT,
  show_title TEXT,
  venue TEXT,
  overview TEXT,
  movies_eligible TEXT,
  wikiurl TEXT,
  moment_1_caption TEXT,
  moment_2_caption TEXT,
  moment_3_caption TEXT,
  moment_1_img_url TEXT,
  moment_2_img_url TEXT,
  moment_3_img_url TEXT
) STRICT;

CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  category_name TEXT NOT NULL,
  category_group TEXT,
  definition TEXT,
  era TEXT,
  history TEXT
) STRICT;

CREATE TABLE movies (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  tagline TEXT,
  overview TEXT,
  release_date TEXT,
  runtime INTEGER, -- minutes
  genres TEXT NOT NULL, -- JSON array
  origin_country TEXT NOT NULL, -- JSON array
  moviedb_id INTEGER,
  filmindex_id TEXT,
  poster_path TEXT,
  backdrop_path TEXT
) STRICT;

CREATE TABLE nominees (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  biography TEXT,
  birthday TEXT,
  deathday TEXT,
  place_of_birth TEXT,
  known_for_department TEXT,
  homepage TEXT,
  moviedb_person_id INTEGER,
  filmindex_id TEXT,
  profile_path TEXT
) STRICT;

CREATE TABLE songs (
  id INTEGER PRIMARY KEY,
  original_title TEXT NOT NULL,
  artist_names TEXT,
  streaming_id TEXT,
  streaming_url TEXT,
  streaming_track_name TEXT,
  streaming_album_name TEXT,
  streaming_year INTEGER
) STRICT;

CREATE TABLE nominations (
  id INTEGER PRIMARY KEY,
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  category_id INTEGER NOT NULL REFERENCES categories (id),
  movie_id INTEGER NOT NULL REFERENCES movies (id),
  nominee_id INTEGER NOT NULL REFERENCES nominees (id),
  song_id INTEGER REFERENCES songs (id),
  winner INTEGER NOT NULL CHECK (winner IN (0, 1))
) STRICT;

-- Nominations of one ceremony and category with the same entry count as one. An entry is NULL if it is not known.
CREATE TABLE details (
  nomination_id INTEGER PRIMARY KEY REFERENCES nominations (id),
  entry INTEGER,
  character TEXT,
  note TEXT,
  official INTEGER NOT NULL CHECK (official IN (0, 1)),
  historical_category TEXT
) STRICT;

-- Honorary, scientific and technical awards.
CREATE TABLE honors (
  id INTEGER PRIMARY KEY,
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  class TEXT NOT NULL CHECK (class IN ('SciTech', 'Special')),
  category TEXT NOT NULL,
  movie_id INTEGER REFERENCES movies (id),
  recipients TEXT,
  nominee_ids TEXT NOT NULL, -- JSON array
  citation TEXT
) STRICT;

CREATE VIEW nominations_listed AS
SELECT
  nominations.id,
  ceremony_id,
  ceremony_year,
  category_id,
  category_name AS category,
  movie_id,
  title AS movie,
  nominee_id,
  name AS nominee,
  song_id,
  original_title AS song_title,
  song_id IS NOT NULL AS is_song,
  winner
FROM nominations
JOIN ceremonies ON ceremonies.id = ceremony_id
JOIN categories ON categories.id = category_id
JOIN movies ON movies.id = movie_id
JOIN nominees ON nominees.id = nominee_id
LEFT JOIN songs ON songs.id = song_id;
