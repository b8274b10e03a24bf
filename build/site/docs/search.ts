/** The search of the reference: over operations, guides, objects, parameters, fields and errors. Its words are the page's. */
import { onSearchKey } from '../shared/search-key.ts';

interface Place {
  /** Address within the page. */
  id: string;
  title: string;
  /** What the place belongs to. */
  context: string;
  /** Everything it says, in lower case. */
  text: string;
}

const textOf = (element: Element | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

function readPlaces(): Place[] {
  const places: Place[] = [];
  for (const section of document.querySelectorAll('main .entry')) {
    const title = textOf(section.querySelector('h2, h3'));
    const address = textOf(section.querySelector('.address'));
    const about = [...section.querySelectorAll(':scope > .about > :is(p, .prose)')].map(textOf).join(' ');
    const group = textOf(section.parentElement!.querySelector('h2'));
    places.push({
      id: section.id,
      title,
      context: address || (section.parentElement!.id === 'objects' ? 'object' : 'guide'),
      text: `${title} ${address} ${about} ${group}`.toLowerCase(),
    });
    for (const found of section.querySelectorAll('[data-found]')) {
      const name = textOf(found.querySelector('dt code'));
      places.push({
        id: found.id,
        title: name,
        context: title,
        text: `${name} ${textOf(found.querySelector('dd'))}`.toLowerCase(),
      });
    }
  }
  return places;
}

const maxResults = 30;

/** How well a place fits: 0 is best. undefined if a word is missing. */
function rankOf({ title, text, context }: Place, words: readonly string[]): number | undefined {
  const name = title.toLowerCase();
  if (!words.every((word) => text.includes(word) || context.toLowerCase().includes(word))) return undefined;
  const whole = words.join(' ');
  if (name === whole) return 0;
  if (name.startsWith(whole)) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  return words.some((word) => name.includes(word)) ? 3 : 4;
}

/** The places with all words, those whose name fits best first. */
export function search(places: readonly Place[], query: string): Place[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place, i) => ({ place, i, rank: rankOf(place, words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank! || a.i - b.i)
    .slice(0, maxResults)
    .map(({ place }) => place);
}

export function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#find')!;
  const found = document.querySelector<HTMLElement>('#found')!;
  const entries = document.querySelector<HTMLElement>('#entries')!;
  const status = Object.assign(document.createElement('p'), { className: 'hint' });
  status.setAttribute('role', 'status');
  const list = document.createElement('ul');
  found.append(status, list);
  let places: Place[] | undefined;

  const show = (): void => {
    places ??= readPlaces();
    const results = search(places, field.value);
    const isSearching = field.value.trim() !== '';
    entries.hidden = isSearching;
    status.textContent = isSearching
      ? results.length === 0
        ? 'Nothing found. Try a shorter word.'
        : `${results.length === maxResults ? `The best ${maxResults}` : results.length} found`
      : '';
    list.replaceChildren(...results.map(linkTo));
  };
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click();
    else if (event.key === 'ArrowDown') list.querySelector('a')?.focus();
    else if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      show();
    } else return;
    event.preventDefault();
  });
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const links = [...list.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
    (links[next] ?? (next < 0 ? field : links[0]))?.focus();
  });
  onSearchKey(() => {
    const contents = document.getElementById('contents')!;
    // On a phone the contents are closed.
    if (!contents.checkVisibility()) contents.showPopover();
    field.focus();
  });
}

function linkTo({ id, title, context }: Place): HTMLLIElement {
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { href: `#${id}` });
  link.append(
    Object.assign(document.createElement('span'), { textContent: title }),
    ' ',
    Object.assign(document.createElement('small'), { textContent: context }),
  );
  item.append(link);
  return item;
}
