/**
 * Where the reader is: the address, told to whoever shows it, with the scroll position of every entry of the history. Links
 * of these pages change the address without loading a page; all others are left to the browser.
 */
import { useEffect, useState } from 'preact/hooks';
import { isOwn } from './addresses.ts';

export interface Place {
  path: string;
  /** Without the leading `?`. */
  query: string;
  /** Without the leading `#`. */
  fragment: string;
  /** Another one for every visit, so that a page knows it was arrived at anew. */
  visit: number;
}

const listeners = new Set<(place: Place) => void>();
let visits = 0;
let place = read();
/** Whether the heading of the page now shown is to be focused when it appears. */
let focusDue = false;
/** Where to scroll to as soon as the page is high enough. */
let scrollDue: number | undefined;

function read(): Place {
  const { pathname, search, hash } = location;
  return {
    path: pathname,
    query: search.slice(1),
    fragment: decoded(hash.slice(1)),
    visit: visits,
  };
}

/** What is written by hand need not be well-formed; then it names nothing, but is no reason to show nothing. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function tell(): void {
  place = read();
  for (const call of listeners) call(place);
}

/** The address, as it is now and whenever it changes. */
export function usePlace(): Place {
  const [now, setNow] = useState(place);
  useEffect(() => {
    listeners.add(setNow);
    setNow(place);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}

/** Goes to an address of these pages. @param replace in place of the present entry of the history */
export function navigate(href: string, { replace = false } = {}): void {
  const before = new URL(location.href);
  if (replace) history.replaceState(history.state, '', href);
  else {
    keepScroll();
    history.pushState(null, '', href);
  }
  // Another page begins at its top; another filter of the same one stays where the reader is.
  const isAnother = before.pathname !== location.pathname || pageNumber(before) !== pageNumber(location);
  if (isAnother) arrive(location.hash ? undefined : 0);
  if (isAnother && !location.hash) scrollTo(0, 0);
  tell();
}

const pageNumber = ({ search }: { search: string }) => new URLSearchParams(search).get('page');

function arrive(scroll: number | undefined): void {
  visits += 1;
  focusDue = true;
  scrollDue = scroll;
}

/** Whether a heading that appears is to take the focus; asked once for each page. */
export function takeFocus(): boolean {
  const due = focusDue;
  focusDue = false;
  return due;
}

/** To be called when a page has all it shows: brings the reader where the history or the fragment says. */
export function settle(): void {
  if (scrollDue !== undefined) {
    scrollTo(0, scrollDue);
    if (scrollDue <= document.documentElement.scrollHeight - innerHeight) scrollDue = undefined;
  } else if (place.fragment && settledVisit !== place.visit) {
    const target = document.getElementById(place.fragment);
    if (!target) return;
    target.scrollIntoView();
    settledVisit = place.visit;
  }
}
let settledVisit = -1;

/** Notes how far the reader has scrolled, unless they are still to be brought where they were. */
function keepScroll(): void {
  clearTimeout(scrolling);
  if (scrollDue === undefined) history.replaceState({ scroll: scrollY }, '');
}
let scrolling: ReturnType<typeof setTimeout> | undefined;

const scrollOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'scroll' in state && typeof state.scroll === 'number'
    ? state.scroll
    : undefined;

/** Begins to follow links and the history. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual';
  scrollDue = scrollOf(history.state);
  addEventListener('popstate', ({ state }) => {
    // What was scrolled last was another page.
    clearTimeout(scrolling);
    if (place.path === location.pathname) scrollDue = scrollOf(state);
    else arrive(scrollOf(state) ?? (location.hash ? undefined : 0));
    tell();
  });
  addEventListener(
    'scroll',
    () => {
      clearTimeout(scrolling);
      scrolling = setTimeout(keepScroll, 100);
    },
    { passive: true },
  );
  addEventListener('pagehide', keepScroll);
  // Whoever scrolls by themselves is not brought elsewhere any more.
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(event, () => (scrollDue = undefined), { passive: true });
  document.addEventListener('click', followLink);
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element && event.target.closest('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  // A fragment of the same page is the browser's own affair.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  if (!isOwn(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
