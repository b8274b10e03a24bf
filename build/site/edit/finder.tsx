/** The search of the editor: a field whose hits are chosen with the arrow keys and Enter. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListOf } from '../../../api/contract/answers.ts';
import { resourceNames } from '../../../api/contract/names.ts';
import { fold } from '../../../api/contract/text.ts';
import { capitalized, joined, nouns } from '../shared/format.ts';
import { useLatest } from './latest.ts';
import { equalsOf, loadNames, nearNames } from './matching.ts';
import { describe, nameMembers, type NamedResource, titleOf } from './naming.ts';
import { list, read, type Values } from './reading.ts';

/** A record that the finder shows. */
export interface Hit {
  resource: (typeof resourceNames)[number];
  id: number;
  label: string;
  note: string;
}

const namedResources = Object.keys(nameMembers) as NamedResource[];
const hitsOfResource = 4;

/** Records that typed words or a number mean: of the same name first, then like it, then by number. */
async function findHits(words: string, resources: readonly NamedResource[]): Promise<Hit[]> {
  const names = await loadNames();
  const equal = resources.flatMap((resource) =>
    equalsOf(names, resource, words).map((id) => names.describeId(resource, id)),
  );
  const near = await Promise.all(
    resources.map((resource) => nearNames(names, resource, words, hitsOfResource)),
  );
  const others = resources.length === namedResources.length ? await findOthers(words) : [];
  const all: Hit[] = [...equal, ...others, ...near.flat()];
  return all.filter(
    (hit, i) => all.findIndex(({ id, resource }) => id === hit.id && resource === hit.resource) === i,
  );
}

/** Ceremonies by number, year or title, and records by number. */
async function findOthers(words: string): Promise<Hit[]> {
  const ceremonies = await list('ceremonies');
  const isMeant = ({ id, ceremony_year, show_title }: (typeof ceremonies)[number]) =>
    [String(id), String(ceremony_year)].includes(words) ||
    (words.length > 2 && fold(show_title ?? '').includes(fold(words)));
  const found = ceremonies.filter(isMeant).slice(0, hitsOfResource);
  const hits = found.map((one): Hit => {
    const [label] = describe({ ...one });
    return { resource: 'ceremonies', id: one.id, label, note: String(one.ceremony_year) };
  });
  if (!/^[1-9]\d{0,9}$/.test(words)) return hits;
  const numbered = await Promise.all(
    resourceNames.map(async (resource) => {
      if (resource === 'ceremonies' || resource === 'categories') return [];
      const { document } = await read<ListOf['movies']>(`/api/${resource}`, `ids=${words}`);
      return document.data.map((record): Hit => {
        const values: Values = { ...record };
        return { resource, id: record.id, label: titleOf(values), note: describe(values)[1] };
      });
    }),
  );
  return [...hits, ...numbered.flat()];
}

interface FinderProps {
  id: string;
  label: string;
  placeholder: string;
  resources?: readonly NamedResource[];
  /** Whether the field has the focus at first. */
  isFocused?: boolean;
  /** A record whose likes are shown at first; it is no hit itself. */
  like?: { id: number; name: string };
  onChoose: (hit: Hit) => void;
}

/** A combobox. The first hit is active, so that Enter chooses it. */
export function Finder(props: FinderProps) {
  const { id, label, placeholder, resources = namedResources, isFocused = false, like, onChoose } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Also gives it the focus.
    if (isFocused) field.current?.select();
  }, []);
  const [words, setWords] = useState(like?.name ?? '');
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(like !== undefined);
  const typed = words.trim();
  const found = useLatest(typed, () => (typed ? findHits(typed, resources) : Promise.resolve([])));
  const hits = (found ?? []).filter(({ id: own }) => own !== like?.id).slice(0, 12);
  const isShown = isOpen && typed !== '' && found !== undefined;
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    setOpen(false);
    setWords('');
    onChoose(hit);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) {
      setOpen(true);
      setActive((active + step + hits.length) % hits.length);
    } else if (event.key === 'Enter') choose(hits[active]);
    else if (event.key === 'Escape' && isShown) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="finder">
      <input
        ref={field}
        id={id}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && hits.length > 0 ? `${id}-${active}` : undefined}
        placeholder={placeholder}
        autocomplete="off"
        value={words}
        onInput={({ currentTarget: { value } }) => {
          setWords(value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div class="hits" hidden={!isShown}>
        <div id={`${id}-hits`} role="listbox" aria-label={label}>
          {hits.map((hit, i) => (
            <div
              key={`${hit.resource} ${hit.id}`}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === active}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(hit);
              }}
            >
              <span class="kind">{capitalized(nouns[hit.resource].one)}</span> <b>{hit.label}</b>{' '}
              <small>{joined(hit.note, `no. ${hit.id}`)}</small>
            </div>
          ))}
        </div>
        {hits.length === 0 && <p>No record is called that.</p>}
      </div>
    </div>
  );
}
