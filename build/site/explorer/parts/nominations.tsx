/** Nominations in the forms the pages show them: an entry in words, and a table. */
import type { ComponentChildren } from 'preact';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { recordHref } from '../addresses.ts';
import { type Entry, entriesOf } from '../entries.ts';

/** Links to everyone who was nominated together. */
export function Nominees({ nominations }: { nominations: readonly Nomination[] }) {
  return (
    <>
      {nominations.map(({ id, nominee, nominee_id }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <a href={recordHref('nominees', nominee_id)}>{nominee}</a>
        </span>
      ))}
    </>
  );
}

export const FilmLink = ({ nomination }: { nomination: Nomination }) => (
  <a class="title" href={recordHref('movies', nomination.movie_id)}>
    {nomination.movie}
  </a>
);

export const SongLink = ({ nomination: { song_id, song_title } }: { nomination: Nomination }) =>
  song_id === null ? null : (
    <a class="song" href={recordHref('songs', song_id)}>
      “{song_title}”
    </a>
  );

export const CeremonyLink = ({ nomination }: { nomination: Nomination }) => (
  <a href={recordHref('ceremonies', nomination.ceremony_id)}>{nomination.ceremony_year}</a>
);

const CategoryLink = ({ nomination }: { nomination: Nomination }) => (
  <a href={recordHref('categories', nomination.category_id)}>{nomination.category}</a>
);

/** How it ended, leading to the nomination, or to all of the entry: there they are corrected. */
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
  year: { title: 'Year', cell: ({ first }) => <CeremonyLink nomination={first} /> },
  category: { title: 'Category', cell: ({ first }) => <CategoryLink nomination={first} /> },
  film: {
    title: 'Film',
    cell: ({ first }) => (
      <>
        {first.song_id !== null && (
          <>
            <SongLink nomination={first} />
            {' from '}
          </>
        )}
        <FilmLink nomination={first} />
      </>
    ),
  },
  song: { title: 'Song', cell: ({ first }) => <SongLink nomination={first} /> },
  nominees: { title: 'Nominated', cell: ({ nominations }) => <Nominees nominations={nominations} /> },
  outcome: { title: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
};

/** @param props.each whether nominations of several people for one film stand apart */
export function NominationTable(props: {
  caption: string;
  nominations: readonly Nomination[];
  shown: readonly Column[];
  each?: boolean;
}) {
  const { caption, nominations, shown, each } = props;
  const entries = each
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

/** One entry in two lines, for lists where the category stands above. @param props.person whether people come first */
export function EntryLines({ entry, person }: { entry: Entry; person: boolean }) {
  const { first, nominations } = entry;
  const film = <FilmLink nomination={first} />;
  const nominees = <Nominees nominations={nominations} />;
  const lines: readonly [ComponentChildren, ComponentChildren] =
    first.song_id !== null
      ? [
          <SongLink key="song" nomination={first} />,
          <span key="rest">
            {film}, {nominees}
          </span>,
        ]
      : person
        ? [nominees, film]
        : [film, nominees];
  return (
    <li class={first.winner ? 'entry won' : 'entry'}>
      <span class="first">
        {lines[0]}
        {first.winner && <span class="badge">Won</span>}
      </span>
      <span class="second">{lines[1]}</span>
    </li>
  );
}
