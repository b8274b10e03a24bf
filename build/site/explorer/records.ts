/**
 * What the record itself can say: most wins, ties, refusals and the like. One function each over the
 * nominations of one snapshot; official nominations count, ties of a rank stand together.
 */
import { personFlags } from '../../../api/read/named-columns.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { count, plainCase, span, together } from '../shared/format.ts';
import { awardHref, recordHref } from './addresses.ts';
import {
  bestPicture,
  type DetailedNomination,
  type Entry,
  entriesOf,
  groupBy,
  nominationsIn,
} from './record.ts';

export interface RecordRow {
  href: string;
  label: string;
  detail: string;
  numbers: readonly [string, string];
}

export interface RecordList {
  id: string;
  title: string;
  rows: RecordRow[];
}

/** All nominations, as the functions read them. */
interface Everything {
  /** The entries that are official. */
  entries: readonly Entry[];
  nominations: readonly DetailedNomination[];
  isPerson: (nominee: number) => boolean;
}

/** More rows are left out, but for those that are equal to the last one. */
const most = 8;

/** The first of some ranked items, and those that are equal to the last of them. */
function leading<T>(items: readonly T[], totalOf: (item: T) => number): T[] {
  const ranked = [...items].sort((a, b) => totalOf(b) - totalOf(a));
  const last = ranked[most - 1];
  return last === undefined
    ? ranked
    : ranked.filter((item) => totalOf(item) >= totalOf(last)).slice(0, 2 * most);
}

const yearsOf = (entries: readonly Entry[]): number[] => entries.map(({ first }) => first.ceremony_year);
const spanOf = (entries: readonly Entry[]): string =>
  span(Math.min(...yearsOf(entries)), Math.max(...yearsOf(entries)));
const winsOf = (entries: readonly Entry[]): Entry[] => entries.filter(({ winner }) => winner);
const hasBestPicture = (entries: readonly Entry[]): boolean =>
  entries.some(({ first, winner }) => winner && first.category === bestPicture);

/** A film with its entries. */
const filmsOf = ({ entries }: Everything): Entry[][] =>
  groupBy(entries, ({ first }) => first.movie_id).map(([, own]) => own);

/** A person with the entries. */
function peopleOf({ entries, isPerson }: Everything): { id: number; name: string; entries: Entry[] }[] {
  const pairs = entries.flatMap((entry) =>
    groupBy(entry.nominations, ({ nominee_id }) => nominee_id).map(([id, [own]]) => ({
      id,
      own: own!,
      entry,
    })),
  );
  return groupBy(
    pairs.filter(({ id }) => isPerson(id)),
    ({ id }) => id,
  ).map(([id, own]) => ({ id, name: own[0]!.own.nominee, entries: own.map(({ entry }) => entry) }));
}

const filmRow = (entries: readonly Entry[], numbers: RecordRow['numbers']): RecordRow => {
  const { movie_id, movie, ceremony_year } = entries[0]!.first;
  return {
    href: recordHref('movies', movie_id, movie),
    label: movie,
    detail: `ceremony of ${ceremony_year}`,
    numbers,
  };
};

const personRow = (
  { id, name, entries }: { id: number; name: string; entries: Entry[] },
  numbers: RecordRow['numbers'],
  detail = spanOf(entries),
): RecordRow => ({ href: recordHref('nominees', id, name), label: name, detail, numbers });

const entryRow = ({ first, winner }: Entry, detail: string): RecordRow => ({
  href: awardHref({ id: first.ceremony_id, ceremony_year: first.ceremony_year }, first.category_id),
  label: first.song_title === null ? `${first.nominee}, ${first.movie}` : `“${first.song_title}”`,
  detail,
  numbers: [`${first.category}, ${first.ceremony_year}`, winner ? ' · won' : ''],
});

const nominationsAndWins = (entries: readonly Entry[]): RecordRow['numbers'] => {
  const wins = winsOf(entries).length;
  return [count(entries.length, 'nomination'), wins > 0 ? ` · ${count(wins, 'win')}` : ''];
};

const mostWins = (all: Everything): RecordRow[] =>
  leading(filmsOf(all), (own) => winsOf(own).length).map((own) => filmRow(own, nominationsAndWins(own)));

const mostWinsWithoutBestPicture = (all: Everything): RecordRow[] =>
  leading(
    filmsOf(all).filter((own) => !hasBestPicture(own)),
    (own) => winsOf(own).length,
  ).map((own) => filmRow(own, nominationsAndWins(own)));

const filmsWithoutWin = (all: Everything): RecordRow[] =>
  leading(
    filmsOf(all).filter((own) => winsOf(own).length === 0),
    (own) => own.length,
  ).map((own) => filmRow(own, nominationsAndWins(own)));

const peopleWithoutWin = (all: Everything): RecordRow[] =>
  leading(
    peopleOf(all).filter(({ entries }) => winsOf(entries).length === 0),
    ({ entries }) => entries.length,
  ).map((person) => personRow(person, nominationsAndWins(person.entries)));

/** Picture, direction, both leading roles and a screenplay. */
const bigFive = [
  /^Best Picture$/,
  /^Directing$/,
  /^Actor in a Leading Role$/,
  /^Actress in a Leading Role$/,
  /^Writing \((Adapted|Original) Screenplay\)$/,
];
const wonBigFive = (all: Everything): RecordRow[] =>
  filmsOf(all)
    .filter((own) => bigFive.every((one) => winsOf(own).some(({ first }) => one.test(first.category))))
    .map((own) => filmRow(own, nominationsAndWins(own)));

