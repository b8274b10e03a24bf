/** What a check-up finds, one line each, and what to do about it. */

/** "note": nothing is broken, but somebody may want to do something; "skipped": something else has to be right first. */
export type State = 'fine' | 'note' | 'wrong' | 'skipped';

export interface Finding {
  /** What was looked at. */
  subject: string;
  state: State;
  /** In words. */
  found: string;
  /** What to do next, where there is anything to do. */
  advice?: string;
}

export const fine = (subject: string, found: string): Finding => ({ subject, state: 'fine', found });
export const note = (subject: string, found: string, advice: string): Finding => ({
  subject,
  state: 'note',
  found,
  advice,
});
export const wrong = (subject: string, found: string, advice: string): Finding => ({
  subject,
  state: 'wrong',
  found,
  advice,
});
export const skipped = (subject: string, found: string): Finding => ({ subject, state: 'skipped', found });

export const number = (value: number): string => value.toLocaleString('en-US');
export const counted = (value: number, one: string): string =>
  `${number(value)} ${value === 1 ? one : `${one}s`}`;

/** The first line of what went wrong. */
export const reasonOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error).split('\n')[0]!;
