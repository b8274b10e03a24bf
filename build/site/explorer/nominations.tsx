/** @jsxRuntime automatic @jsxImportSource preact */
/** Nominations as a table, as entries in two lines, and as the cards of winners. */
import type { ComponentChildren } from 'preact';
import { filmYear } from '../../../api/contract/film-year.ts';
import type { Nomination } from '../../../api/contract/resources.ts';
import { capitalized, count, historicalName, together } from '../shared/format.ts';
import { awardHref, recordHref } from './addresses.ts';
import { listed, Picture, recordLink, type Visit } from './parts.tsx';
import {
  type Award,
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
function Remarks({ nomination, withName }: { nomination: DetailedNomination; withName?: boolean }) {
  const { category, details } = nomination;
  const { note, official, historical_category } = details;
  const name = withName ? historicalName(historical_category, category) : undefined;
  const texts = [
    name !== undefined && `Category name at the time: ${name}`,
    !official && 'Not an official nomination',
    note !== null && capitalized(note),
  ].filter((text) => text !== false);
  return (
    <>
      {texts.map((text) => (
        <span key={text} class="remark soft">
          {text}
        </span>
      ))}
    </>
  );
}

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
  category: ({ first, nominations }, shown) => [
    recordLink('categories', first.category_id, first.category),
    !shown.includes('film') && first.song_id !== null && <span class="remark soft">{songLink(first)}</span>,
    !shown.includes('nominees') && <Roles key="roles" nominations={nominations} />,
    <Remarks key="remarks" nomination={first} withName />,
  ],
  film: (entry, shown) =>
    entry.first.song_id === null || !shown.includes('category')
      ? filmLinks(entry)
      : [songLink(entry.first), ' from ', filmLinks(entry)],
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
        {entries.map((entry) => (
          <tr key={entry.first.id} class={entry.winner ? 'won' : undefined}>
            {shown.map((column) => (
              <td key={column} class={column}>
                {cells[column](entry, shown)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the awards of a group of categories are for people; all others are for films. */
const isPersonal = (group: string | null): boolean => group === 'Acting' || group === 'Direction';

/** What is nominated in a category: the song, the people or the films first, what belongs to it below. */
function linesOf(entry: Entry, group: string | null): [first: ComponentChildren, second: ComponentChildren] {
  const [films, nominees, song] = [filmLinks(entry), nomineeLinks(entry), songLink(entry.first)];
  if (song !== undefined) return [song, [films, ', ', nominees]];
  return isPersonal(group) ? [nominees, films] : [films, nominees];
}

/** Whether winners share one award; early categories had several awards, which are one category here. */
const isTie = (winners: readonly Entry[]): boolean =>
  winners.length > 1 &&
  new Set(winners.flatMap(({ first }) => first.details.historical_category ?? [])).size < 2;

/** Entries of one category, winners first. @param props.group of the category */
export function EntryList(props: { nominations: readonly DetailedNomination[]; group: string | null }) {
  const entries = entriesOf(props.nominations);
  const winners = entries.filter(({ winner }) => winner);
  return (
    <ul class="entries">
      {[...winners, ...entries.filter(({ winner }) => !winner)].map((entry) => {
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

interface WinnersProps {
  visit: Visit;
  ceremony: CeremonySummary;
  /** With a winner, in the order of the categories. */
  awards: readonly Award[];
  /** No more cards. */
  most?: number;
  /** Address of the poster of the film that won the first award. */
  poster: string | null;
}

/** The winners as cards; the first is that of the film that won the first award. */
export function Winners({ visit, ceremony, awards, poster, most = awards.length }: WinnersProps) {
  const lead = awards[0]?.nominations[0];
  if (!lead) return null;
  const ofLead = (own: Nomination) => own.movie_id === lead.movie_id;
  const year = filmYear(ceremony);
  const won = awards.filter(({ nominations }) => nominations.some(ofLead)).length;
  return (
    <ul class="winners">
      <li class="lead-winner">
        <a href={recordHref('movies', lead.movie_id, lead.movie)}>
          <Picture visit={visit} year={year} wins={won} text={String(year)} address={poster} kind="film" />
          <span class="soft">{lead.category}</span>
          <span class="first">{lead.movie}</span>
          <span class="second">{count(won, 'award')}</span>
        </a>
      </li>
      {awards.slice(0, most).map(({ category, nominations }) => {
        const all = entriesOf(nominations);
        const entries = all.filter(({ first }) => first.category_id !== lead.category_id || !ofLead(first));
        if (entries.length === 0) return null;
        return (
          <li key={category.id} class="winner">
            <a class="soft" href={awardHref(ceremony, category.id)}>
              {category.category_name}
              {isTie(all) && ' (tie)'}
            </a>
            {entries.map((entry) => {
              const [first, second] = linesOf(entry, category.category_group);
              return [
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
  );
}
