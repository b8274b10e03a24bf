/**
 * What the record itself can say: most wins, ties, refusals and the like. One function each over the
 * nominations of one snapshot; official nominations count, ties of a rank stand together.
 */
import { personFlags } from '../../../api/read/named-columns.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { count, date, plainCase, span, summaryParts, together, type WonText } from '../shared/format.ts';
import { awardHref, recordHref } from './addresses.ts';
import {
  bestPicture,
  type DetailedNomination,
  type Entry,
  entriesOf,
  groupBy,
  nominationsIn,
} from './record.ts';
import { type RecordKind, type RecordKindWords, recordKinds } from './record-kinds.ts';

export interface RecordRow {
  href: string;
  label: string;
  detail: string;
  numbers: WonText;
}

export interface RecordList {
  id: RecordKind;
  rows: RecordRow[];
}

interface Person {
  id: number;
  name: string;
  entries: readonly Entry[];
}

/** All nominations, as the functions read them. */
interface Everything {
  /** The entries that are official. */
  entries: readonly Entry[];
  /** The entries of each film. */
  films: readonly (readonly Entry[])[];
  people: readonly Person[];
  nominations: readonly DetailedNomination[];
  /** Dates of people, by nominee; null where the record has none. */
  birthdayOf: (nominee: number) => string | null;
  deathdayOf: (nominee: number) => string | null;
  /** The date of a ceremony; null where it is not known. */
  dateOf: (ceremony: number) => string | null;
  genresOf: (film: number) => readonly string[];
  countriesOf: (film: number) => readonly string[];
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

/** The people of some entries. */
function peopleOf(entries: readonly Entry[], isPerson: (nominee: number) => boolean): Person[] {
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
  { id, name, entries }: Person,
  numbers: RecordRow['numbers'],
  detail = spanOf(entries),
): RecordRow => ({ href: recordHref('nominees', id, name), label: name, detail, numbers });

const entryRow = ({ first, winner }: Entry, detail: string): RecordRow => ({
  href: awardHref({ id: first.ceremony_id, ceremony_year: first.ceremony_year }, first.category_id),
  label: first.song_title === null ? `${first.nominee}, ${first.movie}` : `“${first.song_title}”`,
  detail,
  numbers: [`${first.category}, ${first.ceremony_year}`, winner ? ' · won' : ''],
});

const summaryOfEntries = (entries: readonly Entry[]): WonText =>
  summaryParts({
    nominations: entries.length,
    wins: winsOf(entries).length,
    unofficial: 0,
    unofficial_wins: 0,
  });

const mostWins = (all: Everything): RecordRow[] =>
  leading(all.films, (own) => winsOf(own).length).map((own) => filmRow(own, summaryOfEntries(own)));

const mostWinsWithoutBestPicture = (all: Everything): RecordRow[] =>
  leading(
    all.films.filter((own) => !hasBestPicture(own)),
    (own) => winsOf(own).length,
  ).map((own) => filmRow(own, summaryOfEntries(own)));

const filmsWithoutWin = (all: Everything): RecordRow[] =>
  leading(
    all.films.filter((own) => winsOf(own).length === 0),
    (own) => own.length,
  ).map((own) => filmRow(own, summaryOfEntries(own)));

const peopleWithoutWin = (all: Everything): RecordRow[] =>
  leading(
    all.people.filter(({ entries }) => winsOf(entries).length === 0),
    ({ entries }) => entries.length,
  ).map((person) => personRow(person, summaryOfEntries(person.entries)));

/** Picture, direction, both leading roles and a screenplay. */
const bigFive = [
  /^Best Picture$/,
  /^Directing$/,
  /^Actor in a Leading Role$/,
  /^Actress in a Leading Role$/,
  /^Writing \((Adapted|Original) Screenplay\)$/,
];
const wonBigFive = (all: Everything): RecordRow[] =>
  all.films
    .filter((own) => bigFive.every((one) => winsOf(own).some(({ first }) => one.test(first.category))))
    .map((own) => filmRow(own, summaryOfEntries(own)));

const personMostWins = (all: Everything): RecordRow[] =>
  leading(all.people, ({ entries }) => winsOf(entries).length).map((person) =>
    personRow(person, summaryOfEntries(person.entries)),
  );

const lossesBeforeWin = (all: Everything): RecordRow[] => {
  const waits = all.people.flatMap((person) => {
    const first = Math.min(...yearsOf(winsOf(person.entries)));
    const before = person.entries.filter((own) => own.first.ceremony_year < first).length;
    return Number.isFinite(first) && before > 0 ? [{ person, before, first }] : [];
  });
  return leading(waits, ({ before }) => before).map(({ person, before, first }) =>
    personRow(person, [count(before, 'loss', 'losses'), ''], `first win in ${first}`),
  );
};

const longestGap = (all: Everything): RecordRow[] => {
  const gaps = all.people.flatMap((person) => {
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
  return leading(all.people, ({ entries }) => categoriesOf(entries).size).map((person) =>
    personRow(person, [count(categoriesOf(person.entries).size, 'category', 'categories'), '']),
  );
};

const twoActingNominations = (all: Everything): RecordRow[] =>
  all.people.flatMap((person) =>
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

/** The first winners of each category, in the order of the categories. */
const firstWinners = ({ entries }: Everything): RecordRow[] =>
  groupBy(winsOf(entries), ({ first }) => first.category_id)
    .sort(([a], [b]) => a - b)
    .map(([, won]) => {
      const [earliest] = [...won].sort(byCeremony);
      const own = won.filter(({ first }) => first.ceremony_id === earliest!.first.ceremony_id);
      const isOfPeople = nameOf(earliest!) === earliest!.first.nominee;
      return {
        ...entryRow(earliest!, isOfPeople ? together(new Set(own.map(({ first }) => first.movie))) : ''),
        label: together(new Set(own.map(nameOf))),
      };
    });

const byCeremony = ({ first: a }: Entry, { first: b }: Entry): number =>
  a.ceremony_year - b.ceremony_year || a.ceremony_id - b.ceremony_id;

/** The films that were nominated for Best Picture and that a rule picks, earliest first. */
const bestPictureFilms = (all: Everything, isMeant: (own: readonly Entry[], film: number) => boolean) =>
  all.films
    .filter((own) => own.some(({ first }) => first.category === bestPicture))
    .filter((own) => isMeant(own, own[0]!.first.movie_id))
    .sort(([a], [b]) => byCeremony(a!, b!))
    .map((own) => filmRow(own, summaryOfEntries(own)));

const hasCategory = (own: readonly Entry[], category: string): boolean =>
  own.some(({ first }) => first.category === category);

const animatedBestPicture = (all: Everything): RecordRow[] =>
  bestPictureFilms(
    all,
    (own, film) => hasCategory(own, 'Animated Feature Film') || all.genresOf(film).includes('Animation'),
  );

/** Countries whose films are mostly in English. */
const englishSpeaking: ReadonlySet<string> = new Set(['US', 'GB', 'IE', 'CA', 'AU', 'NZ']);

const internationalBestPicture = (all: Everything): RecordRow[] =>
  bestPictureFilms(all, (own, film) => {
    const countries = all.countriesOf(film);
    const isOfOthers = countries.length > 0 && !countries.some((code) => englishSpeaking.has(code));
    return isOfOthers || hasCategory(own, 'International Feature Film');
  });

/** People who had died before the ceremony, and entries whose note says so. */
const posthumous = (all: Everything): RecordRow[] => {
  const dated = all.people.flatMap(({ id, name, entries }) => {
    const died = all.deathdayOf(id);
    return entries.flatMap((entry) => {
      const held = all.dateOf(entry.first.ceremony_id);
      if (died === null || held === null || died >= held) return [];
      const row = { ...entryRow(entry, `died ${date(died)}`), label: `${name}, ${entry.first.movie}` };
      return [{ year: entry.first.ceremony_year, row }];
    });
  });
  const years = new Set(dated.map(({ row }) => row.href));
  const others = noted(all, /posthumous/i)
    .filter(({ href }) => !years.has(href))
    .map((row) => ({ year: Number(/\d{4}$/.exec(row.numbers[0])?.[0]), row }));
  return [...dated, ...others].sort((a, b) => a.year - b.year).map(({ row }) => row);
};

/** The days between two dates. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Whole years at a date. */
const ageAt = (birthday: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birthday.slice(0, 4)) - (day.slice(5) < birthday.slice(5) ? 1 : 0);

/** People by their age at a ceremony, each at the youngest or at the oldest. */
function byAge(all: Everything, sign: 1 | -1, isMeant: (entry: Entry) => boolean): RecordRow[] {
  const ages = all.people.flatMap(({ id, name, entries }) => {
    const birthday = all.birthdayOf(id);
    if (birthday === null) return [];
    const own = entries.filter(isMeant).flatMap((entry) => {
      const held = all.dateOf(entry.first.ceremony_id);
      if (held === null || held <= birthday) return [];
      return [{ id, name, entry, days: daysBetween(birthday, held), years: ageAt(birthday, held) }];
    });
    return own.sort((a, b) => sign * (a.days - b.days)).slice(0, 1);
  });
  return leading(ages, ({ days }) => -sign * days).map(({ id, name, entry: { first, winner }, years }) => ({
    href: recordHref('nominees', id, name),
    label: name,
    detail: `${first.category}, ${first.ceremony_year}, ${first.movie}`,
    numbers: [`${years} years`, winner ? ' · won' : ''],
  }));
}

/** Each kind of list by one function. */
const functions: Readonly<Record<RecordKind, (all: Everything) => RecordRow[]>> = {
  'most-wins': mostWins,
  'without-best-picture': mostWinsWithoutBestPicture,
  'big-five': wonBigFive,
  'films-without-win': filmsWithoutWin,
  'people-most-wins': personMostWins,
  'people-without-win': peopleWithoutWin,
  losses: lossesBeforeWin,
  'longest-gap': longestGap,
  'most-categories': mostCategories,
  'two-roles': twoActingNominations,
  ties,
  refusals: (all) => noted(all, /\b(refused|declined)\b/i),
  'write-ins': (all) => noted(all, /write-in/i),
  firsts: firstWinners,
  'animated-best-picture': animatedBestPicture,
  'international-best-picture': internationalBestPicture,
  posthumous,
  'youngest-winners': (all) => byAge(all, 1, ({ winner }) => winner),
  'youngest-nominees': (all) => byAge(all, 1, () => true),
  'oldest-winners': (all) => byAge(all, -1, ({ winner }) => winner),
  'oldest-nominees': (all) => byAge(all, -1, () => true),
};

/** What the lists are computed from. */
const sources = ['nominations', 'titles', 'names', 'songs', 'details', 'people', 'films'] as const;

/**
 * The lists of a snapshot, computed once. A list without a row is there if the kind says why.
 * @throws SnapshotUnavailable
 */
export const recordLists = (snapshot: Snapshot): Promise<RecordList[]> =>
  snapshot.derive('records', sources, async () => {
    const all = await everything(snapshot);
    return (Object.keys(functions) as RecordKind[])
      .map((id) => ({ id, rows: functions[id](all) }))
      .filter(
        ({ id, rows }) => rows.length > 0 || (recordKinds[id] as RecordKindWords).unknown !== undefined,
      );
  });

async function everything(snapshot: Snapshot): Promise<Everything> {
  const [{ count: rows, ceremonies }, isOfPerson, people, films] = await Promise.all([
    snapshot.table('nominations'),
    personFlags(snapshot),
    snapshot.table('people'),
    snapshot.table('films'),
  ]);
  const nominations = await nominationsIn(
    snapshot,
    Array.from({ length: rows }, (_, row) => row),
  );
  const entries = entriesOf(nominations.filter(({ details }) => details.official));
  return {
    nominations,
    entries,
    films: groupBy(entries, ({ first }) => first.movie_id).map(([, own]) => own),
    people: peopleOf(entries, (id) => isOfPerson[people.row(id)] === 1),
    birthdayOf: (id) => people.birthday[people.row(id)] ?? null,
    deathdayOf: (id) => people.deathday[people.row(id)] ?? null,
    dateOf: (id) => ceremonies.date[ceremonies.row(id)] ?? null,
    genresOf: (id) => films.genres.values[films.row(id)]!,
    countriesOf: (id) => films.countries.values[films.row(id)]!,
  };
}
