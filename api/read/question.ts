/**
 * A question is a parsed address, independent of host, method and headers. Its answer is a document. The resolver answers
 * the question of a request; the pages layer answers the question of every page.
 */
import type { ResourceName } from '../contract/names.ts';
import { parseQuery, type Query } from '../contract/parameters.ts';
import type { Fault } from '../contract/problems.ts';
import type { ListRoute, RankingRoute, RouteMatch, SearchRoute } from '../contract/routes.ts';
import { answerRecord, type Document } from './documents.ts';
import { answerList } from './lists.ts';
import { answerTopMovies, answerTopNominees } from './rankings.ts';
import { answerSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';

export type Question =
  | { kind: 'record'; resource: ResourceName; id: number }
  | { kind: 'document' }
  | { kind: 'query'; route: ListRoute | SearchRoute | RankingRoute; query: Query };

/** Parses an address: a question, the faults of its query string, or undefined if the id is not an integer. */
export function readQuestion({ route, id }: RouteMatch, queryString: string): Question | Fault[] | undefined {
  if (route.kind === 'record')
    return id === undefined ? undefined : { kind: 'record', resource: route.resource, id };
  if (route.kind === 'document') return { kind: 'document' };
  const parsed = parseQuery(queryString, route.parameters);
  return parsed.ok ? { kind: 'query', route, query: parsed.query } : parsed.faults;
}

/** Computes the answer to a question; undefined if there is no such record. */
export async function answerQuestion(
  snapshot: Snapshot,
  question: Exclude<Question, { kind: 'document' }>,
): Promise<Document | undefined> {
  if (question.kind === 'record') {
    const text = await answerRecord(snapshot, question.resource, question.id);
    return text === undefined ? undefined : { text };
  }
  const { route, query } = question;
  if (route.kind === 'list') return answerList(snapshot, route, query);
  if (route.kind === 'search') return answerSearch(snapshot, query);
  const answer = route.ranking === 'top-movies' ? answerTopMovies : answerTopNominees;
  return { text: await answer(snapshot, query) };
}
