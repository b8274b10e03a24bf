/** Which texts can be searched for. */
import { tokens } from '../../../../api/contract/text.ts';

export const isSearch = (typed: string): boolean => tokens(typed).length > 0;

/** Whether the search of the API takes a text: it takes none of one letter. */
export const isQuery = (typed: string): boolean => isSearch(typed) && [...typed.trim()].length > 1;

/** Letters with dots, as in "E.T." and "D.W. Griffith". */
const dottedInitials = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;

/** The words of a search, folded; "E.T." is one word, "8½" are those of "8 1/2". */
export const wordsOf = (typed: string): string[] =>
  tokens(typed.replace(dottedInitials, (initials) => initials.replaceAll('.', '')).replaceAll('½', ' 1/2'));
