/** What the components of a page get from the program that shows it: a browser, or the renderer of a server. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Answers } from './answers.ts';
import type { Reading } from './record.ts';

/** What only a browser has. */
export interface BrowserTools {
  /** The whole list of an address of the API as a file. @throws ApiError */
  exported(address: string, format: 'csv' | 'ndjson'): Promise<File>;
  /** Loads the columns, which every search reads. @throws SnapshotUnavailable */
  warm(): Promise<void>;
  /** Whether a server has made the page. */
  hasServer: boolean;
}

export interface PageContext {
  answers: Answers;
  /** Where the record comes from. A browser loads the program that reads it with the first use. */
  reading: () => Promise<Reading>;
  /** Scheme and host of the site. */
  origin: string;
  /** Origins of posters. */
  imageOrigins: ReadonlySet<string>;
  /** Rises with each snapshot that replaces another one; then answers are loaded again. */
  version: number;
  /** undefined on a server. */
  browser?: BrowserTools;
  /** Called while a page is rendered, with the text of its heading. */
  onTitle?: (title: string) => void;
}

const Context = createContext<PageContext | undefined>(undefined);
export const PageContextProvider = Context.Provider;

export function usePageContext(): PageContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('the page has no context');
  return context;
}
