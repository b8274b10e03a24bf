// Questions over the whole record in SQL, as in a notebook. Argument: the download awards.sqlite. Needs better-sqlite3;
// `sqlite3 awards.sqlite` answers the same questions.
import Database from 'better-sqlite3';

const [file] = process.argv.slice(2);
const database = new Database(file, { readonly: true });

function show(title, sql) {
  console.log(`\n${title}`);
  for (const row of database.prepare(sql).all()) console.log(Object.values(row).join(' | '));
}

show(
  'Films with the most nominations',
  `SELECT title, entries, wins FROM movies ORDER BY entries DESC, id LIMIT 3`,
);
show(
  'Nominations by decade (a row of nominations is one person: entries count shared ones once)',
  `SELECT ceremony_year / 10 * 10 AS decade, sum(entries) AS nominations FROM ceremonies
   GROUP BY decade ORDER BY decade`,
);
show(
  'Genres of the films that won (genres is a JSON array)',
  `SELECT genre.value AS genre, count(DISTINCT movies.id) AS films
   FROM nominations JOIN movies ON movies.id = movie_id, json_each(movies.genres) AS genre
   WHERE winner GROUP BY genre ORDER BY films DESC, genre LIMIT 3`,
);
database.close();
