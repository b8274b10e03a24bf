-- Original titles and other titles of films, other names of people and companies, as JSON arrays: the search of the
-- site finds records by them.
ALTER TABLE movies ADD COLUMN other_names TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(other_names) AND json_type(other_names) = 'array' AND instr(other_names, char(0)) = 0 AND instr(other_names, '\u0000') = 0);
ALTER TABLE nominees ADD COLUMN other_names TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(other_names) AND json_type(other_names) = 'array' AND instr(other_names, char(0)) = 0 AND instr(other_names, '\u0000') = 0);
