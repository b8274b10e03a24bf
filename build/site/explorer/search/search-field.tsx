/** @jsxRuntime automatic @jsxImportSource preact */
/** The search field of every page: a combobox whose results change with each letter. */
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { comboboxAttributes, optionId, useLatest } from '../../shared/hooks.ts';
import { searchedWords, searchHref } from '../addresses.ts';
import { navigate } from '../navigation.ts';
import { count } from '../../shared/format.ts';
import { onSearchKey } from '../../shared/search-key.ts';
import type { Hit } from './searchable.ts';
import { usePageContext, usePlace } from '../page-context.ts';
import { announcement, nearOnly, nothingFound, prepareSearch, searchEarly } from './search.ts';
import { isSearch } from './words.ts';

const listId = 'search-results';

/** What was typed, what was found for it, and the active hit; -1 if the field itself is active. */
function useSearchState() {
  const { path, query, visit } = usePlace();
  const searched = searchedWords(path, query);
  const [typed, setTyped] = useState(searched);
  // A page of the search has its results already.
  const [isUsed, setUsed] = useState(false);
  const wanted = isUsed ? typed : '';
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const context = usePageContext();
  const latest = useLatest(wanted, async () => (isSearch(wanted) ? searchEarly(context, wanted) : undefined));
  const result = isSearch(typed) ? latest?.value : undefined;
  const isFailed = latest?.error !== undefined;
  // Another page has other words, or none.
  useEffect(() => {
    setOpen(false);
    setTyped(searched);
  }, [visit, searched]);
  return {
    typed,
    setTyped,
    setUsed,
    setOpen,
    active,
    setActive,
    result,
    isFailed,
    hits: result?.groups.flatMap((group) => group.hits) ?? [],
    isShown: isOpen && (isSearch(typed) ? result !== undefined || isFailed : typed.trim() !== ''),
  };
}

type SearchState = ReturnType<typeof useSearchState>;

function handleKey(event: TargetedKeyboardEvent<HTMLInputElement>, state: SearchState): void {
  const { typed, setTyped, setOpen, active, setActive, hits, isShown } = state;
  if (event.isComposing) return;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0 && hits.length > 0) {
    setOpen(true);
    // The field itself is one more position.
    const positions = hits.length + 1;
    setActive(((active + 1 + step + positions) % positions) - 1);
  } else if (event.key === 'Enter') {
    const hit = isShown ? hits[active] : undefined;
    const href = hit?.href ?? (isSearch(typed) ? searchHref(typed) : undefined);
    if (href !== undefined) {
      setOpen(false);
      setActive(-1);
      event.currentTarget.blur();
      navigate(href);
    }
  } else if (event.key === 'Escape') {
    // First closes the results, then empties the field.
    if (isShown) setOpen(false);
    else setTyped('');
    setActive(-1);
  } else return;
  event.preventDefault();
}

export function SearchField() {
  const state = useSearchState();
  const { typed, setTyped, setUsed, setOpen, active, setActive, isShown } = state;
  const context = usePageContext();
  const prepare = () => void prepareSearch(context).catch(() => {});
  const field = useRef<HTMLInputElement>(null);
  const goToField = () => {
    field.current?.focus();
    field.current?.select();
  };
  useLayoutEffect(() => onSearchKey(goToField), []);
  const closeOnLeaving = ({ currentTarget, relatedTarget }: TargetedEvent<HTMLElement, FocusEvent>) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOpen(false);
  };
  return (
    <search class="search" onFocusOut={closeOnLeaving}>
      {/* Without a program the form asks the server. */}
      <form action="/search" onSubmit={(event) => event.preventDefault()}>
        <input
          ref={field}
          type="search"
          name="q"
          {...comboboxAttributes(listId, isShown, active)}
          aria-label="Search films, people, songs and ceremonies"
          placeholder="Search films, people, songs…"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={(event) => handleKey(event, state)}
          onFocus={() => {
            setUsed(true);
            setOpen(true);
            prepare();
          }}
          onPointerEnter={prepare}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
      <Results state={state} />
    </search>
  );
}

function Results({
  state: { typed, setOpen, active, result, isFailed, hits, isShown },
}: {
  state: SearchState;
}) {
  return (
    <>
      <div class="results" hidden={!isShown}>
        {result?.limit && <p class="nothing">{result.limit}</p>}
        {result?.isNear && <p class="nothing">{nearOnly} Those below have some.</p>}
        <div role="listbox" id={listId} aria-label="Results">
          {result?.groups.map((group) => (
            <fieldset aria-label={group.title} key={group.title}>
              <p class="group" aria-hidden="true">
                {group.title}
              </p>
              {group.hits.map((hit) => (
                <Option
                  key={hit.href}
                  hit={hit}
                  id={optionId(listId, hits.indexOf(hit))}
                  isActive={hit === hits[active]}
                  onChoose={() => setOpen(false)}
                />
              ))}
            </fieldset>
          ))}
        </div>
        {isShown && !isSearch(typed) && (
          <p class="nothing">Nothing found for “{typed.trim()}”. A search needs a letter or a digit.</p>
        )}
        {isShown && isSearch(typed) && isFailed && (
          <p class="nothing">The record cannot be read at the moment.</p>
        )}
        {isShown && result && !result.limit && hits.length === 0 && (
          <p class="nothing">
            Nothing found for “{typed.trim()}”.{' '}
            {result.suggestions[0] && (
              <a href={searchHref(result.suggestions[0])}>{result.suggestions[0]}?</a>
            )}
          </p>
        )}
        {isShown && result && result.nominations > 0 && (
          <a class="all" href={searchHref(typed)} tabIndex={-1}>
            {count(result.nominations, 'individual nomination')} with these words
          </a>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {isShown && (result ? announcement(result) : !isSearch(typed) && nothingFound)}
      </p>
    </>
  );
}

function Option(props: { hit: Hit; id: string; isActive: boolean; onChoose: () => void }) {
  const { hit, id, isActive, onChoose } = props;
  const option = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <a
      ref={option}
      role="option"
      id={id}
      aria-selected={isActive}
      tabIndex={-1}
      href={hit.href}
      onClick={onChoose}
    >
      <span class={hit.won ? 'label won' : 'label'} dir="auto">
        {hit.label}
      </span>
      <span class="detail">{hit.detail}</span>
    </a>
  );
}
