/** A night: its winners, the nominations of a category, or of all from a sheet. */
import type { VNode } from 'preact';
import { Loaded } from './loaded.tsx';
import { entriesIn, type LoadedNight, type LoadedState, nextOpen, useNight } from './night-state.ts';
import { hasWon } from './reading.ts';
import { type Access, Heading, NewsBox } from './work.tsx';

type Props = { ceremony: number; view: string; category: number | undefined; access: Access };

/** @param props.view `winners`, `sheet`, `honors` or `categories` */
export function Night({ ceremony, view, category, access }: Props) {
  const state = useNight(ceremony, access.key);
  const { night, problem, news, forgetNews } = state;
  if (!night) {
    return (
      <>
        <Heading text={`Ceremony ${ceremony}`} />
        {problem ? (
          <p class="notice bad" role="alert">
            <strong>The night cannot be read</strong> {problem} Load the page again to try once more.
          </p>
        ) : (
          <p class="empty">Reading the night …</p>
        )}
      </>
    );
  }
  const own = night.categories.find(({ id }) => id === category);
  return (
    <>
      <Heading text={headingOf(view, own?.category_name, night)} />
      <Tabs night={night} view={view} category={category} />
      <NewsBox news={news} onClose={forgetNews} />
      <NightView state={{ ...state, night }} view={view} category={category} access={access} />
    </>
  );
}

const headingOf = (view: string, category: string | undefined, { title }: LoadedNight): string => {
  const names: Readonly<Record<string, string>> = {
    winners: 'Winners',
    sheet: 'Nominations from a sheet',
    honors: 'Honors',
  };
  return `${names[view] ?? category ?? 'Category'}, ${title}`;
};

type PartProps = { state: LoadedState; access: Access };
/** View → loads what shows it. */
const parts: Readonly<Record<string, () => Promise<(props: PartProps) => VNode>>> = {
  winners: async () => (await import('./winners.tsx')).Winners,
  sheet: async () => (await import('./sheet.tsx')).SheetView,
  honors: async () => (await import('./honors.tsx')).Honors,
};
const loadGrid = async () => (await import('./grid.tsx')).Grid;

function NightView(props: {
  state: LoadedState;
  view: string;
  category: number | undefined;
  access: Access;
}) {
  const { state, view, category, access } = props;
  if (view !== 'categories') return <Loaded load={parts[view]!} props={{ state, access }} />;
  const own = state.night.categories.find(({ id }) => id === category);
  if (!own) return <p>There is no such category.</p>;
  return <Loaded load={loadGrid} props={{ state, access, category: own }} />;
}

/** Ways between the views of the night. */
function Tabs({ night, view, category }: { night: LoadedNight; view: string; category: number | undefined }) {
  const address = `/edit/ceremonies/${night.ceremony}`;
  const next = nextOpen(night, category);
  const current = (own: string) => (own === view ? ('page' as const) : undefined);
  return (
    <nav class="tabs" aria-label="The night">
      <a href={`${address}/winners`} aria-current={current('winners')}>
        Winners
      </a>
      <a href={`${address}/sheet`} aria-current={current('sheet')}>
        From a sheet
      </a>
      <a href={`${address}/honors`} aria-current={current('honors')}>
        Honors
      </a>
      <CategorySelect night={night} category={category} />
      {next && (
        <a class="next" href={`${address}/categories/${next.id}`} data-shortcut="n">
          Next: {next.category_name}
        </a>
      )}
      <a href={address}>Ceremony</a>
    </nav>
  );
}

/** "Directing: 5, a winner" for each category; those of the past apart. */
function CategorySelect({ night, category }: { night: LoadedNight; category: number | undefined }) {
  const labelOf = (id: number, name: string) => {
    const entries = entriesIn(night, id);
    const winners = entries.filter(hasWon).length;
    const state = entries.length === 0 ? 'none yet' : `${entries.length}${winners > 0 ? ' ★' : ''}`;
    return `${name} (${state})`;
  };
  const options = (categories: LoadedNight['categories']) =>
    categories.map(({ id, category_name }) => (
      <option key={id} value={id}>
        {labelOf(id, category_name)}
      </option>
    ));
  return (
    <select
      aria-label="Category"
      value={category ?? ''}
      onChange={({ currentTarget: { value } }) => {
        if (value) location.href = `/edit/ceremonies/${night.ceremony}/categories/${value}`;
      }}
    >
      <option value="">Choose a category …</option>
      {options(night.current)}
      {night.past.length > 0 && <optgroup label="Not given in recent years">{options(night.past)}</optgroup>}
    </select>
  );
}
