/** Numbers in messages. */

/** 16609 is "16,609". */
export const number = (value: number): string => value.toLocaleString('en-US');

/** counted(2, 'change') is "2 changes". */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : several}`;
