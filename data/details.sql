-- Details of nominations, honors, and what an import needs to follow corrections of its source.

-- The row of the source that the nomination was made from, counted within ceremony and category; NULL if an editor made it.
-- What the press counts as one nomination is one entry, see api/contract/entries.ts.
ALTER TABLE nominations ADD COLUMN entry INTEGER CHECK (entry BETWEEN 1 AND 9007199254740991);
ALTER TABLE nominations ADD COLUMN character TEXT CHECK (character <> '' AND instr(character, char(0)) = 0);
ALTER TABLE nominations ADD COLUMN note TEXT CHECK (note <> '' AND instr(note, char(0)) = 0);
ALTER TABLE nominations ADD COLUMN official INTEGER NOT NULL DEFAULT 1 CHECK (official IN (0, 1));
ALTER TABLE nominations ADD COLUMN historical_category TEXT CHECK (historical_category <> '' AND instr(historical_category, char(0)) = 0);

-- The number of an entry has a meaning in its ceremony and category only.
CREATE TRIGGER nominations_moved AFTER UPDATE OF ceremony_id, category_id ON nominations
WHEN NEW.entry IS OLD.entry AND NEW.entry IS NOT NULL
  AND (NEW.ceremony_id <> OLD.ceremony_id OR NEW.category_id <> OLD.category_id)
BEGIN
  UPDATE nominations SET entry = NULL WHERE id = NEW.id;
END;

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

CREATE INDEX honors_by_identity ON honors (ceremony_id, category);
CREATE INDEX honors_by_movie ON honors (movie_id) WHERE movie_id IS NOT NULL;

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

-- Whether an import added the record (1) or found it (0). Only what an import added can be retired by a later one.
ALTER TABLE imported ADD COLUMN added INTEGER NOT NULL DEFAULT 1 CHECK (added IN (0, 1));

-- A receipt can be of a deleted record: then it has no `after`.
ALTER TABLE receipts RENAME TO old_receipts;
DROP INDEX receipts_not_built;
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
  rebuild_id INTEGER
) STRICT;
INSERT INTO receipts SELECT * FROM old_receipts;
-- No id is given again, even if its row was deleted.
DELETE FROM sqlite_sequence WHERE name = 'receipts';
INSERT INTO sqlite_sequence (name, seq) SELECT 'receipts', seq FROM sqlite_sequence WHERE name = 'old_receipts';
DROP TABLE old_receipts;
CREATE INDEX receipts_not_built ON receipts (revision) WHERE rebuild_id IS NULL;
