-- Which record a database holds, whatever it is called and wherever it is copied to: made once, it goes with every copy. Two
-- revisions can be compared only within one lineage; see dat./changes.ts.
CREATE TABLE lineage (
  id TEXT NOT NULL
) STRICT;

INSERT INTO lineage (id) VALUES (lower(hex(randomblob(8))));
