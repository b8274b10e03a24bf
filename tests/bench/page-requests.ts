/** Requests for the pages of the explorer, as people open them. */
import { hrefOf, rankingHref, searchHref } from '../../build/site/explorer/addresses.ts';
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from '../support/random.ts';
import { type RequestKind, yearsOf } from './requests.ts';

/** Kinds of pages; the addresses are the readable ones, which do not redirect. */
export function pageKinds(record: PlainRecord): RequestKind[] {
  const { movies, nominees, ceremonies, categories } = record;
  const years = yearsOf(record);
  const search = (draw: (choices: Choices) => string) => (choices: Choices) => searchHref(draw(choices));
  return [
    page('home', () => '/'),
    page('a film', (choices) => hrefOf('movies', choices.pick(movies))),
    page('a person', (choices) => hrefOf('nominees', choices.pick(nominees))),
    page('a ceremony', (choices) => hrefOf('ceremonies', choices.pick(ceremonies))),
    page('years', () => '/years'),
    page('a list', (choices) => choices.pick(['/movies', '/nominees', '/nominations', '/songs'])),
    page('a ranking', (choices) =>
      rankingHref(choices.pick(['top-movies', 'top-nominees']), choices.pick(['', 'sort=wins'])),
    ),
    page(
      'search for a title',
      search((choices) => choices.pick(movies).title),
    ),
    page(
      'search for a category and a year',
      search((choices) => `${choices.pick(categories).category_name} ${choices.pick(years)}`),
    ),
  ];
}

function page(name: string, addressFor: (choices: Choices) => string): RequestKind {
  const draw = (choices: Choices) => {
    const { pathname, search } = new URL(addressFor(choices), 'http://127.0.0.1');
    return { path: pathname, queryString: search.slice(1) };
  };
  return { name: `page: ${name}`, goal: 'list', draw };
}
