-- The id of the database, which copies keep. See lineage() in data/changes.ts.
CREATE TABLE lineage (
  id TEXT NOT NULL
) STRICT;

INSERT INTO lineage (id) VALUES (lower(hex(randomblob(8))));
