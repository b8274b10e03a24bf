/**
 * The document of each address, from a snapshot. The resolver answers requests with them, the pages layer
 * makes files of them.
 */
import type { Asked, Route } from '../contract/routes.ts';
import { type Document, documentOf } from './documents.ts';
import { rowsOfList } from './orders.ts';
import { recordPage, recordsIn } from './records.ts';
import { rootDocument, serviceLinks } from './root.ts';
import { answerSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';
import { answerCounts, rankingAnswers } from './stats.ts';

/** The kinds of addresses whose documents follow from the snapshot alone. */
type SnapshotKind = Exclude<Route['kind'], 'batch' | 'changes' | 'document'>;
type SnapshotRoute<K extends SnapshotKind = SnapshotKind> = Extract<Route, { kind: K }>;
/** A question that a snapshot answers. */
export type AskedOfSnapshot<K extends SnapshotKind = SnapshotKind> = Asked<SnapshotRoute<K>>;

/** Kind of address → its document; undefined if there is no such record. */
const documents: {
  readonly [K in SnapshotKind]: (
    snapshot: Snapshot,
    asked: AskedOfSnapshot<K>,
  ) => Promise<Document | undefined>;
} = {
  root: async (snapshot) => ({ json: await rootDocument(snapshot), link: serviceLinks }),
  async record(snapshot, { route: { resource }, id, query: { include, fields } }) {
    const json = await recordPage(snapshot, { resource, id: id!, include, fields });
    return json && { json };
  },
  async list(snapshot, asked) {
    const { resource } = asked.route;
    const rows = await rowsOfList(snapshot, resource, asked.query);
    const records = (start: number, end: number) =>
      recordsIn(snapshot, resource, rows.subarray(start, end), asked.query);
    return documentOf({ total: rows.length, records }, asked);
  },
  search: answerSearch,
  counts: (snapshot, { query }) => answerCounts(snapshot, query),
  ranking: (snapshot, { route, query }) => rankingAnswers[route.ranking](snapshot, query),
};

/** Whether the document follows from the snapshot alone. */
export const isOfSnapshot = (asked: Asked): asked is AskedOfSnapshot =>
  Object.hasOwn(documents, asked.route.kind);

/** The document that is asked for; undefined if there is no such record. @throws SnapshotUnavailable */
export function documentAt<K extends SnapshotKind>(
  snapshot: Snapshot,
  asked: AskedOfSnapshot<K>,
): Promise<Document | undefined> {
  const { kind } = asked.route as { kind: K };
  return documents[kind](snapshot, asked);
}
