/** The search field of the site: hits while a reader types, chosen with the arrow keys. */

/** Milliseconds after the last letter until the search is asked. */
const typingPauseMs = 80;

/** The search field as a combobox: the server gives the options as HTML. */
export function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const list = document.querySelector<HTMLElement>('#search-results');
  if (!field || !list) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  let active = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  const setOpen = (isOpen: boolean) => {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) activate(-1);
  };
  const activate = (to: number) => {
    active = to;
    for (const [i, option] of options().entries()) {
      option.setAttribute('aria-selected', String(i === to));
      if (i === to) option.scrollIntoView({ block: 'nearest' });
    }
    const id = options()[to]?.id;
    if (id) field.setAttribute('aria-activedescendant', id);
    else field.removeAttribute('aria-activedescendant');
  };
  const search = async () => {
    request.abort();
    const typed = field.value.trim();
    if (typed === '') return setOpen(false);
    request = new AbortController();
    const { signal } = request;
    try {
      const response = await fetch(`/search?${new URLSearchParams({ q: typed, part: 'options' })}`, {
        signal,
      });
      const html = await response.text();
      // A message about a failure is a whole page.
      if (!response.ok || html.startsWith('<!')) return setOpen(false);
      list.innerHTML = html;
      activate(-1);
      setOpen(document.activeElement === field);
    } catch {
      if (!signal.aborted) setOpen(false);
    }
  };
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-controls': 'search-options',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  }))
    field.setAttribute(name, value);
  field.addEventListener('input', () => {
    // Options of other words are not chosen.
    activate(-1);
    clearTimeout(timer);
    timer = setTimeout(() => void search(), typingPauseMs);
  });
  field.addEventListener('keydown', (event) => {
    const found = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing) return;
    if (step !== undefined && found.length > 0) {
      setOpen(true);
      // The field itself is one more position.
      activate(((active + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === 'Enter' && !list.hidden && active >= 0) found[active]?.click();
    else if (event.key === 'Escape' && !list.hidden) {
      clearTimeout(timer);
      request.abort();
      setOpen(false);
    } else return;
    event.preventDefault();
  });
  document.addEventListener('focusin', ({ target }) => {
    if (!(target as Element).closest('.search')) setOpen(false);
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(target as Element).closest('.search')) setOpen(false);
  });
}

/** "/" and Ctrl+K lead to the field. */
export function startSearchKeys(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  if (!field) return;
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input, textarea, select');
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isCommand) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
