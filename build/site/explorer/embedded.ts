/** What the HTML of a server carries for the program of the browser. */
import type { EmbeddedAnswer } from './answers.ts';

export interface Embedded {
  /** Id of the snapshot that the page was made from. */
  snapshot: string;
  /** Scheme and host of the site. */
  origin: string;
  answers: readonly EmbeddedAnswer[];
}

/** Data as the text of a script element. */
export const dataText = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
