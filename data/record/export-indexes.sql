-- Created after the tables are filled.

CREATE INDEX nominations_by_ceremony ON nominations (ceremony_id);
CREATE INDEX nominations_by_category ON nominations (category_id);
CREATE INDEX nominations_by_movie ON nominations (movie_id);
CREATE INDEX nominations_by_nominee ON nominations (nominee_id);
CREATE INDEX nominations_by_song ON nominations (song_id) WHERE song_id IS NOT NULL;
CREATE INDEX ceremonies_by_year ON ceremonies (ceremony_year);
CREATE INDEX movies_by_title ON movies (title);
CREATE INDEX movies_by_filmindex_id ON movies (filmindex_id) WHERE filmindex_id IS NOT NULL;
CREATE INDEX nominees_by_name ON nominees (name);
CREATE INDEX nominees_by_filmindex_id ON nominees (filmindex_id) WHERE filmindex_id IS NOT NULL;
