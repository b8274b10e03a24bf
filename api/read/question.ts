/**
 * A question is a parsed address, independent of host, method and headers. Its answer is a document. The resolver answers
 * the question of a request; the pages layer answers the question of every page.
 */
import type { Query } from '../contract/parameters.ts';
import { isExported, nameOf, parseQuery } from '../contract/query-string.ts';
import type {
  CountsRoute,
  ListRoute,
  RankingRoute,
  Route,
  RouteMatch,
  SearchRoute,
} from '../contract/routes.ts';
import { type Document, fileDocument } from './documents.ts';
import { answerCounts } from './group-counts.ts';
import { answerList, selectList } from './lists.ts';
import { rankingAnswers } from './rankings.ts';
import { answerRecord, type AskedRecord } from './records.ts';
import { answerSearch, selectSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';

export type Question =
  | ({ kind: 'record' } & AskedRecord)
  | { kind: 'document' }
  | { kind: 'query'; route: ListRoute | SearchRoute | RankingRoute | CountsRoute; query: Query };

type Faults = Extract<ReturnType<typeof parseQuery>, { ok: false }>['faults'];

/** Parses an address: a question, the faults of its query string, or undefined if there is nothing to read. */
export function readQuestion({ route, id }: RouteMatch, queryString: string): Question | Faults | undefined {
  if (route.kind === 'document') return { kind: 'document' };
  if (route.kind === 'batch' || (route.kind === 'record' && id === undefined)) return undefined;
  const parsed = parseQuery(partOf(queryString, route), route);
  if (!parsed.ok) return parsed.faults;
  const { query } = parsed;
  if (route.kind !== 'record') return { kind: 'query', route, query };
  const { include, fields } = query;
  return { kind: 'record', resource: route.resource, id: id!, include, fields };
}

/** The part of a query string that counts at a route: the pages of records ignore other parameters than their own. */
export function partOf(queryString: string, route: Route): string {
  if (route.kind === 'document') return '';
  if (route.kind !== 'record' || queryString === '') return queryString;
  const isOwn = (part: string) => (route.parameters as readonly string[]).includes(nameOf(part));
  return queryString.split('&').filter(isOwn).join('&');
}

/** Computes the answer to a question; undefined if there is no such record. */
export async function answerQuestion(
  snapshot: Snapshot,
  question: Exclude<Question, { kind: 'document' }>,
): Promise<Document | undefined> {
  if (question.kind === 'record') {
    const text = await answerRecord(snapshot, question);
    return text === undefined ? undefined : { text };
  }
  const { route, query } = question;
  if (route.kind === 'list')
    return isExported(query)
      ? fileDocument(await selectList(snapshot, route, query), route, query)
      : answerList(snapshot, route, query);
  if (route.kind === 'search')
    return isExported(query)
      ? fileDocument(await selectSearch(snapshot, query), route, query)
      : answerSearch(snapshot, query);
  if (route.kind === 'counts') return { text: await answerCounts(snapshot, query) };
  return { text: await rankingAnswers[route.ranking](snapshot, query) };
}
