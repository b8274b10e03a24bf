/** The program of the reference: the page can be read without it. It adds the search, requests to try, and copies of code. */
import { enableOffline } from '../shared/offline.ts';
import { showSampleNotice } from '../shared/sample-notice.ts';
import { startSearch } from './search.ts';
import './docs.css';
import './contents.css';
import './entries.css';
import './code.css';
import './trial.css';
import './media.css';

const all = <E extends HTMLElement>(selector: string): NodeListOf<E> =>
  document.querySelectorAll<E>(selector);

/** The samples ask this service. */
function nameOrigin(): void {
  for (const element of all('.origin')) element.textContent = location.origin;
}

const copiedMs = 1500;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement!.querySelector('pre')!.textContent;
  // Without a clipboard, readers select the text.
  const isCopied = await navigator.clipboard?.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Select the text';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, copiedMs);
}

/** One panel for each operation; the code of panels is loaded with the first. */
async function toggleTrial(button: HTMLButtonElement, mayReload: boolean): Promise<void> {
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  button.setAttribute('aria-expanded', String(!isOpen));
  const trial = await import('./trial.tsx').catch(() => undefined);
  if (trial === undefined) await withoutTrial(button, mayReload);
  else if (isOpen) trial.closeTrial(button);
  else trial.openTrial(button);
}

/**
 * The page is loaded again if the service answers: a newer deploy may have removed the code of panels,
 * and some browsers keep a failed import for as long as the page is open.
 */
async function withoutTrial(button: HTMLButtonElement, mayReload: boolean): Promise<void> {
  button.setAttribute('aria-expanded', 'false');
  const isThere = () => fetch(location.href, { method: 'HEAD' }).then(({ ok }) => ok);
  if (mayReload && (await isThere().catch(() => false))) {
    history.replaceState({ trial: [...all('.try')].indexOf(button) } satisfies ReloadState, '');
    return location.reload();
  }
  const name = [...button.childNodes];
  button.textContent = 'Could not load: try again';
  button.addEventListener('click', () => button.replaceChildren(...name), { once: true });
}

/** What the page keeps across its own reload. */
interface ReloadState {
  /** Index of the button to open. */
  trial: number;
}

/** Opens the panel that the page was loaded again for. A second failure does not load it once more. */
function reopenTrial(): void {
  const state = history.state as ReloadState | null;
  history.replaceState(null, '');
  const button = state && all<HTMLButtonElement>('.try')[state.trial];
  if (button) void toggleTrial(button, false);
}

const languageStorage = 'film-awards-language';

/** A language that is chosen once is chosen everywhere, also on the next visit. */
function chooseLanguage(language: string): void {
  for (const input of all<HTMLInputElement>(`.languages input[value="${language}"]`)) input.checked = true;
}

function startLanguages(): void {
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.languages') === null) return;
    // Samples above change their height: what the reader looks at stays where it is.
    const before = target.getBoundingClientRect().top;
    chooseLanguage(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(languageStorage, target.value);
    } catch {}
  });
  try {
    const language = localStorage.getItem(languageStorage);
    if (language !== null && /^[a-z]+$/.test(language)) chooseLanguage(language);
  } catch {}
}

/** Marks the section in view in the contents. */
function followSections(): void {
  const links = new Map([...all<HTMLAnchorElement>('#entries a')].map((link) => [link.hash.slice(1), link]));
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id) ?? links.get(target.parentElement!.id);
        if (!isIntersecting || link === undefined || link === current) continue;
        current?.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'true');
        link.scrollIntoView({ block: 'nearest' });
        current = link;
      }
    },
    // A line a little below the top of the window.
    { rootMargin: '-15% 0px -84% 0px' },
  );
  for (const section of all('main .entry')) observer.observe(section);
}

/** Shows the place of the address, also in closed details and below the contents of a phone. */
function showPlace(): void {
  const place = document.querySelector(':target');
  const details = place?.closest('details');
  if (details) details.open = true;
}

addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const button = target.closest('button');
  if (button?.matches('.copy')) void copy(button);
  if (button?.matches('.try')) void toggleTrial(button, true);
  if (target.closest('#contents a')) document.getElementById('contents')!.hidePopover();
});
addEventListener('hashchange', showPlace);

nameOrigin();
startLanguages();
startSearch();
followSections();
showPlace();
reopenTrial();
void showSampleNotice();
enableOffline();
