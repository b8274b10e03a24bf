/**
 * The script of the explorer. Every page works without it. It shows hits while a reader types into the search
 * field, submits filters when they change, copies addresses, moves the focus in charts, and makes the site
 * work offline.
 */
import './explorer.css';
import { keepRecordMessage, shellClass } from '../shared/hosting.ts';
import { startSearch, startSearchKeys } from './search-field.ts';

const all = <E extends Element>(selector: string): E[] => [...document.querySelectorAll<E>(selector)];

const focusKey = 'film-awards-filter';
/** Where the fields stand on the page. A narrower window shows them as a sheet with a button. */
const roomy = matchMedia('(min-width: 40rem)');

/**
 * Filters take effect when they change; the address names only those that are set. The next page has the
 * focus in the field where the reader was, and stands at the same place.
 */
function startFilters(): void {
  for (const form of all<HTMLFormElement>('form[data-auto]')) {
    let isLeaving = false;
    form.addEventListener('change', () => {
      if (roomy.matches) form.requestSubmit();
    });
    form.addEventListener('submit', () => {
      isLeaving = true;
    });
    form.addEventListener('formdata', ({ formData }) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
      if (!formData.has('from') && !formData.has('to')) formData.delete('years');
    });
    form.addEventListener('click', ({ target }) => {
      isLeaving ||= (target as Element).closest('.chosen a') !== null;
    });
    addEventListener('pagehide', () => {
      const { id } = document.activeElement ?? {};
      if (isLeaving && id) keep(`${location.pathname} ${scrollY} ${id}`);
    });
    // The browser shows a page of its history with the fields as they were left: they show what the page
    // lists.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) form.reset();
    });
    restoreFocus(form);
  }
}

function keep(place: string): void {
  try {
    sessionStorage.setItem(focusKey, place);
  } catch {
    // Without storage, the focus is where the browser puts it.
  }
}

/** The place that the last page left, on the same list. A chip that is gone leaves it to the one before. */
function restoreFocus(form: HTMLFormElement): void {
  try {
    const [path, top, id] = sessionStorage.getItem(focusKey)?.split(' ') ?? [];
    sessionStorage.removeItem(focusKey);
    if (path !== location.pathname || !id) return;
    const chips = form.querySelectorAll<HTMLElement>('.chosen a');
    const isChip = id.startsWith('chosen');
    const field = document.getElementById(id) ?? (isChip ? chips[chips.length - 1] : undefined);
    (field ?? form.querySelector<HTMLElement>('[name], button'))?.focus({ preventScroll: true });
    scrollTo({ top: Number(top), behavior: 'instant' });
  } catch {
    // As above.
  }
}

const copiedMs = 1500;

function startCopies(): void {
  for (const button of all<HTMLButtonElement>('button.copy')) {
    const label = button.textContent;
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard
        .writeText(new URL(button.dataset.copy!, location.href).href)
        .then(
          () => true,
          () => false,
        );
      button.textContent = isCopied ? 'Copied' : 'Select the address to copy it';
      setTimeout(() => {
        button.textContent = label;
      }, copiedMs);
    });
  }
}

/** The columns of a chart share one stop of the Tab key; the arrow keys move between them. */
function startCharts(): void {
  for (const chart of all<HTMLElement>('figure.chart')) {
    const columns = [...chart.querySelectorAll<SVGAElement>('svg a')];
    const readout = chart.querySelector('.readout')!;
    const atRest = readout.textContent;
    const read = ({ target }: Event) => {
      const column = (target as Element).closest('svg a');
      readout.textContent = column?.getAttribute('aria-label') ?? atRest;
    };
    chart.addEventListener('pointerover', read);
    chart.addEventListener('focusin', read);
    chart.addEventListener('keydown', (event) => {
      const at = columns.indexOf(document.activeElement as unknown as SVGAElement);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 }[event.key];
      if (at < 0 || to === undefined || !columns[to]) return;
      event.preventDefault();
      for (const column of columns) column.setAttribute('tabindex', column === columns[to] ? '0' : '-1');
      columns[to].focus();
    });
  }
}

/** A picture that cannot be loaded leaves its place to the card beside it, or empty. */
function startPictures(): void {
  for (const image of all<HTMLImageElement>('img.picture')) {
    const hide = () =>
      image.nextElementSibling?.matches('.card') ? image.remove() : image.classList.add('failed');
    if (image.complete && image.naturalWidth === 0) hide();
    else image.addEventListener('error', hide);
  }
}

const visitedKey = 'film-awards-visited';
/** Milliseconds after which the next page is another visit. */
const visitMs = 30 * 60 * 1000;

/** Whether this browser was here before this visit. */
function isReturning(): boolean {
  try {
    const first = localStorage.getItem(visitedKey);
    if (first === null) localStorage.setItem(visitedKey, String(Date.now()));
    return first !== null && Date.now() - Number(first) > visitMs;
  } catch {
    return false;
  }
}

const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** The service worker makes pages without a network, and on hosts of plain files. */
async function startWorker(): Promise<void> {
  // Browsers have service workers on secure origins only.
  const { serviceWorker } = navigator;
  const isShell = document.body.classList.contains(shellClass);
  const message = document.querySelector('.message');
  if (!serviceWorker) {
    if (isShell && message)
      message.textContent = 'This browser needs a secure address (https) to show the pages of this site.';
    return;
  }
  const hadWorker = serviceWorker.controller !== null;
  await serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const worker = (await serviceWorker.ready).active;
  if (isShell) {
    if (!hadWorker) location.reload();
    else if (message)
      message.textContent = 'The record cannot be read at the moment. Load the page again to try once more.';
    return;
  }
  const keep = () => worker?.postMessage(keepRecordMessage);
  if (isReturning() && !savesData()) keep();
  for (const button of all<HTMLButtonElement>('.keep-offline')) {
    button.parentElement!.hidden = false;
    button.addEventListener('click', () => {
      keep();
      button.textContent = 'The record is being kept';
      button.disabled = true;
    });
  }
}

startSearch();
startSearchKeys();
startFilters();
startCopies();
startCharts();
startPictures();
startWorker().catch(() => {
  const message = document.querySelector(`.${shellClass} .message`);
  if (message)
    message.textContent =
      'The pages cannot be prepared in this browser. Load the page again to try once more.';
});
