-- Who may write, and what became of each write. Nothing here shows in the snapshot, so nothing here is in the change log.
-- Times are ISO 8601 in UTC with milliseconds, so that they sort as text.

-- A key is shown once, when it is made; what is kept of it is its SHA-256. A revoked key stays, so that its name, which
-- receipts bear, never comes to mean another.
CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
) STRICT;

-- The finished builds that brought writes to a folder, each with what it did to the files: an array of objects with
-- `path`, `action` and `cause`.
CREATE TABLE rebuilds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  snapshot TEXT NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files))
) STRICT;

-- One receipt for each accepted write: the record before (NULL for a new one) and after it, as a list shows it.
-- `revision` is the last entry in the change log that belongs to the write; `rebuild_id` is NULL until a build holds that
-- entry. Receipts outlive the change log, which is cut behind the builds.
CREATE TABLE receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  key_name TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('create', 'update')),
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  before TEXT CHECK (json_valid(before) AND (before IS NULL) = (action = 'create')),
  after TEXT NOT NULL CHECK (json_valid(after)),
  revision INTEGER NOT NULL,
  rebuild_id INTEGER REFERENCES rebuilds (id)
) STRICT;

CREATE INDEX receipts_not_built ON receipts (revision) WHERE rebuild_id IS NULL;
