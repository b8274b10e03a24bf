// The typed client over HTTP. Argument: the address of a service. Prints a search, a ranking and an error.
import { ApiProblem, createClient } from 'film-awards/client';

const [origin] = process.argv.slice(2);
const awards = createClient({ baseUrl: origin });

const { data: found } = await awards.get('/api/search', { q: 'best picture', winner: true, limit: 3 });
for (const { ceremony_year: year, category, movie } of found) console.log(year, category, '–', movie);

const { data: ranked } = await awards.get('/api/stats/top-nominees', {
  category_group: 'acting',
  sort: 'wins',
  limit: 3,
});
for (const { nominee, total_wins: wins } of ranked) console.log(nominee, wins);

let dramas = 0;
for await (const _movie of awards.all('/api/movies', { genre: 'drama', limit: 100 })) dramas += 1;
console.log('dramas:', dramas);

try {
  await awards.get('/api/movies/999999999');
} catch (error) {
  if (!(error instanceof ApiProblem)) throw error;
  console.log('an error:', error.status, error.code);
}
