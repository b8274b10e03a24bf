/** Searches such as "emma stone vs frances mcdormand" lead to a comparison. */
import { type Compared, compareHref, viewOf } from '../addresses.ts';
import { find } from './find.ts';
import type { Hit, Searchable } from './searchable.ts';
import { isSearch } from './words.ts';

const between = /\s+(?:vs\.?|versus|compared (?:to|with))\s+/i;

interface Named {
  id: number;
  label: string;
}

/** The best film or person for some words. */
function bestOf(searchable: Searchable, words: string, resource: Compared): Named | undefined {
  for (const { href, label } of find(searchable, words).groups.flatMap(({ hits }) => hits)) {
    const view = viewOf(href);
    if (view.kind === 'record' && view.resource === resource) return { id: view.id, label };
  }
  return undefined;
}

/** The comparison that the words ask for; undefined if they ask for none. */
export function comparisonIn(searchable: Searchable, typed: string): Hit | undefined {
  const parts = typed.trim().split(between);
  if (parts.length < 2 || !parts.every(isSearch)) return undefined;
  const first = find(searchable, parts[0]!).groups[0]?.hits[0];
  const view = first && viewOf(first.href);
  const resource = view?.kind === 'record' && view.resource === 'movies' ? 'movies' : 'nominees';
  const named = parts.map((part) => bestOf(searchable, part, resource)).filter((own) => own !== undefined);
  if (named.length < parts.length) return undefined;
  return {
    href: compareHref(
      resource,
      named.map(({ id }) => id),
    ),
    label: named.map(({ label }) => label).join(' and '),
    detail: 'Side by side',
  };
}
