/** Nominations as a table and as entries in two lines. */
import type { ComponentChildren, Key } from 'preact';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { type Entry, entriesOf } from '../counts.ts';
import { recordHref } from '../navigation.ts';

export const recordLink = (
  resource: ResourceName,
  id: number,
  text: ComponentChildren,
  className?: string,
): ComponentChildren => (
  <a class={className} href={recordHref(resource, id)}>
    {text}
  </a>
);

export const filmLink = ({ movie_id, movie }: Nomination) => recordLink('movies', movie_id, movie, 'title');

const songLink = ({ song_id, song_title }: Nomination) =>
  song_id === null ? undefined : recordLink('songs', song_id, `“${song_title}”`, 'song');

/** Items separated by commas. */
export function commaList<T>(
  items: readonly T[],
  show: (item: T) => ComponentChildren,
  keyOf: (item: T) => Key,
): ComponentChildren {
  return items.map((item, i) => (
    <span key={keyOf(item)}>
      {i > 0 && ', '}
      {show(item)}
    </span>
  ));
}

const nomineeLinks = (nominations: readonly Nomination[]) =>
  commaList(
    nominations,
    ({ nominee_id, nominee }) => recordLink('nominees', nominee_id, nominee),
    ({ id }) => id,
  );

/** Won or not, with a link to the nomination, or to all nominations of the entry. */
function Outcome({ entry: { first, nominations } }: { entry: Entry }) {
  const all = new URLSearchParams({
    ceremony_ids: String(first.ceremony_id),
    category_ids: String(first.category_id),
    movie_ids: String(first.movie_id),
  });
  const href = nominations.length === 1 ? recordHref('nominations', first.id) : `/nominations?${all}`;
  return (
    <a class={first.winner ? 'outcome won' : 'outcome'} href={href}>
      {first.winner ? 'Won' : 'Nominated'}
    </a>
  );
}

type Column = 'year' | 'category' | 'film' | 'song' | 'nominees' | 'outcome';

const columns: Record<Column, { title: string; cell: (entry: Entry) => ComponentChildren }> = {
  year: {
    title: 'Year',
    cell: ({ first }) => recordLink('ceremonies', first.ceremony_id, first.ceremony_year),
  },
  category: {
    title: 'Category',
    cell: ({ first }) => recordLink('categories', first.category_id, first.category),
  },
  film: {
    title: 'Film',
    cell: ({ first }) => [songLink(first), first.song_id !== null && ' from ', filmLink(first)],
  },
  song: { title: 'Song', cell: ({ first }) => songLink(first) },
  nominees: { title: 'Nominated', cell: ({ nominations }) => nomineeLinks(nominations) },
  outcome: { title: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
};

/** @param props.isSplit whether each person has a row, instead of each entry */
export function NominationTable(props: {
  caption: string;
  nominations: readonly Nomination[];
  shown: readonly Column[];
  isSplit?: boolean;
}) {
  const { caption, nominations, shown, isSplit } = props;
  const entries = isSplit
    ? nominations.map((nomination) => ({ first: nomination, nominations: [nomination] }))
    : entriesOf(nominations);
  return (
    <table class="nominations">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {shown.map((column) => (
            <th key={column} scope="col" class={column}>
              {columns[column].title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.first.id} class={entry.first.winner ? 'won' : undefined}>
            {shown.map((column) => (
              <td key={column} class={column}>
                {columns[column].cell(entry)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Entries of one category, winners first. @param props.group of the category */
export function EntryList(props: { entries: readonly Entry[]; group: string | null; label?: string }) {
  const { entries, group, label } = props;
  // These awards honour people; all others honour films.
  const isPersonal = group === 'Acting' || group === 'Direction';
  const winnersFirst = [
    ...entries.filter(({ first }) => first.winner),
    ...entries.filter(({ first }) => !first.winner),
  ];
  return (
    <ul class="entries" aria-label={label}>
      {winnersFirst.map((entry) => (
        <EntryLines key={entry.first.id} entry={entry} isPersonal={isPersonal} />
      ))}
    </ul>
  );
}

function EntryLines({ entry: { first, nominations }, isPersonal }: { entry: Entry; isPersonal: boolean }) {
  const [film, nominees, song] = [filmLink(first), nomineeLinks(nominations), songLink(first)];
  const second = isPersonal ? film : nominees;
  return (
    <li class={first.winner ? 'entry won' : 'entry'}>
      <span class="first">
        {song ?? (isPersonal ? nominees : film)}
        {first.winner && <span class="badge">Won</span>}
      </span>
      <span class="second">{song ? <span>{[film, ', ', nominees]}</span> : second}</span>
    </li>
  );
}
