/** Nominations as a table and as entries in two lines. */
import type { ComponentChildren } from 'preact';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { type Entry, entriesOf } from '../counts.ts';
import { recordHref } from '../navigation.ts';

export function RecordLink(props: {
  resource: ResourceName;
  id: number;
  class?: string;
  children: ComponentChildren;
}) {
  const { resource, id, ...rest } = props;
  return <a href={recordHref(resource, id)} {...rest} />;
}

const Nominees = ({ nominations }: { nominations: readonly Nomination[] }) =>
  nominations.map(({ id, nominee, nominee_id }, i) => (
    <span key={id}>
      {i > 0 && ', '}
      <RecordLink resource="nominees" id={nominee_id}>
        {nominee}
      </RecordLink>
    </span>
  ));

export const FilmLink = ({ nomination: { movie, movie_id } }: { nomination: Nomination }) => (
  <RecordLink resource="movies" id={movie_id} class="title">
    {movie}
  </RecordLink>
);

const SongLink = ({ nomination: { song_id, song_title } }: { nomination: Nomination }) =>
  song_id === null ? null : (
    <RecordLink resource="songs" id={song_id} class="song">
      “{song_title}”
    </RecordLink>
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
    cell: ({ first }) => (
      <RecordLink resource="ceremonies" id={first.ceremony_id}>
        {first.ceremony_year}
      </RecordLink>
    ),
  },
  category: {
    title: 'Category',
    cell: ({ first }) => (
      <RecordLink resource="categories" id={first.category_id}>
        {first.category}
      </RecordLink>
    ),
  },
  film: {
    title: 'Film',
    cell: ({ first }) => (
      <>
        <SongLink nomination={first} />
        {first.song_id !== null && ' from '}
        <FilmLink nomination={first} />
      </>
    ),
  },
  song: { title: 'Song', cell: ({ first }) => <SongLink nomination={first} /> },
  nominees: { title: 'Nominated', cell: ({ nominations }) => <Nominees nominations={nominations} /> },
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
  const film = <FilmLink nomination={first} />;
  const nominees = <Nominees nominations={nominations} />;
  const song = first.song_id !== null && <SongLink nomination={first} />;
  return (
    <li class={first.winner ? 'entry won' : 'entry'}>
      <span class="first">
        {song || (isPersonal ? nominees : film)}
        {first.winner && <span class="badge">Won</span>}
      </span>
      <span class="second">
        {song ? (
          <span>
            {film}, {nominees}
          </span>
        ) : isPersonal ? (
          film
        ) : (
          nominees
        )}
      </span>
    </li>
  );
}
