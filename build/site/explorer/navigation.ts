/**
 * Navigation between the pages. A click on a link to one of these pages changes the address without loading a page. Each
 * history entry keeps its scroll position.
 */
import { useEffect, useState } from 'preact/hooks';
import { knownQuery, viewOf } from './addresses.ts';

export interface Place {
  path: string;
  /** Without the leading `?`, and without unknown parameters. */
  query: string;
  /** Without the leading `#`. */
  fragment: string;
  /** Counts arrivals at a page. */
  visit: number;
}

const listeners = new Set<(place: Place) => void>();
let visits = 0;
/** Set when navigation starts. */
let place: Place;
/** Whether the heading of a new page takes the focus when it appears. */
let isFocusDue = false;
/** Scroll position to restore when the page is high enough. */
let scrollDue: number | undefined;
let settledVisit = -1;
let scrollTimer: ReturnType<typeof setTimeout> | undefined;

function currentPlace(): Place {
  const { pathname, search, hash } = location;
  return {
    path: pathname,
    query: knownQuery(search.slice(1)),
    fragment: decoded(hash.slice(1)),
    visit: visits,
  };
}

/** A fragment with invalid percent-encoding stays as it is. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function notify(): void {
  place = currentPlace();
  for (const call of listeners) call(place);
}

/** The address of the browser; renders again when it changes. */
export function useAddress(): Place {
  const [now, setNow] = useState(place);
  useEffect(() => {
    listeners.add(setNow);
    setNow(place);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}

/** Goes to another page, or to the same page with another query. @param replace whether to replace the history entry */
export function navigate(href: string, { replace = false } = {}): void {
  const before = new URL(location.href);
  if (replace) history.replaceState(history.state, '', href);
  else {
    keepScroll();
    history.pushState(null, '', href);
  }
  // Another page starts at its top. A changed filter keeps the scroll position.
  if (before.pathname !== location.pathname || pageNumber(before) !== pageNumber(location)) {
    arrive(location.hash ? undefined : 0);
    if (!location.hash) scrollTo(0, 0);
  }
  notify();
}

/** Puts the address of the page that is shown into the address bar. @param path of the page, in another spelling */
export function correctPath(path: string): void {
  if (location.pathname === path) return;
  history.replaceState(history.state, '', path + location.search + location.hash);
  notify();
}

const pageNumber = ({ search }: { search: string }) => new URLSearchParams(search).get('page');

function arrive(scroll: number | undefined): void {
  visits += 1;
  isFocusDue = true;
  scrollDue = scroll;
}

/** Whether a heading that appears takes the focus; true once per page. */
export function takeFocus(): boolean {
  const due = isFocusDue;
  isFocusDue = false;
  return due;
}

/** Call it when a page is complete: scrolls to the position of the history entry, or to the fragment. */
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

/** Stores the scroll position in the history entry, unless an earlier one is still to be restored. */
function keepScroll(): void {
  clearTimeout(scrollTimer);
  if (scrollDue === undefined) history.replaceState({ scroll: scrollY }, '');
}

const scrollOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'scroll' in state && typeof state.scroll === 'number'
    ? state.scroll
    : undefined;

export function startNavigation(): void {
  place = currentPlace();
  history.scrollRestoration = 'manual';
  scrollDue = scrollOf(history.state);
  addEventListener('popstate', ({ state }) => {
    // The pending position is of the page that was left.
    clearTimeout(scrollTimer);
    if (place.path === location.pathname) scrollDue = scrollOf(state);
    else arrive(scrollOf(state) ?? (location.hash ? undefined : 0));
    notify();
  });
  const keepScrollLater = () => {
    clearTimeout(scrollTimer);
    scrollTimer = setTimeout(keepScroll, 100);
  };
  addEventListener('scroll', keepScrollLater, { passive: true });
  addEventListener('pagehide', keepScroll);
  // A reader who scrolls is not moved any more.
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(event, () => (scrollDue = undefined), { passive: true });
  document.addEventListener('click', followLink);
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element && event.target.closest('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  // The browser handles fragments of the same page.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  if (['unknown', 'elsewhere'].includes(viewOf(link.pathname).kind)) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
