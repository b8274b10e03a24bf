/** Which texts can be searched for. */
import { tokens } from '../../../../api/contract/text.ts';

/** Whether a text can be searched for. */
export const isSearch = (typed: string): boolean => tokens(typed).length > 0;

/** Whether the search of the API takes a text: it takes none of one letter. */
export const isQuery = (typed: string): boolean => isSearch(typed) && [...typed.trim()].length > 1;
