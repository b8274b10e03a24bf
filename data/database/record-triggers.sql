-- The triggers of every table of the record: $table stands for its name. A change needs a migration, see
-- migrations.ts.

-- The change log names a record under its old and its new id.
CREATE TRIGGER $table_inserted AFTER INSERT ON $table BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('$table', NEW.id);
END;
CREATE TRIGGER $table_deleted AFTER DELETE ON $table BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('$table', OLD.id);
END;
CREATE TRIGGER $table_updated AFTER UPDATE ON $table BEGIN
  INSERT INTO changes (resource, record_id) VALUES ('$table', NEW.id);
  INSERT INTO changes (resource, record_id) SELECT '$table', OLD.id WHERE OLD.id <> NEW.id;
END;

-- What sources gave is deleted and renumbered with its record; that of imports stays known as deleted. An id
-- set by UPDATE counts as assigned.
CREATE TRIGGER $table_forgotten AFTER DELETE ON $table BEGIN
  INSERT INTO deleted (resource, record_id, fields, replaced, added)
    SELECT resource, record_id, fields, replaced, added FROM given
    WHERE resource = '$table' AND record_id = OLD.id AND source = 'import';
  DELETE FROM given WHERE resource = '$table' AND record_id = OLD.id;
END;
CREATE TRIGGER $table_renumbered AFTER UPDATE ON $table WHEN OLD.id <> NEW.id BEGIN
  DELETE FROM given WHERE resource = '$table' AND record_id = NEW.id;
  UPDATE given SET record_id = NEW.id WHERE resource = '$table' AND record_id = OLD.id;
  UPDATE sqlite_sequence SET seq = NEW.id WHERE name = '$table' AND seq < NEW.id;
END;
