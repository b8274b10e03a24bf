/**
 * Promise: an award of a category that names no film, or nobody, is on the pages of its ceremony, category, film and person,
 * with its outcome and what it lacks; each page says once that it counts as an honor. Film years are the same on each page.
 */
import { expect, it } from 'vitest';
import { useInProcess } from '../support/running-service.ts';
import { honor, importText, recordOf } from '../records/record-text.ts';

const nobody = { Name: '', Nominees: '', NomineeIds: '' };
const noFilm = { Film: '', FilmId: '' };
const foreign = {
  CanonicalCategory: 'INTERNATIONAL FEATURE FILM',
  Category: 'HONORARY FOREIGN LANGUAGE FILM AWARD',
};
const first = { Ceremony: '1', Year: '1927/28' };
const assistant = { ...noFilm, CanonicalCategory: 'ASSISTANT DIRECTOR', Category: 'ASSISTANT DIRECTOR' };
const record = recordOf(
  {
    ...first,
    Film: 'Wings',
    FilmId: 'tt1',
    CanonicalCategory: 'BEST PICTURE',
    Category: 'OUTSTANDING PICTURE',
  },
  {
    ...first,
    ...assistant,
    Name: 'Percy Ikerd (Fox)',
    Nominees: 'Percy Ikerd',
    NomineeIds: 'nm2',
    Winner: '',
  },
  { ...first, ...assistant, Name: 'William Tummel (Fox)', Nominees: 'William Tummel', NomineeIds: 'nm3' },
  {
    Ceremony: '24',
    Year: '1951',
    ...foreign,
    ...nobody,
    Film: 'Rashomon',
    FilmId: 'tt4',
    Citation: 'To Rashomon.',
  },
  { Ceremony: '25', Year: '1952', Film: 'Rashomon', FilmId: 'tt4', Winner: '' },
  { ...honor, Ceremony: '25', Year: '1952', Winner: '', Note: 'NOTE: Did not win.' },
);
const running = useInProcess({}, (connection) => importText(connection, record), ['site', 'pages']);

/** The text of the page at an address, without the frame. */
async function textAt(path: string): Promise<string> {
  const { headers, body } = await running.service.ask(path);
  if (headers.location !== undefined) return textAt(headers.location.split('#')[0]!);
  const [main] = /<main.*<\/main>/s.exec(body.toString())!;
  return main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

const why = 'Awards that named no film or no person are listed as honors. They do not count as nominations.';

it.each<[page: string, path: string, ...texts: string[]]>([
  [
    'ceremony',
    '/ceremonies/1',
    'Assistant Director William Tummel (Fox) Won no film named',
    'Percy Ikerd (Fox) nominated · no film named',
  ],
  [
    'ceremony whose only award it is',
    '/ceremonies/24',
    'International Feature Film Rashomon Won no person named',
  ],
  [
    'category',
    '/categories/7',
    'William Tummel (Fox) Won 1929 · no film named',
    '1929 William Tummel (Fox) Won no film named',
  ],
  ['category of the film', '/categories/25', 'All winners', 'Rashomon Won 1952 · no person named'],
  [
    'film',
    '/movies/2',
    'Films 1951 Rashomon',
    'Rashomon Won Honorary Foreign Language Film Award · 1952 · no person named',
  ],
  ['person', '/nominees/2', 'Percy Ikerd (Fox) Assistant Director · 1929 · nominated · no film named'],
  [
    'honor',
    '/honors/4',
    'Honorary Foreign Language Film Award · 1952 · Won · no person named',
    'To Rashomon.',
    'Category International Feature Film',
  ],
])('the page of a %s shows it, and says once what it counts as', async (_, path, ...texts) => {
  const text = await textAt(path);
  for (const expected of texts) expect(text).toContain(expected);
  expect(text.split(why)).toHaveLength(2);
});

it('an honor that was not awarded is not shown as awarded', async () => {
  expect(await textAt('/honors/1')).toContain('1953 · Nominated');
  expect(await textAt('/honors/1')).toContain('Did not win.');
  expect(await textAt('/ceremonies/25')).toContain('Walt Disney Special Award · not awarded');
});

it('a film has the same years on its page, in lists, in the search and in the API', async () => {
  expect(await textAt('/movies/1')).toContain('Films 1927/28 Wings');
  expect(await textAt('/movies?title=wings')).toContain('Wings Best Picture 1927/28');
  expect(await textAt('/search?q=wings')).toContain('Film · 1927/28');
  expect(await textAt('/ceremonies/1')).toContain('For films of 1927/28');
  for (const year of [1927, 1928]) expect(await textAt(`/movies?filmYear=${year}`)).toContain('Wings');
  const { body } = await running.service.ask(
    '/api/movies?include=film_year&sort=film_year&fields=film_year,film_years',
  );
  expect(JSON.parse(body.toString())).toMatchObject({
    data: [
      { film_year: 1928, film_years: '1927/28' },
      { film_year: 1951, film_years: '1951' },
    ],
  });
});
