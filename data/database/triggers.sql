-- The triggers of single tables. A change needs a migration, see migrations.ts.

-- A CHECK cannot look into an array, a trigger can: genres, origin_country and other_names hold non-empty strings,
-- nominee_ids ids.

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

-- The number of an entry has a meaning in its ceremony and category only.
CREATE TRIGGER nominations_moved AFTER UPDATE OF ceremony_id, category_id ON nominations
WHEN NEW.entry IS OLD.entry AND NEW.entry IS NOT NULL
  AND (NEW.ceremony_id <> OLD.ceremony_id OR NEW.category_id <> OLD.category_id)
BEGIN
  UPDATE nominations SET entry = NULL WHERE id = NEW.id;
END;

-- Which values may not be passed on is part of the snapshot. Sources with such terms retrieve values at a known time.
CREATE TRIGGER given_inserted AFTER INSERT ON given WHEN NEW.retrieved_at IS NOT NULL BEGIN
  INSERT INTO changes (resource, record_id) VALUES (NEW.resource, NEW.record_id);
END;
CREATE TRIGGER given_updated AFTER UPDATE OF fields ON given WHEN NEW.retrieved_at IS NOT NULL AND NEW.fields <> OLD.fields BEGIN
  INSERT INTO changes (resource, record_id) VALUES (NEW.resource, NEW.record_id);
END;
CREATE TRIGGER given_deleted AFTER DELETE ON given WHEN OLD.retrieved_at IS NOT NULL BEGIN
  INSERT INTO changes (resource, record_id) VALUES (OLD.resource, OLD.record_id);
END;
