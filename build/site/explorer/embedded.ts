/** What the HTML of a server carries for the program of the browser. */
import { pageDataId } from '../../../api/contract/site.ts';
import type { EmbeddedAnswer } from './answers.ts';

export interface Embedded {
  /** Id of the snapshot that the page was made from. */
  snapshot: string;
  /** Scheme and host of the site. */
  origin: string;
  answers: readonly EmbeddedAnswer[];
}

/** What a server has put into a page; undefined on a host of plain files. */
export function embeddedIn(page: Document): Embedded | undefined {
  const text = page.getElementById(pageDataId)?.textContent;
  return text ? (JSON.parse(text) as Embedded) : undefined;
}

/** Data as the text of a script element. */
export const dataText = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
