/** What becomes of the work of editors and readers. */
export interface Tally {
  /** Writes answered as done. */
  acknowledged: number;
  /** Of those, the ones that were said not to be shown yet. */
  pending: number;
  refused: number;
  /** Acknowledged, and not there. */
  lost: string[];
  /** Answers that should not have been given. */
  wrong: string[];
}

export const emptyTally = (): Tally => ({ acknowledged: 0, pending: 0, refused: 0, lost: [], wrong: [] });
