/** Messages for people: errors that they can mend, and numbers in words. */

/**
 * Something that cannot be done for a reason a person can act on: shown as one line, without a stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** 16609 is "16,609". */
export const number = (value: number): string => value.toLocaleString('en-US');

/** counted(2, 'change') is "2 changes". */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : several}`;
