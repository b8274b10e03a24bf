/**
 * A question is a parsed address, independent of host, method and headers. Its answer is a document. The resolver answers
 * the question of a request; the pages layer answers the question of every page.
 */
import type { Query, SortedResource } from '../contract/parameters.ts';
import { isExported, nameOf, parseQuery } from '../contract/query-string.ts';
import type {
  CountsRoute,
  ListRoute,
  RankingRoute,
  Route,
  RouteMatch,
  SearchRoute,
} from '../contract/routes.ts';
import {
  answerPage,
  countedText,
  type Document,
  fileDocument,
  nominationSelection,
  type Selection,
} from './documents.ts';
import { sortRows } from './orders.ts';
import { type AskedRecord, recordPage, recordTexts } from './records.ts';
import { answerSearch, selectSearch } from './search.ts';
import { selectRows } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import { answerCounts, rankingAnswers } from './stats.ts';

export type Question =
  | ({ kind: 'record' } & AskedRecord)
  | { kind: 'root' }
  | { kind: 'document' }
  | { kind: 'changes'; since: string | undefined }
  | { kind: 'query'; route: ListRoute | SearchRoute | RankingRoute | CountsRoute; query: Query };

/** A question whose answer follows from the snapshot alone. */
export type SnapshotQuestion = Extract<Question, { kind: 'record' | 'query' }>;

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
  if (question.kind === 'record') {
    const text = await recordPage(snapshot, question);
    return text === undefined ? undefined : { text: `${text}\n` };
  }
  const { route, query } = question;
  switch (route.kind) {
    case 'list': {
      const selection = await selectList(snapshot, route, query);
      if (isExported(query)) return fileDocument(selection, route, query);
      if (route.paginated) return answerPage(selection, query);
      return { text: countedText(await selection.texts(selection.rows(0, selection.total))) };
    }
    case 'search':
      return isExported(query)
        ? fileDocument(await selectSearch(snapshot, query), route, query)
        : answerSearch(snapshot, query);
    case 'counts':
      return { text: await answerCounts(snapshot, query) };
    case 'ranking':
      return { text: await rankingAnswers[route.ranking](snapshot, query) };
  }
}

/** The records of a list that a query selects: ascending by id or in the order of `sort`, ceremonies newest first. */
async function selectList(snapshot: Snapshot, { resource }: ListRoute, query: Query): Promise<Selection> {
  const selected = await selectRows(snapshot, resource, query);
  const { sort = 'id' } = query;
  const count = snapshot.manifest.counts[resource];
  const order = async (): Promise<Selection['rows']> => {
    if (sort !== 'id') return sortRows(snapshot, resource as SortedResource, sort, selected, count);
    const rows =
      resource === 'ceremonies' ? (await snapshot.table('ceremonies')).newestFirst(selected) : selected;
    return (start, end) => rows.slice(start, end);
  };
  const rows = { total: selected.length, rows: await order() };
  if (resource === 'nominations') return nominationSelection(snapshot, rows, query);
  return { ...rows, texts: (some) => recordTexts(snapshot, resource, some, query) };
}
