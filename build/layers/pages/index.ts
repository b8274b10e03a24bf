/** All families of pages in one: every page of a snapshot, or those that a change touches. */
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Touched } from './affected.ts';
import { allListPages, touchedListPages } from './lists.ts';
import type { Page, TouchedPage } from './page.ts';
import { allRankingPages, touchedRankingPages } from './rankings.ts';
import { allRecordPages, touchedRecordPages } from './records.ts';

export async function* allPages(snapshot: Snapshot): AsyncGenerator<Page> {
  yield* allRecordPages(snapshot);
  yield* allListPages(snapshot);
  yield* allRankingPages(snapshot);
}

export async function* touchedPages(
  touched: Touched,
  before: Snapshot,
  after: Snapshot,
): AsyncGenerator<TouchedPage> {
  yield* touchedRecordPages(touched, after);
  yield* touchedListPages(touched, before, after);
  yield* touchedRankingPages(touched, before, after);
}