const personMostWins = (all: Everything): RecordRow[] =>
  leading(peopleOf(all), ({ entries }) => winsOf(entries).length).map((person) =>
    personRow(person, nominationsAndWins(person.entries)),
  );

const lossesBeforeWin = (all: Everything): RecordRow[] => {
  const waits = peopleOf(all).flatMap((person) => {
    const first = Math.min(...yearsOf(winsOf(person.entries)));
    const before = person.entries.filter((own) => own.first.ceremony_year < first).length;
    return Number.isFinite(first) && before > 0 ? [{ person, before, first }] : [];
  });
  return leading(waits, ({ before }) => before).map(({ person, before, first }) =>
    personRow(person, [count(before, 'loss', 'losses'), ''], `first win in ${first}`),
  );
};

const longestGap = (all: Everything): RecordRow[] => {
  const gaps = peopleOf(all).flatMap((person) => {
    const years = [...new Set(yearsOf(winsOf(person.entries)))].sort((a, b) => a - b);
    const pairs = years.slice(1).map((year, at) => [years[at]!, year] as const);
    const [longest] = pairs.sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
    return longest ? [{ person, from: longest[0], to: longest[1] }] : [];
  });
  return leading(gaps, ({ from, to }) => to - from).map(({ person, from, to }) =>
    personRow(person, [count(to - from, 'year'), ''], `won in ${from} and in ${to}`),
  );
};

const mostCategories = (all: Everything): RecordRow[] => {
  const categoriesOf = (entries: readonly Entry[]) => new Set(entries.map(({ first }) => first.category));
  return leading(peopleOf(all), ({ entries }) => categoriesOf(entries).size).map((person) =>
    personRow(person, [count(categoriesOf(person.entries).size, 'category', 'categories'), '']),
  );
};

const twoActingNominations = (all: Everything): RecordRow[] =>
  peopleOf(all).flatMap((person) =>
    groupBy(
      person.entries.filter(({ first }) => /^Act(or|ress) in/.test(first.category)),
      ({ first }) => first.ceremony_id,
    )
      .filter(([, own]) => new Set(own.map(({ first }) => first.category)).size > 1)
      .map(([, own]) =>
        personRow(
          person,
          [String(own[0]!.first.ceremony_year), winsOf(own).length > 0 ? ' · won one' : ''],
          together(new Set(own.map(({ first }) => first.movie))),
        ),
      ),
  );

/** Two winners of one award; a category that had several awards had no tie. */
const ties = ({ entries }: Everything): RecordRow[] =>
  groupBy(winsOf(entries), ({ first }) => {
    const { ceremony_id, category_id, details } = first;
    return `${ceremony_id} ${category_id} ${details.historical_category}`;
  })
    .filter(([, own]) => own.length > 1)
    .map(([, own]) => ({ ...entryRow(own[0]!, ''), label: together(own.map(nameOf)) }));

const nameOf = ({ first }: Entry): string =>
  /^(Act(or|ress)|Directing)/.test(first.category) ? first.nominee : first.movie;

/** Entries whose note matches. */
const noted = ({ nominations }: Everything, pattern: RegExp): RecordRow[] =>
  entriesOf(nominations.filter(({ details }) => pattern.test(details.note ?? ''))).map((entry) =>
    entryRow(entry, plainCase(entry.first.details.note!)),
  );

/** A list has what its function finds; empty ones are left out. */
const functions: readonly (readonly [id: string, title: string, find: (all: Everything) => RecordRow[]])[] = [
  ['most-wins', 'Films with the most wins', mostWins],
  ['without-best-picture', 'Most wins without Best Picture', mostWinsWithoutBestPicture],
  [
    'big-five',
    'Films that won the Big Five: picture, direction, both leading roles and screenplay',
    wonBigFive,
  ],
  ['films-without-win', 'Films with the most nominations and no win', filmsWithoutWin],
  ['people-most-wins', 'People with the most wins', personMostWins],
  ['people-without-win', 'People with the most nominations and no win', peopleWithoutWin],
  ['losses', 'Most losses before the first win', lossesBeforeWin],
  ['longest-gap', 'Longest time between two wins', longestGap],
  ['most-categories', 'Nominated in the most categories', mostCategories],
  ['two-roles', 'Two acting nominations in one year', twoActingNominations],
  ['ties', 'Ties', ties],
  ['refusals', 'Refused awards', (all) => noted(all, /\b(refused|declined)\b/i)],
  ['write-ins', 'Write-in candidates', (all) => noted(all, /write-in/i)],
];

/** The lists of a snapshot, computed once. @throws SnapshotUnavailable */
export const recordLists = (snapshot: Snapshot): Promise<RecordList[]> =>
  snapshot.derive('records', ['nominations', 'titles', 'names', 'songs', 'details', 'people'], async () => {
    const { count: rows } = await snapshot.table('nominations');
    const [nominations, people, ids] = await Promise.all([
      nominationsIn(
        snapshot,
        Array.from({ length: rows }, (_, row) => row),
      ),
      personFlags(snapshot),
      snapshot.table('ids'),
    ]);
    const entries = entriesOf(nominations.filter(({ details }) => details.official));
    const isPerson = (id: number) => people[ids.nominees.row(id)] === 1;
    const all = { entries, nominations, isPerson };
    return functions
      .map(([id, title, find]) => ({ id, title, rows: find(all) }))
      .filter((list) => list.rows.length > 0);
  });
