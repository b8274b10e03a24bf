/** @jsxRuntime automatic @jsxImportSource preact */
/** Nominations as a table and as entries in two lines. */
import type { ComponentChildren, Key } from 'preact';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { capitalized, historicalName, together } from '../../shared/format.ts';
import { isPersonal } from '../awards.ts';
import { type Entry, entriesOf, firstOfEach, groupBy } from '../counts.ts';
import { awardHref, recordHref } from '../addresses.ts';
import type { DetailedNomination } from '../record.ts';

/** @param text the title of the record, or the year of a ceremony */
export const recordLink = (
  resource: ResourceName,
  id: number,
  text: ComponentChildren,
  className?: string,
): ComponentChildren => (
  <a
    class={className}
    dir="auto"
    href={recordHref(resource, id, typeof text === 'string' || typeof text === 'number' ? text : undefined)}
  >
    {text}
  </a>
);

export const ceremonyLink = (
  { id, ceremony_year }: { id: number; ceremony_year: number },
  text: string,
): ComponentChildren => <a href={recordHref('ceremonies', id, ceremony_year)}>{text}</a>;

export const filmLink = ({ movie_id, movie }: Nomination) => recordLink('movies', movie_id, movie, 'title');

const songLink = ({ song_id, song_title }: Nomination) =>
  song_id === null ? undefined : recordLink('songs', song_id, `“${song_title}”`, 'song');

const filmLinks = ({ nominations }: Entry) =>
  commaList(
    firstOfEach(nominations, ({ movie_id }) => movie_id),
    filmLink,
    ({ movie_id }) => movie_id,
  );

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

/** "Meryl Streep as Margaret Thatcher". */
const nomineeLinks = ({ nominations }: Entry) =>
  commaList(
    groupBy(nominations, ({ nominee_id }) => nominee_id),
    ([id, own]) => [recordLink('nominees', id, own[0]!.nominee), <Roles key="roles" nominations={own} />],
    ([id]) => id,
  );

/** The roles of one person: early nominations were for several films. */
function Roles({ nominations }: { nominations: readonly DetailedNomination[] }) {
  const roles = nominations.flatMap(({ details: { character } }) => character ?? []);
  return roles.length === 0 ? null : <span class="role"> as {together(new Set(roles))}</span>;
}

/** The name of the category at the time, if it was another one. */
function NameThen({ nomination: { category, details } }: { nomination: DetailedNomination }) {
  const name = historicalName(details.historical_category, category);
  return name === undefined ? null : <span class="remark">called {name} at the time</span>;
}

function SongBeneath({ nomination }: { nomination: DetailedNomination }) {
  const link = songLink(nomination);
  return link === undefined ? null : <span class="remark">{link}</span>;
}

/** Longer notes stand on the page of the nomination. */
const maxNoteLength = 100;

/** What sets a nomination apart: it is not official, or the source has a note. */
function Remark({ nomination: { id, details } }: { nomination: DetailedNomination }) {
  const { note, official } = details;
  if (official && note === null) return null;
  const text = !official
    ? 'Not an official nomination'
    : note!.length <= maxNoteLength
      ? capitalized(note!)
      : 'Read the note';
  return <span class="remark">{text === note ? text : recordLink('nominations', id, text)}</span>;
}

/** Won or not, with a link to the nomination; for an entry of several, to its category on the page of the ceremony. */
function Outcome({ entry: { first, nominations, winner } }: { entry: Entry }) {
  const { ceremony_id, ceremony_year, category_id } = first;
  const href =
    nominations.length === 1
      ? recordHref('nominations', first.id)
      : awardHref({ id: ceremony_id, ceremony_year }, category_id);
  return (
    <>
      <a class={winner ? 'outcome won' : 'outcome'} href={href}>
        {winner ? 'Won' : 'Nominated'}
      </a>
      <Remark nomination={first} />
    </>
  );
}

type Column = 'year' | 'category' | 'film' | 'nominees' | 'outcome';

interface TableParts {
  /** All columns of the table. */
  shown: readonly Column[];
  /** Whether all rows are of the song of the page, which they leave out. */
  isOfSong?: boolean;
}

type Cell = (entry: Entry, parts: TableParts) => ComponentChildren;

const columns: Record<Column, { title: string; cell: Cell }> = {
  year: {
    title: 'Ceremony',
    cell: ({ first }) => recordLink('ceremonies', first.ceremony_id, first.ceremony_year),
  },
  category: {
    title: 'Category',
    cell: ({ first, nominations }, { shown }) => [
      recordLink('categories', first.category_id, first.category),
      <NameThen key="then" nomination={first} />,
      !shown.includes('film') && <SongBeneath key="song" nomination={first} />,
      !shown.includes('nominees') && <Roles key="roles" nominations={nominations} />,
    ],
  },
  film: {
    title: 'Film',
    cell: (entry, { isOfSong }) =>
      entry.first.song_id === null || isOfSong
        ? filmLinks(entry)
        : [songLink(entry.first), ' from ', filmLinks(entry)],
  },
  nominees: { title: 'Nominated', cell: nomineeLinks },
  outcome: { title: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
};

/** @param props.isSplit whether each person has a row, instead of each entry */
export function NominationTable(
  props: TableParts & {
    caption: string;
    nominations: readonly DetailedNomination[];
    isSplit?: boolean;
    /** Title of the column with the films and their songs. */
    filmTitle?: string;
  },
) {
  const { caption, nominations, shown, isSplit, filmTitle = columns.film.title } = props;
  const entries = isSplit
    ? nominations.map((nomination) => ({
        first: nomination,
        nominations: [nomination],
        winner: nomination.winner,
      }))
    : entriesOf(nominations);
  return (
    <table class="nominations">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {shown.map((column) => (
            <th key={column} scope="col" class={column}>
              {column === 'film' ? filmTitle : columns[column].title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.first.id} class={entry.winner ? 'won' : undefined}>
            {shown.map((column) => (
              <td key={column} class={column}>
                {columns[column].cell(entry, props)}
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
  const winnersFirst = [
    ...entries.filter(({ winner }) => winner),
    ...entries.filter(({ winner }) => !winner),
  ];
  return (
    <ul class="entries" aria-label={label}>
      {winnersFirst.map((entry) => (
        <EntryLines key={entry.first.id} entry={entry} isOfPeople={isPersonal(group)} />
      ))}
    </ul>
  );
}

function EntryLines({ entry, isOfPeople }: { entry: Entry; isOfPeople: boolean }) {
  const { first, winner } = entry;
  const [films, nominees, song] = [filmLinks(entry), nomineeLinks(entry), songLink(first)];
  const second = isOfPeople ? films : nominees;
  return (
    <li class={winner ? 'entry won' : 'entry'}>
      <span class="first">
        {song ?? (isOfPeople ? nominees : films)}
        {winner && <span class="badge">Won</span>}
      </span>
      <span class="second">{song ? <span>{[films, ', ', nominees]}</span> : second}</span>
      <Remark nomination={first} />
    </li>
  );
}
