/** A record small enough to read its whole snapshot, which is docs/snapshot-fixture.txt. */
import type { Connection } from '../../data/database/open.ts';

export function fillWithTinyRecord(connection: Connection): void {
  connection.exec(`
    INSERT INTO ceremonies (id, ceremony_year, date, show_title, venue) VALUES
      (1, 1929, '1929-05-16', '1st Gala', 'Blossom Room'),
      (2, 1930, NULL, '2nd "Gala"', NULL);
    INSERT INTO categories (id, category_name, category_group, definition) VALUES
      (1, 'Actress', 'Acting', 'Who played best.'),
      (2, 'Écriture', 'Writing', NULL),
      (3, 'Music (Original Song)', NULL, NULL);
    INSERT INTO movies (id, title, overview, release_date, runtime, genres, origin_country, filmindex_id) VALUES
      (1, 'Amélie', 'A girl, a "gnome".', '2001-04-25', 122, '["Comedy","Comédie"]', '["FR"]', 'tt0211915'),
      (2, 'It''s a "Wonderful" Life', NULL, NULL, 130, '["Drama"]', '["US"]', NULL),
      (3, '8½', NULL, NULL, NULL, '[]', '[]', NULL);
    INSERT INTO nominees (id, name, known_for_department, filmindex_id, birthday) VALUES
      (1, 'Ann O''Brien', 'Acting', 'nm0000001', '1900-02-28'),
      (2, 'Łukasz Żal', 'Camera', NULL, NULL),
      (3, 'Metro Pictures', NULL, 'co0000003', NULL),
      (4, 'José Ñandú', 'Writing', 'nm4', NULL);
    INSERT INTO songs (id, original_title, artist_names, streaming_year) VALUES
      (1, 'Que Será', 'José & Ann', 1956);
    INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, song_id, winner) VALUES
      (1, 1, 1, 1, 1, NULL, 1),
      (2, 1, 2, 2, 4, NULL, 0),
      (3, 1, 3, 2, 4, 1, 1),
      (4, 2, 1, 3, 1, NULL, 0),
      (5, 2, 2, 1, 3, NULL, 0),
      (6, 2, 2, 1, 2, NULL, 1);
  `);
}
