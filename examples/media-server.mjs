// The awards of a library. Arguments: the address of a host, and a text file that contains the IMDb ids of films. Prints a
// line for each film of the record. Asks the API, 100 ids a request; a host without API answers from its files by IMDb id.
import { readFileSync } from 'node:fs';
import { ApiProblem, createClient } from 'film-awards/client';

const [origin, library] = process.argv.slice(2);
const awards = createClient({ baseUrl: origin });
const ids = [...new Set(readFileSync(library, 'utf8').match(/\btt\d+\b/g))];
const idsPerRequest = 100;

async function* fromApi() {
  for (let first = 0; first < ids.length; first += idsPerRequest)
    yield* awards.all('/api/movies', {
      filmindex_ids: ids.slice(first, first + idsPerRequest),
      include: ['counts', 'film_year'],
      fields: ['filmindex_id', 'title', 'film_year', 'counts'],
      limit: 100,
    });
}

async function* fromFiles() {
  const { data: known } = await awards.get('/by-imdb/index.json');
  for (const id of ids) if (Object.hasOwn(known, id)) yield awards.get(`/by-imdb/${id}.json`);
}

async function print(films) {
  for await (const { filmindex_id: id, title, film_year: year, counts } of films)
    console.log(`${id} ${title} (${year}): won ${counts.wins} of ${counts.entries}`);
}

try {
  await print(fromApi());
} catch (error) {
  const hasNoApi = error instanceof ApiProblem && (error.status === 404 || error.status === 501);
  if (!hasNoApi) throw error;
  await print(fromFiles());
}
