/** Promise: a question mark in a query string stays where it is. */
import { expect, it } from 'vitest';
import { splitTarget } from '../../api/contract/target.ts';

it.each([
  ['/api/movies', '/api/movies', ''],
  ['/api/movies?', '/api/movies', ''],
  ['/api/movies?title=who?&sort=title', '/api/movies', 'title=who?&sort=title'],
  ['', '', ''],
])('splits %s at the first question mark', (target, path, queryString) => {
  expect(splitTarget(target)).toEqual({ path, queryString });
});
