/** A page: one file with what the resolver answers at one address. */

import type { Question } from '../../api/read/question.ts';

/** Ids or page numbers per group. */
export const groupSpan = 256;

/** The cause of every page of a full build. */
export const wholeBuild = 'everything is built';

export interface Page {
  /** File below the root. */
  path: string;
  /** What it answers. */
  question: Question;
  /** Pages of a group share a shard of hashes; groups are cut so that they stay small and a change reaches few. */
  group: string;
  /** Why it is rendered; for --explain. */
  cause: string;
}

/** A page that may have come, gone or stayed. */
export interface TouchedPage extends Page {
  /** Whether the new snapshot has it. */
  exists: boolean;
}
