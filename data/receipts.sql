-- Smaller receipts, and a CHECK that SQLite 3.40 takes as well: there json_valid(NULL) is 0, in later versions it is NULL.

ALTER TABLE receipts RENAME TO old_receipts;
ALTER TABLE rebuilds RENAME TO old_rebuilds;
DROP INDEX receipts_not_built;

-- One receipt per accepted write: the changed fields before it (NULL for a new record) and after it, as a list shows them.
-- `revision` is the last entry of the write in the change log. `snapshot` is the first snapshot that holds the write and
-- `rebuild_id` is its build: both are NULL until then.
CREATE TABLE receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  key_name TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('create', 'update')),
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  before TEXT CHECK ((before IS NULL) = (action = 'create') AND (before IS NULL OR json_valid(before))),
  after TEXT NOT NULL CHECK (json_valid(after)),
  revision INTEGER NOT NULL,
  snapshot TEXT CHECK ((snapshot IS NULL) = (rebuild_id IS NULL)),
  rebuild_id INTEGER
) STRICT;

-- The latest builds that include writes, each with its changes of files: an array of objects with `path`, `action` and
-- `cause`. Those of earlier builds are deleted, see completeReceipts() in data/receipts.ts: their files are gone, too.
CREATE TABLE rebuilds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  files TEXT NOT NULL CHECK (json_valid(files))
) STRICT;

INSERT INTO receipts
SELECT old_receipts.id, at, key_name, action, resource, record_id, before, after, revision, snapshot, rebuild_id
FROM old_receipts LEFT JOIN old_rebuilds ON old_rebuilds.id = rebuild_id;
INSERT INTO rebuilds
SELECT id, files FROM old_rebuilds WHERE id > (SELECT max(id) - 100 FROM old_rebuilds);

-- No id is given again, even if its row was deleted.
DELETE FROM sqlite_sequence WHERE name IN ('receipts', 'rebuilds');
INSERT INTO sqlite_sequence (name, seq)
SELECT substr(name, 5), seq FROM sqlite_sequence WHERE name IN ('old_receipts', 'old_rebuilds');

DROP TABLE old_receipts;
DROP TABLE old_rebuilds;
CREATE INDEX receipts_not_built ON receipts (revision) WHERE rebuild_id IS NULL;
