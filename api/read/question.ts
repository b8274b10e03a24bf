/**
 * A question is a parsed address, independent of host, method and headers. Its answer is a document. The resolver answers
 * the question of a request; the pages layer answers the question of every page.
 */
import type { Query } from '../contract/addresses.ts';
import { nameOf, parseQuery } from '../contract/query-string.ts';
import type {
  CountsRoute,
  ListRoute,
  RankingRoute,
  Route,
  RouteMatch,
  SearchRoute,
} from '../contract/routes.ts';
import { type Document, documentOf } from './documents.ts';
import { rowsOfList } from './orders.ts';
import { type AskedRecord, recordPage, recordsIn } from './records.ts';
import { rootDocument } from './root.ts';
import { answerSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';
import { answerCounts, rankingAnswers } from './stats.ts';

export type Question =
  | ({ kind: 'record' } & AskedRecord)
  | { kind: 'root' }
  | { kind: 'document' }
  | { kind: 'changes'; since: string | undefined }
  | { kind: 'query'; route: ListRoute | SearchRoute | RankingRoute | CountsRoute; query: Query };

/** A question whose answer follows from the snapshot alone. */
export type SnapshotQuestion = Extract<Question, { kind: 'root' | 'record' | 'query' }>;

type Faults = Extract<ReturnType<typeof parseQuery>, { ok: false }>['faults'];

/** Parses an address: a question, the faults of its query string, or undefined if there is nothing to read. */
export function readQuestion({ route, id }: RouteMatch, queryString: string): Question | Faults | undefined {
  if (route.kind === 'root' || route.kind === 'document') return { kind: route.kind };
  if (route.kind === 'batch' || (route.kind === 'record' && id === undefined)) return undefined;
  const parsed = parseQuery(partOf(queryString, route), route);
  if (!parsed.ok) return parsed.faults;
  const { query } = parsed;
  if (route.kind === 'changes') return { kind: 'changes', since: query.since };
  if (route.kind !== 'record') return { kind: 'query', route, query };
  const { include, fields } = query;
  return { kind: 'record', resource: route.resource, id: id!, include, fields };
}

/** The part of a query string that counts at a route: the pages of records ignore other parameters than their own. */
export function partOf(queryString: string, route: Route): string {
  if (route.kind === 'root' || route.kind === 'document') return '';
  if (route.kind !== 'record' || queryString === '') return queryString;
  const isOwn = (part: string) => (route.parameters as readonly string[]).includes(nameOf(part));
  return queryString.split('&').filter(isOwn).join('&');
}

/** Computes the answer to a question; undefined if there is no such record. */
export async function answerQuestion(
  snapshot: Snapshot,
  question: SnapshotQuestion,
): Promise<Document | undefined> {
  if (question.kind === 'root') return { json: await rootDocument(snapshot) };
  if (question.kind === 'record') {
    const json = await recordPage(snapshot, question);
    return json && { json };
  }
  const { route, query } = question;
  switch (route.kind) {
    case 'list': {
      const { resource } = route;
      const rows = await rowsOfList(snapshot, resource, query);
      const records = (start: number, end: number) =>
        recordsIn(snapshot, resource, rows.subarray(start, end), query);
      return documentOf({ total: rows.length, records }, route, query);
    }
    case 'search':
      return answerSearch(snapshot, route, query);
    case 'counts':
      return answerCounts(snapshot, query);
    case 'ranking':
      return rankingAnswers[route.ranking](snapshot, query);
  }
}
