-- Where enrichment took the value of a field from: the source, the id of the record there, and the terms. `restricted` is 1 for a
-- value that may not be passed on. `edited` is 1 if the field was changed since, by an editor or another program: then the row
-- says nothing about the value, and only keeps the same source from filling the field again.
CREATE TABLE provenance (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  licence TEXT NOT NULL,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  retrieved_at TEXT NOT NULL,
  edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1)),
  PRIMARY KEY (resource, record_id, field)
) STRICT, WITHOUT ROWID;

-- Restricted fields are part of the snapshot, so they are in the change log.
CREATE TRIGGER provenance_inserted AFTER INSERT ON provenance WHEN NEW.restricted BEGIN
  INSERT INTO changes (resource, record_id) VALUES (NEW.resource, NEW.record_id);
END;
CREATE TRIGGER provenance_deleted AFTER DELETE ON provenance WHEN OLD.restricted BEGIN
  INSERT INTO changes (resource, record_id) VALUES (OLD.resource, OLD.record_id);
END;
CREATE TRIGGER provenance_updated AFTER UPDATE OF resource, record_id, field, source, restricted, edited ON provenance
WHEN OLD.restricted OR NEW.restricted BEGIN
  INSERT INTO changes (resource, record_id) VALUES (OLD.resource, OLD.record_id), (NEW.resource, NEW.record_id);
END;

-- Enrichment writes a value before its provenance, so that these triggers see its own changes as well.

CREATE TRIGGER movies_provenance_deleted AFTER DELETE ON movies BEGIN
  DELETE FROM provenance WHERE resource = 'movies' AND record_id = OLD.id;
END;
CREATE TRIGGER movies_provenance_updated AFTER UPDATE ON movies BEGIN
  UPDATE provenance SET edited = 1 WHERE resource = 'movies' AND record_id = OLD.id AND NOT edited AND CASE field
    WHEN 'tagline' THEN OLD.tagline IS NOT NEW.tagline
    WHEN 'overview' THEN OLD.overview IS NOT NEW.overview
    WHEN 'release_date' THEN OLD.release_date IS NOT NEW.release_date
    WHEN 'runtime' THEN OLD.runtime IS NOT NEW.runtime
    WHEN 'genres' THEN OLD.genres IS NOT NEW.genres
    WHEN 'origin_country' THEN OLD.origin_country IS NOT NEW.origin_country
    WHEN 'moviedb_id' THEN OLD.moviedb_id IS NOT NEW.moviedb_id
    WHEN 'poster_path' THEN OLD.poster_path IS NOT NEW.poster_path
    WHEN 'backdrop_path' THEN OLD.backdrop_path IS NOT NEW.backdrop_path
  END;
  DELETE FROM provenance WHERE resource = 'movies' AND record_id = NEW.id AND OLD.id <> NEW.id;
  UPDATE provenance SET record_id = NEW.id WHERE resource = 'movies' AND record_id = OLD.id AND OLD.id <> NEW.id;
END;

CREATE TRIGGER nominees_provenance_deleted AFTER DELETE ON nominees BEGIN
  DELETE FROM provenance WHERE resource = 'nominees' AND record_id = OLD.id;
END;
CREATE TRIGGER nominees_provenance_updated AFTER UPDATE ON nominees BEGIN
  UPDATE provenance SET edited = 1 WHERE resource = 'nominees' AND record_id = OLD.id AND NOT edited AND CASE field
    WHEN 'biography' THEN OLD.biography IS NOT NEW.biography
    WHEN 'birthday' THEN OLD.birthday IS NOT NEW.birthday
    WHEN 'deathday' THEN OLD.deathday IS NOT NEW.deathday
    WHEN 'place_of_birth' THEN OLD.place_of_birth IS NOT NEW.place_of_birth
    WHEN 'known_for_department' THEN OLD.known_for_department IS NOT NEW.known_for_department
    WHEN 'homepage' THEN OLD.homepage IS NOT NEW.homepage
    WHEN 'moviedb_person_id' THEN OLD.moviedb_person_id IS NOT NEW.moviedb_person_id
    WHEN 'profile_path' THEN OLD.profile_path IS NOT NEW.profile_path
  END;
  DELETE FROM provenance WHERE resource = 'nominees' AND record_id = NEW.id AND OLD.id <> NEW.id;
  UPDATE provenance SET record_id = NEW.id WHERE resource = 'nominees' AND record_id = OLD.id AND OLD.id <> NEW.id;
END;
