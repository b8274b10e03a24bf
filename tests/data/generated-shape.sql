Each query finds the records that break the promise above it. generated.test.ts runs them on a record of scale 1.

-- honors of both classes, with films and with nominees, notes and unofficial nominations are common
SELECT * FROM (SELECT count(*) FILTER (WHERE class = 'SciTech') AS scitech, count(*) FILTER (WHERE class = 'Special') AS special,
  count(movie_id) AS films, count(*) FILTER (WHERE nominee_ids <> '[]') AS nominees FROM honors),
  (SELECT count(note) AS notes, count(*) FILTER (WHERE NOT official) AS unofficial FROM nominations)
WHERE min(scitech, special, films, nominees, notes, unofficial) <= 50;

-- an unofficial nomination has a note, and every nomination a historical category
SELECT id FROM nominations WHERE (note IS NULL AND NOT official) OR historical_category IS NULL;

-- no nominee is nominated after death or before birth
SELECT n.id FROM nominations n JOIN nominees p ON p.id = nominee_id JOIN ceremonies c ON c.id = ceremony_id
WHERE deathday < c.date OR birthday > c.date OR deathday <= birthday;

-- exactly the nominations for acting have a character, exactly those for songs a song
SELECT n.id FROM nominations n JOIN categories c ON c.id = category_id
WHERE (character IS NOT NULL) <> (category_group = 'Acting')
  OR (song_id IS NOT NULL) <> (category_name = 'Music (Original Song)');

-- entries are numbered within ceremony and category
SELECT 1 FROM nominations GROUP BY ceremony_id, category_id
HAVING min(entry) <> 1 OR max(entry) <> count(DISTINCT entry);

-- an entry is for one film and song, in acting for one nominee
SELECT 1 FROM nominations JOIN categories c ON c.id = category_id GROUP BY ceremony_id, category_id, entry
HAVING count(DISTINCT movie_id) > 1 OR count(DISTINCT ifnull(song_id, 0)) > 1
  OR (category_group = 'Acting' AND count(*) > 1);

-- honors name nominees of the record
SELECT h.id FROM honors h, json_each(nominee_ids) WHERE value NOT IN (SELECT id FROM nominees);

-- only companies have no department
SELECT id FROM nominees WHERE (filmindex_id LIKE 'co%') <> (known_for_department IS NULL);

-- ids of external databases are unique
SELECT moviedb_id FROM movies GROUP BY 1 HAVING count(*) > 1
UNION ALL SELECT filmindex_id FROM movies GROUP BY 1 HAVING count(*) > 1
UNION ALL SELECT moviedb_person_id FROM nominees GROUP BY 1 HAVING count(*) > 1
UNION ALL SELECT filmindex_id FROM nominees GROUP BY 1 HAVING count(*) > 1
UNION ALL SELECT streaming_id FROM songs GROUP BY 1 HAVING count(*) > 1;

-- ids of the film index have seven digits or eight
SELECT filmindex_id FROM movies WHERE length(filmindex_id) NOT IN (9, 10)
UNION ALL SELECT filmindex_id FROM nominees WHERE length(filmindex_id) NOT IN (9, 10);

-- every film, nominee, song and category has a nomination
SELECT 'movie', id FROM movies WHERE id NOT IN (SELECT movie_id FROM nominations)
UNION ALL SELECT 'nominee', id FROM nominees WHERE id NOT IN (SELECT nominee_id FROM nominations)
UNION ALL SELECT 'song', id FROM songs WHERE id NOT IN (SELECT song_id FROM nominations WHERE song_id NOT NULL)
UNION ALL SELECT 'category', id FROM categories WHERE id NOT IN (SELECT category_id FROM nominations);

-- one film wins each category of each ceremony
SELECT 1 FROM nominations GROUP BY ceremony_id, category_id HAVING count(DISTINCT iif(winner, movie_id, NULL)) <> 1;

-- no nomination is doubled
SELECT 1 FROM nominations GROUP BY ceremony_id, category_id, movie_id, nominee_id, song_id HAVING count(*) > 1;
