/** What a check of the doctor finds. */

/** "note": it works, but there may be something to do. "skipped": another fault has to be fixed first. */
export type State = 'fine' | 'note' | 'wrong' | 'skipped';

export interface Finding {
  subject: string;
  state: State;
  found: string;
  /** What to do next. Set for "note" and "wrong". */
  advice?: string;
}

/** Makes the findings about one subject. */
export const findingsAbout = (subject: string) => ({
  fine: (found: string): Finding => ({ subject, state: 'fine', found }),
  note: (found: string, advice: string): Finding => ({ subject, state: 'note', found, advice }),
  wrong: (found: string, advice: string): Finding => ({ subject, state: 'wrong', found, advice }),
  skipped: (found: string): Finding => ({ subject, state: 'skipped', found }),
});

/** The first line of an error's message. */
export const reasonOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error).split('\n')[0]!;
