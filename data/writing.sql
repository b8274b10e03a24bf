-- Keys and receipts. They are not part of the snapshot, so they are not in the change log.
-- Times are ISO 8601 in UTC with milliseconds: they sort as text.

-- Only the SHA-256 of a key is stored. A revoked key stays, because receipts refer to its name.
CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
) STRICT;

-- The finished builds that include writes, each with its changes of files: an array of objects with `path`, `action` and
-- `cause`.
CREATE TABLE rebuilds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  snapshot TEXT NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files))
) STRICT;

-- One receipt per accepted write: the record before (NULL for a new one) and after it, as a list shows it.
-- `revision` is the last entry of the write in the change log; `rebuild_id` is NULL until a build includes that entry.
-- The entries of the change log are deleted after the builds, receipts stay.
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
