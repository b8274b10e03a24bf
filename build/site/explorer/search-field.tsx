/** The search field of every page: a combobox that shows results while its reader types. */
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { navigate, usePlace } from './navigation.ts';
import { warm } from './record.ts';
import { announcement, type Hit, isSearch, type SearchResult, search } from './search.ts';

const listId = 'search-results';
const optionId = (position: number): string => `search-result-${position}`;

/** What makes a field one with a list of its own; a `list` would be the browser's. */
const combobox = (shown: boolean, active: number) =>
  ({
    role: 'combobox',
    list: undefined,
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-expanded': shown,
    'aria-activedescendant': shown && active >= 0 ? optionId(active) : undefined,
  }) as const;

export const searchHref = (typed: string): string => `/search?${new URLSearchParams({ q: typed.trim() })}`;

/** What was found for what was typed; the last that came stays until there is something newer. */
function useSearch(typed: string): { result: SearchResult | undefined; failed: boolean } {
  const [found, setFound] = useState<{ result?: SearchResult; failed: boolean }>({ failed: false });
  useEffect(() => {
    if (!isSearch(typed)) {
      setFound({ failed: false });
      return;
    }
    let wanted = true;
    search(typed).then(
      (result) => wanted && setFound({ result, failed: false }),
      () => wanted && setFound({ failed: true }),
    );
    return () => {
      wanted = false;
    };
  }, [typed]);
  return { result: isSearch(typed) ? found.result : undefined, failed: found.failed };
}

/** "/" anywhere brings the reader here, unless they are writing something else. */
function useSlash(field: { current: HTMLInputElement | null }): void {
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target } = event;
      const writing =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writing) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
}

export function SearchField() {
  const place = usePlace();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const { result, failed } = useSearch(typed);
  useSlash(field);
  // Whoever arrived somewhere is done searching.
  useEffect(() => setOpen(false), [place.visit]);
  const hits = result?.groups.flatMap((group) => group.hits) ?? [];
  const shown = open && isSearch(typed) && (result !== undefined || failed);

  const go = (href: string) => {
    setOpen(false);
    setActive(-1);
    field.current?.blur();
    navigate(href);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setOpen(true);
      // One position more than there are hits: the field itself.
      const positions = hits.length + 1;
      setActive(((active + 1 + step + positions) % positions) - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const hit = shown ? hits[active] : undefined;
      if (hit) go(hit.href);
      else if (isSearch(typed)) go(searchHref(typed));
    } else if (event.key === 'Escape') {
      // The browser would empty the field at once; first only the results go.
      event.preventDefault();
      if (shown) setOpen(false);
      else setTyped('');
      setActive(-1);
    }
  };
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    setTyped(currentTarget.value);
    setOpen(true);
    setActive(-1);
  };
  return (
    <search class="search" onFocusOut={leaves(() => setOpen(false))}>
      <input
        ref={field}
        type="search"
        {...combobox(shown, active)}
        aria-label="Search films, people, songs and ceremonies"
        placeholder="Search films, people, songs…"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={onInput}
        onKeyDown={onKeyDown}
        onFocus={() => {
          setOpen(true);
          warm().catch(() => {});
        }}
        onPointerEnter={() => void warm().catch(() => {})}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <div class="results" hidden={!shown}>
        <Results result={result} active={active} onChoose={() => setOpen(false)} />
        {shown && failed && <p class="nothing">The record cannot be read at the moment.</p>}
        {shown && result && hits.length === 0 && <p class="nothing">Nothing found for “{typed.trim()}”.</p>}
        {shown && result && result.nominations > 0 && (
          <a class="all" href={searchHref(typed)} tabIndex={-1}>
            All {result.nominations} matching nominations
          </a>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {shown && result ? announcement(result) : ''}
      </p>
    </search>
  );
}

/** Calls when the focus leaves an element and all it holds. */
const leaves =
  (call: () => void) =>
  ({ currentTarget, relatedTarget }: TargetedEvent<HTMLElement, FocusEvent>): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) call();
  };

function Results(props: { result: SearchResult | undefined; active: number; onChoose: () => void }) {
  let position = 0;
  return (
    <div role="listbox" id={listId} aria-label="Results">
      {props.result?.groups.map(({ title, hits }) => (
        <fieldset aria-label={title} key={title}>
          <p class="group" aria-hidden="true">
            {title}
          </p>
          {hits.map((hit) => {
            const own = position++;
            return (
              <Option
                key={hit.href}
                hit={hit}
                position={own}
                active={own === props.active}
                onChoose={props.onChoose}
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}

function Option(props: { hit: Hit; position: number; active: boolean; onChoose: () => void }) {
  const { hit, position, active, onChoose } = props;
  const option = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <a
      ref={option}
      role="option"
      id={optionId(position)}
      aria-selected={active}
      tabIndex={-1}
      href={hit.href}
      onClick={onChoose}
    >
      <span class={hit.won ? 'label won' : 'label'}>{hit.label}</span>
      <span class="detail">{hit.detail}</span>
    </a>
  );
}
