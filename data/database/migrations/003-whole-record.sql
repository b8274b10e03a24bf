-- What was left out of the record: competitive awards that are no nominations, outcomes and notes of honors, and
-- the years of the films of a ceremony. The next import fills them.

-- The film years as the source writes them, such as 2020 or 1927/28. NULL: the year before that of the ceremony.
ALTER TABLE ceremonies ADD COLUMN film_years TEXT CHECK (
  (film_years GLOB '[0-9][0-9][0-9][0-9]' OR film_years GLOB '[0-9][0-9][0-9][0-9]/[0-9][0-9]')
  AND film_years NOT GLOB '0000*' AND instr(film_years, char(0)) = 0
);

-- Honorary, scientific and technical awards, and competitive ones that name no film or nobody. They are for no
-- nomination. `category` is the name of the award at the time; `category_id` is its category, if it has one.
-- `nominee_ids` is a JSON array.
CREATE TABLE new_honors (
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
INSERT INTO new_honors (id, ceremony_id, class, category, movie_id, recipients, nominee_ids, citation)
SELECT id, ceremony_id, class, category, movie_id, recipients, nominee_ids, citation FROM honors;
DROP TABLE honors;
ALTER TABLE new_honors RENAME TO honors;
CREATE INDEX honors_by_identity ON honors (ceremony_id, category);
CREATE INDEX honors_by_movie ON honors (movie_id) WHERE movie_id IS NOT NULL;
CREATE INDEX honors_by_category ON honors (category_id) WHERE category_id IS NOT NULL;

-- Imports gave each honor as won.
UPDATE given SET fields = json_set(fields, '$.winner', 1) WHERE resource = 'honors' AND source = 'import';
UPDATE deleted SET fields = json_set(fields, '$.winner', 1) WHERE resource = 'honors';
