-- What imports gave of deleted records, values that editors replaced, and the last import.

-- The fields that do not follow an import, each with the value that the record had from an import last. A
-- JSON object.
ALTER TABLE given ADD COLUMN replaced TEXT NOT NULL DEFAULT '{}'
  CHECK (json_valid(replaced) AND json_type(replaced) = 'object');

-- What imports gave of records that somebody deleted, from `given` by a trigger: a later import does not add
-- them again. The undo of a deletion moves the row back. What an import removes itself leaves no row. A
-- record_id below 0 stands for an id that another record got: it is the negative id of the row.
CREATE TABLE deleted (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  fields TEXT NOT NULL CHECK (json_valid(fields) AND json_type(fields) = 'object'),
  replaced TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(replaced) AND json_type(replaced) = 'object'),
  added INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1))
) STRICT;
CREATE INDEX deleted_by_record ON deleted (resource, record_id);

-- One row after the first import: the file or address that was imported last, the SHA-256 of its bytes and of
-- the program, and the number of the last change afterwards. As long as all are the same, the source is not
-- read again.
CREATE TABLE imported (
  source TEXT NOT NULL,
  digest TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

-- Receipts know what editors deleted before, and did not undo. A record whose first receipt is not that of
-- its creation came from an import. The last deletion has the identity that counts.
INSERT INTO deleted (resource, record_id, fields, added)
SELECT resource, record_id,
  CASE resource
    WHEN 'nominations' THEN json_object('ceremony_id', before ->> 'ceremony_id', 'category_id', before ->> 'category_id',
      'movie_id', before ->> 'movie_id', 'nominee_id', before ->> 'nominee_id', 'song_id', before ->> 'song_id')
    WHEN 'movies' THEN json_object('title', before ->> 'title', 'filmindex_id', before ->> 'filmindex_id')
    WHEN 'nominees' THEN json_object('name', before ->> 'name', 'filmindex_id', before ->> 'filmindex_id')
    WHEN 'songs' THEN json_object('original_title', before ->> 'original_title')
    ELSE json_object('ceremony_year', before ->> 'ceremony_year', 'show_title', before ->> 'show_title')
  END, 1
FROM receipts AS deletion
WHERE action = 'delete' AND key_name <> 'import'
  AND resource IN ('nominations', 'movies', 'nominees', 'songs', 'ceremonies')
  AND id = (SELECT max(id) FROM receipts WHERE resource = deletion.resource AND record_id = deletion.record_id)
  AND 'create' <> (
    SELECT action FROM receipts WHERE resource = deletion.resource AND record_id = deletion.record_id ORDER BY id LIMIT 1
  )
ORDER BY id;
