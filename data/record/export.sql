-- The tables with references, of the database to download. export.ts makes the other tables from the schemas of the resources.
-- Arrays are JSON texts, booleans 0 or 1, dates YYYY-MM-DD.

-- Where the record comes from, and under which licences. Name the sources where you use it.
CREATE TABLE about (
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  gives TEXT NOT NULL,
  licence TEXT,
  holder TEXT,
  address TEXT
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
  historical_category TEXT,
  credited_as TEXT
) STRICT;

-- Honorary, scientific and technical awards, and competitive ones that name no film or nobody.
CREATE TABLE honors (
  id INTEGER PRIMARY KEY,
  ceremony_id INTEGER NOT NULL REFERENCES ceremonies (id),
  class TEXT NOT NULL CHECK (class IN ('SciTech', 'Special', 'Competitive')),
  winner INTEGER NOT NULL CHECK (winner IN (0, 1)),
  category_id INTEGER REFERENCES categories (id),
  category TEXT NOT NULL,
  movie_id INTEGER REFERENCES movies (id),
  recipients TEXT,
  nominee_ids TEXT NOT NULL, -- JSON array
  citation TEXT,
  note TEXT
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
