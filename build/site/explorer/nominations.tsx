/** @jsxRuntime automatic @jsxImportSource preact */
/** Nominations as a table, as entries in two lines, and as the cards of winners. */
import { type ComponentChildren, Fragment } from 'preact';
import type { Nomination } from '../../../api/contract/resources.ts';
import { count, historicalName, plainCase, titleCased, together } from '../shared/format.ts';
import { awardHref, recordHref } from './addresses.ts';
import { FilmCard } from './cards.tsx';
import { listed, recordLink, type Visit } from './parts.tsx';
import {
  type Award,
  bestPicture,
  type CeremonySummary,
  type DetailedNomination,
  type Entry,
  entriesOf,
  firstOfEach,
  groupBy,
} from './record.ts';

export const ceremonyLink = (ceremony: { id: number; ceremony_year: number }, text: string) => (
  <a href={recordHref('ceremonies', ceremony.id, ceremony.ceremony_year)}>{text}</a>
);

export const filmLink = ({ movie_id, movie }: Nomination) => (
  <a class="title" dir="auto" href={recordHref('movies', movie_id, movie)}>
    {movie}
  </a>
);

const songLink = ({ song_id, song_title }: Nomination) =>
  song_id === null ? undefined : (
    <a class="song" dir="auto" href={recordHref('songs', song_id, song_title!)}>{`“${song_title}”`}</a>
  );

const filmLinks = ({ nominations }: Entry) =>
  listed(firstOfEach(nominations, ({ movie_id }) => movie_id).map(filmLink));

/** "Meryl Streep as Margaret Thatcher". */
const nomineeLinks = ({ nominations }: Entry) =>
  listed(
    groupBy(nominations, ({ nominee_id }) => nominee_id).map(([id, own]) => [
      recordLink('nominees', id, own[0]!.nominee),
      <Roles key={id} nominations={own} />,
    ]),
  );

/** The roles of one person: early nominations were for several films. */
function Roles({ nominations }: { nominations: readonly DetailedNomination[] }) {
  const roles = nominations.flatMap(({ details: { character } }) => character ?? []);
  const credited = new Set(nominations.flatMap(({ details }) => details.credited_as ?? []));
  const text = [
    roles.length > 0 ? ` as ${together(new Set(roles))}` : '',
    credited.size > 0 ? ` (credited as ${together(credited)})` : '',
  ].join('');
  return text === '' ? null : <span class="role">{text}</span>;
}

/**
 * What sets a nomination apart: its category had another name, it is not official, or the source has a note.
 */
function remarksOf({ category, details }: DetailedNomination, withName: boolean): string[] {
  const { note, official, historical_category } = details;
  const name = withName ? historicalName(historical_category, category) : undefined;
  return [
    name !== undefined && `The category was called ${name}.`,
    !official && note === null && 'Not an official nomination.',
    note !== null && plainCase(note),
  ].filter((text) => text !== false);
}

const Remarks = ({ nomination }: { nomination: DetailedNomination }) => (
  <>
    {remarksOf(nomination, false).map((text) => (
      <span key={text} class="remark soft">
        {text}
      </span>
    ))}
  </>
);

type Column = 'year' | 'category' | 'film' | 'nominees' | 'outcome';

interface TableProps {
  caption: string;
  nominations: readonly DetailedNomination[];
  /** All columns of the table. */
  shown: readonly Column[];
  /** Whether each person has a row, instead of each entry. */
  isSplit?: boolean;
}

const titles: Readonly<Record<Column, string>> = {
  year: 'Ceremony',
  category: 'Category',
  film: 'Film',
  nominees: 'Nominated',
  outcome: 'Outcome',
};

const cells: Readonly<Record<Column, (entry: Entry, shown: readonly Column[]) => ComponentChildren>> = {
  year: ({ first }) => recordLink('ceremonies', first.ceremony_id, first.ceremony_year),
  category: ({ first }, shown) => [
    recordLink('categories', first.category_id, first.category),
    !shown.includes('film') && first.song_id !== null && <span class="remark soft">{songLink(first)}</span>,
  ],
  film: (entry, shown) => [
    filmLinks(entry),
    shown.includes('category') && entry.first.song_id !== null && (
      <span class="remark soft">{songLink(entry.first)}</span>
    ),
    !shown.includes('nominees') && <Roles key="roles" nominations={entry.nominations} />,
  ],
  nominees: nomineeLinks,
  outcome: ({ first, winner }) => (
    <a
      class={winner ? 'outcome won' : 'outcome'}
      href={awardHref({ id: first.ceremony_id, ceremony_year: first.ceremony_year }, first.category_id)}
    >
      {winner ? 'Won' : 'Nominated'}
    </a>
  ),
};

