/** The matches of a search by comparing tokens, without an index. */
import type { PlainRecord } from './record.ts';
import { characterCount, tokens } from './text.ts';
import { viewOf } from './view.ts';

/** Ids of the nominations in which every token of `q` matches a token of nominee, movie or category; ascending. */
export function bruteForceMatches(record: PlainRecord, q: string): number[] {
  const view = viewOf(record);
  const wanted = tokens(q);
  const found: number[] = [];
  for (const nomination of record.nominations) {
    const there = [nomination.nominee, nomination.movie, nomination.category].map((text) =>
      view.tokens(text),
    );
    const isMatch = wanted.every((token) =>
      there.some((words) => words.some((word) => matches(token, word))),
    );
    if (isMatch) found.push(nomination.id);
  }
  return found;
}

/** Two characters or more match as a prefix, one character only as a whole word. */
function matches(token: string, word: string): boolean {
  return characterCount(token) > 1 ? word.startsWith(token) : word === token;
}
