-- Where the record comes from, so that everything that is published names it.

-- One row where the record has invented records.
CREATE TABLE generated (
  revision INTEGER NOT NULL
) STRICT;

-- Whether a source gave a value.
CREATE INDEX given_by_source ON given (source);

-- An import before schema 2 noted no source. There was one to import.
INSERT INTO imported (source, digest, revision)
SELECT 'oscars.csv', '', 0
WHERE NOT EXISTS (SELECT 1 FROM imported) AND NOT EXISTS (SELECT 1 FROM sample)
  AND EXISTS (SELECT 1 FROM given WHERE source = 'import');
