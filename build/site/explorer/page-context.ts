/** What the components of a page get from the program that shows it: a browser, or the renderer of a server. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Answers } from './answers.ts';
import type * as BrowserResolver from './browser-resolver.ts';
import type { Place } from './navigation.ts';
import type { Reading } from './record.ts';

export interface PageContext {
  place: Place;
  answers: Answers;
  /** Where the record comes from. A browser loads the program that reads it with the first use. */
  reading: () => Promise<Reading>;
  /** Scheme and host of the site. */
  origin: string;
  /** Origins of posters. */
  imageOrigins: ReadonlySet<string>;
  /** Rises with each snapshot that replaces another one; then answers are loaded again. */
  version: number;
  /** Loads what reads the record in a browser; undefined on a server. */
  resolver?: () => Promise<typeof BrowserResolver>;
  /** Whether a browser shows what a server has made. */
  hasServer?: boolean;
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

export const usePlace = (): Place => usePageContext().place;