const rowClass = ({ winner }: Entry, isRemarked: boolean): string | undefined =>
  [winner ? 'won' : '', isRemarked ? 'remarked' : ''].filter(Boolean).join(' ') || undefined;

export function NominationTable({ caption, nominations, shown, isSplit = false }: TableProps) {
  const entries = isSplit
    ? nominations.map((own) => ({ first: own, nominations: [own], winner: own.winner }))
    : entriesOf(nominations);
  return (
    <table class="nominations">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {shown.map((column) => (
            <th key={column} scope="col" class={column}>
              {titles[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const remarks = remarksOf(entry.first, shown.includes('category'));
          return [
            <tr key={entry.first.id} class={rowClass(entry, remarks.length > 0)}>
              {shown.map((column) => (
                <td key={column} class={column}>
                  {cells[column](entry, shown)}
                </td>
              ))}
            </tr>,
            remarks.length > 0 && (
              <tr key={`${entry.first.id} remarks`} class="remarks soft">
                {shown[0] === 'year' && <td />}
                <td colSpan={shown.length - (shown[0] === 'year' ? 1 : 0)}>{remarks.join(' ')}</td>
              </tr>
            ),
          ];
        })}
      </tbody>
    </table>
  );
}

/** Whether the awards of a group of categories are for people; all others are for films. */
const isPersonal = (group: string | null): boolean => group === 'Acting' || group === 'Direction';

/** What is nominated in a category: the song, the people or the films first, what belongs to it below. */
function linesOf(entry: Entry, group: string | null): [first: ComponentChildren, second: ComponentChildren] {
  const [films, nominees, song] = [filmLinks(entry), nomineeLinks(entry), songLink(entry.first)];
  if (song !== undefined) return [song, ['from ', films, ' · by ', nominees]];
  return isPersonal(group) ? [nominees, films] : [films, nominees];
}

/**
 * The names of the awards of one category at one ceremony. Early categories had several, each with its own
 * winner: they were no ties.
 */
const awardNames = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(({ first }) => first.details.historical_category ?? []));

/** Whether winners share one award. */
const isTie = (winners: readonly Entry[]): boolean => winners.length > 1 && awardNames(winners).size < 2;

/** The name of the award of an entry, where its category had several at the ceremony. */
function awardName(entries: readonly Entry[], { first }: Entry): string | undefined {
  const name = first.details.historical_category;
  return name !== null && awardNames(entries).size > 1 ? titleCased(name) : undefined;
}

const winnersFirst = (entries: readonly Entry[]): Entry[] => [
  ...entries.filter(({ winner }) => winner),
  ...entries.filter(({ winner }) => !winner),
];

/** Entries of one category, winners first. @param props.group of the category */
export function EntryList(props: { nominations: readonly DetailedNomination[]; group: string | null }) {
  const all = entriesOf(props.nominations);
  const winners = all.filter(({ winner }) => winner);
  const awards = groupBy(all, (entry) => awardName(all, entry));
  return (
    <>
      {awards.map(([name, entries]) => (
        <Fragment key={name ?? ''}>
          {name !== undefined && <p class="of-award soft">{name}</p>}
          <ul class="entries">
            {winnersFirst(entries).map((entry) => {
              const [first, second] = linesOf(entry, props.group);
              return (
                <li key={entry.first.id} class={entry.winner ? 'entry won' : 'entry'}>
                  <span class="first">
                    {first}
                    {entry.winner && ' '}
                    {entry.winner && <span class="badge">{isTie(winners) ? 'Won, tie' : 'Won'}</span>}
                  </span>
                  <span class="second">{second}</span>
                  <Remarks nomination={entry.first} />
                </li>
              );
            })}
          </ul>
        </Fragment>
      ))}
    </>
  );
}

/** The columns of the winners of a category: those in whose name the award is come first. */
function winnerColumns(isOfSongs: boolean, group: string | null): readonly [first: string, second: string] {
  if (isOfSongs) return ['Song', 'Film and writers'];
  return isPersonal(group) ? ['Winner', 'Film'] : ['Film', 'Winners'];
}

interface WinnersTableProps {
  name: string;
  /** All of the category. */
  nominations: readonly DetailedNomination[];
  /** Of the category. */
  group: string | null;
}

/** All winners of a category, the latest first; a link of each ceremony leads to those who were nominated. */
export function WinnersTable({ name, nominations, group }: WinnersTableProps) {
  const [first, second] = winnerColumns(
    nominations.some(({ song_id }) => song_id !== null),
    group,
  );
  const nights = groupBy(nominations, ({ ceremony_id }) => ceremony_id)
    .map(([id, own]) => ({ id, year: own[0]!.ceremony_year, entries: entriesOf(own) }))
    .sort((a, b) => b.year - a.year || b.id - a.id);
  return (
    <table class="nominations">
      <caption class="visually-hidden">{`Winners of ${name}, latest first`}</caption>
      <thead>
        <tr>
          <th scope="col" class="year">
            Ceremony
          </th>
          <th scope="col">{first}</th>
          <th scope="col">{second}</th>
          <th scope="col" class="outcome">
            Nominees
          </th>
        </tr>
      </thead>
      <tbody>
        {nights.flatMap(({ id, year, entries }) => {
          const winners = entries.filter(({ winner }) => winner);
          return winners.map((entry, at) => {
            const [one, other] = linesOf(entry, group);
            const label = awardName(entries, entry);
            return (
              <tr key={entry.first.id}>
                <td class="year">{recordLink('ceremonies', id, year)}</td>
                <td>
                  <span class="first">{one}</span>
                  {label !== undefined && <span class="remark soft">{label}</span>}
                  {isTie(winners) && <span class="remark soft">Tie</span>}
                </td>
                <td>{other}</td>
                <td class="outcome">
                  {at === 0 && (
                    <a href={awardHref({ id, ceremony_year: year }, entry.first.category_id)}>
                      <span class="visually-hidden">All nominees of {year}: </span>
                      {entries.length}
                      <span class="unit"> {entries.length === 1 ? 'nominee' : 'nominees'}</span>
                    </a>
                  )}
                </td>
              </tr>
            );
          });
        })}
      </tbody>
    </table>
  );
}

/** The awards with a winner, and the nominations that won them. */
export const wonAwards = (awards: readonly Award[]): Award[] =>
  awards
    .map(({ category, nominations }) => ({
      category,
      nominations: nominations.filter(({ winner }) => winner),
    }))
    .filter(({ nominations }) => nominations.length > 0);

/** More films are not listed beside the winners. */
const maxFilms = 8;

/** The films that won at least two of some awards, the most first. */
function WinsOfFilms({ awards }: { awards: readonly Award[] }) {
  const won = awards.flatMap(({ nominations }) => entriesOf(nominations));
  const films = groupBy(won, ({ first }) => first.movie_id)
    .map(([, own]) => ({ first: own[0]!.first, wins: own.length }))
    .filter(({ wins }) => wins > 1)
    .sort((a, b) => b.wins - a.wins)
    .slice(0, maxFilms);
  if (films.length === 0) return null;
  return (
    <ul class="wins-of-films" aria-label="Films with several awards">
      {films.map(({ first, wins }) => (
        <li key={first.movie_id}>
          {filmLink(first)} <span class="won">{count(wins, 'win')}</span>
        </li>
      ))}
    </ul>
  );
}

interface WinnersProps {
  visit: Visit;
  ceremony: CeremonySummary;
  /** With a winner, in the order of the categories. */
  awards: readonly Award[];
  /** No more awards. */
  most?: number;
  /** Address of the poster of the film that won the first award. */
  poster: string | null;
}

/** The winners of a night: the card of the film that won the first award, and a line for each award. */
export function Winners({ visit, ceremony, awards, poster, most = awards.length }: WinnersProps) {
  const lead = awards[0]?.nominations[0];
  if (!lead) return null;
  const wins = awards.filter(({ nominations }) =>
    nominations.some(({ movie_id }) => movie_id === lead.movie_id),
  ).length;
  const film = {
    title: lead.movie,
    filmYears: ceremony.film_years,
    wins,
    wonBestPicture: lead.category === bestPicture,
    poster,
  };
  return (
    <div class="night">
      <div class="leaders">
        <a class="lead-winner" href={recordHref('movies', lead.movie_id, lead.movie)}>
          <FilmCard visit={visit} film={film} />
          <span class="visually-hidden">
            {lead.movie}, {count(wins, 'award')}
          </span>
        </a>
        <WinsOfFilms awards={awards} />
      </div>
      <ul class="winners">
        {awards.slice(0, most).map(({ category, nominations }) => {
          const all = entriesOf(nominations);
          return (
            <li key={category.id} class="winner">
              <a class="soft" href={awardHref(ceremony, category.id)}>
                {category.category_name}
                {isTie(all) && ' (tie)'}
              </a>
              {all.map((entry) => {
                const [first, second] = linesOf(entry, category.category_group);
                const name = awardName(all, entry);
                return [
                  name !== undefined && (
                    <span key="name" class="of-award soft">
                      {name}
                    </span>
                  ),
                  <span key="first" class="first">
                    {first}
                  </span>,
                  <span key="second" class="second">
                    {second}
                  </span>,
                ];
              })}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
