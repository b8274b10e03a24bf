/** Finds the records that typed words name or mean, best first. */
import type { Ceremony } from '../../../../api/contract/resources.ts';
import { tokens } from '../../../../api/contract/text.ts';
import type { Snapshot } from '../../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../../api/read/tables.ts';
import { ceremonyTitle, date, filmYears, joined, together } from '../../shared/format.ts';
import { isPersonal } from '../awards.ts';
import { groupBy, type TallyOf, tallyTexts } from '../counts.ts';
import { tallies } from '../table-counts.ts';
import {
  awardHref,
  decadeParameter,
  honorsHref,
  hrefOf,
  nominationsHref,
  rankingHref,
  recordHref,
  withQuery,
} from '../addresses.ts';
import { type Understood, understand, understandQuestion, withoutAliases } from './meaning.ts';
import { type Match, TextIndex } from './text-index.ts';
import { wordsOf } from './words.ts';

export interface Hit {
  href: string;
  label: string;
  detail: string;
  /** Whether it won at least once. */
  won: boolean;
}

export interface HitGroup {
  title: string;
  /** Best first. */
  hits: Hit[];
}

export interface Finding {
  /** The group with the best hit first. */
  groups: HitGroup[];
  understood: Understood;
  /** A sentence on what the record does not hold, if the words ask for it. */
  limit?: string | undefined;
}

interface Scored extends Hit {
  score: number;
}

const maxHits = 5;
/** Where nothing has all words, a text must match this share of them. */
const relaxedShare = 0.5;
/** What a hit of a kind is worth, compared with a text that has all words. */
const worth = { page: 1.2, award: 1.02, ceremony: 0.97, category: 0.96, song: 0.86, relaxed: 0.7 };

/** The texts of a snapshot, ready for searching. */
export class Searchable {
  readonly table: NominationTable;
  readonly ceremonies: readonly Ceremony[];
  readonly films: TextIndex;
  readonly people: TextIndex;
  readonly filmTally: TallyOf;
  readonly nomineeTally: TallyOf;
  readonly categoryTally: TallyOf;
  #songs: TextIndex | undefined;
  #categories: TextIndex | undefined;

  private constructor(
    table: NominationTable,
    ceremonies: readonly Ceremony[],
    filmTally: TallyOf,
    nomineeTally: TallyOf,
    categoryTally: TallyOf,
  ) {
    this.table = table;
    this.ceremonies = ceremonies;
    this.filmTally = filmTally;
    this.nomineeTally = nomineeTally;
    this.categoryTally = categoryTally;
    this.films = new TextIndex(table.titles.text);
    // A family name alone is common.
    this.people = new TextIndex(table.names.text, 0.1);
  }

  /** @throws SnapshotUnavailable */
  static async of(snapshot: Snapshot, ceremonies: readonly Ceremony[]): Promise<Searchable> {
    const [table, ...tallyOf] = await Promise.all([
      snapshot.nominations(),
      tallies(snapshot, 'movies', ceremonies),
      tallies(snapshot, 'nominees', ceremonies),
      tallies(snapshot, 'categories', ceremonies),
    ]);
    return new Searchable(table, ceremonies, ...tallyOf);
  }

  get songs(): TextIndex {
    this.#songs ??= new TextIndex(this.table.songs.title);
    return this.#songs;
  }

  get categories(): TextIndex {
    this.#categories ??= new TextIndex(this.table.categories.name);
    return this.#categories;
  }
}

/** @param typed text for which isSearch is true */
export function find(searchable: Searchable, typed: string): Finding {
  const words = wordsOf(typed);
  const plain = withoutAliases(words);
  const understood = understandIn(searchable, words);
  const names = withoutAliases(understood.names);
  const named = namedGroups(searchable, plain, names, understood);
  const groups: [title: string, hits: Scored[]][] = [
    ['Pages', [...pageHits(understood), ...decadeHits(searchable, understood), ...honorHits(understood)]],
    ['Awards', awardHits(searchable, understood)],
    ['Ceremonies', ceremonyHits(searchable, understood)],
    ['Categories', categoryHits(searchable, plain, understood)],
    ...named,
  ];
  const found = groups.filter(([, hits]) => hits.length > 0);
  const bestOf = ([, hits]: [string, Scored[]]) => Math.max(...hits.map(({ score }) => score));
  found.sort((a, b) => bestOf(b) - bestOf(a));
  return {
    groups: found.map(([title, hits]) => ({
      title,
      hits: hits
        .sort((a, b) => b.score - a.score)
        .slice(0, maxHits)
        .map(({ score: _, ...hit }) => hit),
    })),
    understood,
  };
}

/** What the words mean. Where a text has them all, or all that are names, as "How the West Was Won" has, they are no question. */
export function understandIn(searchable: Searchable, words: readonly string[]): Understood {
  const literal = understand(words);
  const asked = understandQuestion(words);
  if (asked.names.length === literal.names.length || isNamed(searchable, withoutAliases(words)))
    return literal;
  return asked.names.length > 0 && isNamed(searchable, withoutAliases(literal.names)) ? literal : asked;
}

/** Whether a film, a person or a song has all words of a text. */
export const isTitle = (searchable: Searchable, typed: string): boolean =>
  isNamed(searchable, withoutAliases(wordsOf(typed)));

/** Whether a film, a person or a song has all words. */
const isNamed = ({ films, people, songs }: Searchable, words: readonly string[]): boolean =>
  [films, people, songs].some((index) => index.find(words).length > 0);

/** Films, people and songs: by all words, and by those that are left when the others mean a year, a category or an outcome. */
function namedGroups(
  searchable: Searchable,
  plain: readonly string[],
  names: readonly string[],
  understood: Understood,
): [string, Scored[]][] {
  const asked = { plain, names, understood };
  const found = kinds.map((kind) => [kind.title, kind.hits(searchable, asked, 1)] as [string, Scored[]]);
  const isFound = found.some(([, hits]) => hits.length > 0);
  if (isFound || names.length === 0 || plain.length < 2) return found;
  // No text has all words: those that have most of them.
  return kinds.map((kind) => [kind.title, kind.hits(searchable, asked, relaxedShare)]);
}

interface Asked {
  plain: readonly string[];
  names: readonly string[];
  understood: Understood;
}

interface Kind {
  title: string;
  hits: (searchable: Searchable, asked: Asked, share: number) => Scored[];
}

const kinds: readonly Kind[] = [
  {
    title: 'People and companies',
    hits: (searchable, asked, share) => nominatedHits(searchable, 'nominees', asked, share),
  },
  { title: 'Films', hits: (searchable, asked, share) => nominatedHits(searchable, 'movies', asked, share) },
  { title: 'Songs', hits: songHits },
];

/** A single letter is a whole name, or the first word of a title. */
const isSingleLetter = (words: readonly string[]): boolean => words.length === 1 && words[0]!.length === 1;

/** The matches for all words, then those for the names alone. */
function matchesOf(
  index: TextIndex,
  { plain, names }: Asked,
  share: number,
): { match: Match; isPlain: boolean }[] {
  const all = index.find(plain, share).map((match) => ({ match, isPlain: true }));
  const rows = new Set(all.map(({ match }) => match.row));
  const isSame = names.length === plain.length;
  const rest = isSame || names.length === 0 ? [] : index.find(names, share);
  return [...all, ...rest.filter(({ row }) => !rows.has(row)).map((match) => ({ match, isPlain: false }))];
}

function nominatedHits(
  searchable: Searchable,
  resource: 'movies' | 'nominees',
  asked: Asked,
  share: number,
): Scored[] {
  const { table } = searchable;
  const isFilm = resource === 'movies';
  const [index, texts, tallyOf] = isFilm
    ? [searchable.films, table.titles, searchable.filmTally]
    : [searchable.people, table.names, searchable.nomineeTally];
  const references = isFilm ? table.movie : table.nominee;
  const { category, year, outcome } = asked.understood;
  const wanted = category && table.categories.name.values.indexOf(category.name);
  return matchesOf(index, asked, share)
    .filter(
      ({ match }) =>
        !isSingleLetter(asked.plain) ||
        match.isWhole ||
        (isFilm && tokens(texts.text.values[match.row]!)[0] === asked.plain[0]),
    )
    .slice(0, 200)
    .map(({ match, isPlain }) => {
      const id = texts.id(match.row);
      const tally = tallyOf(id)!;
      let score = match.score * (share < 1 ? worth.relaxed : 1);
      if (!isPlain) {
        const rows = Array.from(references.nominationsOf(match.row));
        const years = rows.map((row) => table.ceremonies.year[table.ceremony.rows[row]!]!);
        // A film of 1997 was nominated in 1998.
        const isThen = !year || years.some((own) => own === year.year || own === year.year + 1);
        const isThere = wanted === undefined || rows.some((row) => table.category.rows[row] === wanted);
        if (!isThen) score *= 0.6;
        if (!isThere) score *= 0.8;
        if (outcome?.won && tally.wins === 0) score *= 0.9;
        // A year after a title is of the film that was first up for its awards then.
        if (year && years.includes(year.year + 1)) score *= 1.02;
      }
      score += 0.02 * Math.log2(1 + tally.nominations);
      return {
        href: recordHref(resource, id, texts.text.values[match.row]!),
        label: texts.text.values[match.row]!,
        detail: tallyTexts(tally).join(''),
        won: tally.wins > 0,
        score,
      };
    });
}

function songHits(searchable: Searchable, asked: Asked, share: number): Scored[] {
  const { songs, song, winner, titles, movie } = searchable.table;
  return matchesOf(searchable.songs, asked, share)
    .slice(0, 50)
    .map(({ match: { row, score, isWhole } }) => {
      const nominations = song.nominationsOf(row);
      const film = nominations[0] === undefined ? null : titles.text.values[movie.rows[nominations[0]]!];
      return {
        href: recordHref('songs', songs.id(row), songs.title.values[row]!),
        label: `“${songs.title.values[row]}”`,
        detail: joined(songs.artist.values[row], film && `from ${film}`),
        won: nominations.some((at) => winner[at] === 1),
        score: (isWhole ? 0.97 : score * worth.song) * (share < 1 ? worth.relaxed : 1),
      };
    });
}

/** Whether the words mean nothing but categories, years and the awards themselves. */
const isMeaningOnly = ({ names }: Understood): boolean => names.length === 0;

/** The nominations of a category in a year: at the ceremony of that year, then for the films of that year. */
function awardHits({ table, ceremonies }: Searchable, understood: Understood): Scored[] {
  const { category, year, ordinal, latest } = understood;
  if (!category || !(year || ordinal || latest) || !isMeaningOnly(understood)) return [];
  const row = table.categories.name.values.indexOf(category.name);
  if (row < 0) return [];
  const held = new Set(
    Array.from(table.category.nominationsOf(row), (own) => table.ceremonies.id(table.ceremony.rows[own]!)),
  );
  return meantCeremonies(ceremonies, understood)
    .filter(({ id }) => held.has(id))
    .map((ceremony, i) => ({
      href: awardHref(ceremony, table.categories.id(row)),
      label: `${category.name}, ${ceremony.ceremony_year}`,
      detail: joined(labelled('Won by', winnersAt(table, row, ceremony)), ceremonyDetail(ceremony)),
      won: false,
      score: worth.award - i / 100,
    }));
}

/**
 * "Tom Hanks for Philadelphia", "“Streets of Philadelphia” from Philadelphia" or "Schindler's List"; empty without a winner.
 * @param category its row
 */
function winnersAt(table: NominationTable, category: number, { id }: Ceremony): string {
  if (category < 0) return '';
  const { categories, ceremonies, movie, winner } = table;
  const won = Array.from(table.category.postings.of(category)).filter(
    (row) => winner[row] === 1 && ceremonies.id(table.ceremony.rows[row]!) === id,
  );
  const isOfPeople = isPersonal(categories.group.values[category] ?? null);
  const filmOf = (row: number) => table.titles.text.values[movie.rows[row]!]!;
  const nameOf = (row: number) => table.names.text.values[table.nominee.rows[row]!]!;
  const songOf = (row: number) => table.songs.title.values[table.song.rows[row]!];
  const leadOf = (row: number) => {
    const song = songOf(row);
    if (song) return `“${song}” from ${filmOf(row)}`;
    if (!isOfPeople) return filmOf(row);
    return together(new Set(won.filter((own) => movie.rows[own] === movie.rows[row]).map(nameOf)));
  };
  // One award can be for several films.
  const withFilms = groupBy(won, leadOf).map(([lead, own]) =>
    isOfPeople ? `${lead} for ${together(new Set(own.map(filmOf)))}` : lead,
  );
  return together(withFilms);
}

/** The filters of the API for the nominations that words mean; undefined where they mean a name or none. */
export function filtersMeant(
  searchable: Searchable,
  understood: Understood,
): Record<string, string> | undefined {
  const { table, ceremonies } = searchable;
  const { category, decade, outcome, page, honors: honored } = understood;
  const isOfNominations = isMeaningOnly(understood) && !page && !honored;
  const row = category ? table.categories.name.values.indexOf(category.name) : -1;
  const categories = row < 0 ? {} : { category_ids: String(table.categories.id(row)) };
  const winners = outcome?.won ? { winner: 'true' } : {};
  const [ceremony] = meantCeremonies(ceremonies, understood);
  if (!isOfNominations || (!ceremony && !decade && row < 0)) return undefined;
  if (ceremony) return { ...categories, ...winners, ceremony_ids: String(ceremony.id) };
  const years = decade && { yearStart: String(decade.year), yearEnd: String(decade.year + 9) };
  return { ...categories, ...winners, ...years, sort: '-year' };
}

const labelled = (label: string, text: string): string => text && `${label} ${text}`;

/** Ceremonies by number, as the latest or by year: first those held in the year, then those for its films. */
function meantCeremonies(ceremonies: readonly Ceremony[], understood: Understood): Ceremony[] {
  const { year, ordinal, latest } = understood;
  if (ordinal) return ceremonies.filter(({ id }) => id === ordinal.number);
  if (!year) return latest ? latestOf(ceremonies) : [];
  const ofFilms = ({ movies_eligible }: Ceremony) =>
    filmYears(movies_eligible)?.split('–').includes(String(year.year)) ?? false;
  const held = ceremonies.filter(({ ceremony_year }) => ceremony_year === year.year);
  return [...held, ...ceremonies.filter((ceremony) => ofFilms(ceremony) && !held.includes(ceremony))];
}

const latestOf = (ceremonies: readonly Ceremony[]): Ceremony[] =>
  [...ceremonies].sort((a, b) => b.ceremony_year - a.ceremony_year || b.id - a.id).slice(0, 1);

function ceremonyHits({ table, ceremonies }: Searchable, understood: Understood): Scored[] {
  const { names, category } = understood;
  const picture = table.categories.name.values.indexOf('Best Picture');
  // Beside names the year is a filter.
  if (names.length > 0) return [];
  return meantCeremonies(ceremonies, understood)
    .slice(0, 3)
    .map((ceremony, i) => ({
      href: hrefOf('ceremonies', ceremony),
      label: ceremonyTitle(ceremony),
      detail: joined(
        labelled('Best Picture:', winnersAt(table, picture, ceremony)),
        ceremonyDetail(ceremony),
      ),
      won: false,
      score: worth.ceremony * (category ? 0.9 : 1) - i / 100,
    }));
}

function ceremonyDetail(ceremony: Ceremony): string {
  const films = filmYears(ceremony.movies_eligible);
  const held = ceremony.date ? `held on ${date(ceremony.date)}` : `held in ${ceremony.ceremony_year}`;
  return joined(held, films && `films of ${films}`);
}

function categoryHits(
  { table, categories, categoryTally }: Searchable,
  plain: readonly string[],
  understood: Understood,
): Scored[] {
  const { category: meant } = understood;
  const matches = categories.find(plain);
  const row = meant && isMeaningOnly(understood) ? table.categories.name.values.indexOf(meant.name) : -1;
  const all = new Map(matches.map(({ row: own, score }) => [own, score * worth.category]));
  if (row >= 0) all.set(row, worth.category);
  return [...all].map(([own, score]) => ({
    href: recordHref('categories', table.categories.id(own), table.categories.name.values[own]!),
    label: table.categories.name.values[own]!,
    detail: tallyTexts(categoryTally(table.categories.id(own))!)[0],
    won: false,
    score,
  }));
}

type PageLink = readonly [label: string, href: string, detail: string];

/** The ranking of people in a group of categories. */
const peopleHref = (group: string, sort?: 'wins'): string =>
  rankingHref('top-nominees', String(new URLSearchParams({ category_group: group, ...(sort && { sort }) })));

const filmsByNominations: PageLink = ['Most nominated films', rankingHref('top-movies'), 'Ranking'];
const peopleByNominations: PageLink = ['Most nominated people', rankingHref('top-nominees'), 'Ranking'];
const filmsByWins: PageLink = ['Films with the most wins', rankingHref('top-movies', 'sort=wins'), 'Ranking'];
const peopleByWins: PageLink = [
  'People with the most wins',
  rankingHref('top-nominees', 'sort=wins'),
  'Ranking',
];

/** Best first. */
const pages: Readonly<Record<string, readonly PageLink[]>> = {
  'without-win': [['Most nominated without a win', '/rankings/without-win', 'People and films']],
  ceremonies: [['All ceremonies', '/timeline', 'With the winners of Best Picture']],
  'top-movies': [filmsByNominations],
  'top-nominees': [peopleByNominations],
  'movies-by-wins': [filmsByWins],
  'nominees-by-wins': [peopleByWins],
  'most-wins': [filmsByWins, peopleByWins],
  'most-nominations': [filmsByNominations, peopleByNominations],
  'top-performers': [['Most nominated actors and actresses', peopleHref('Acting'), 'Ranking']],
  'performers-by-wins': [
    ['Actors and actresses with the most wins', peopleHref('Acting', 'wins'), 'Ranking'],
  ],
  'top-directors': [['Most nominated directors', peopleHref('Direction'), 'Ranking']],
  'directors-by-wins': [['Directors with the most wins', peopleHref('Direction', 'wins'), 'Ranking']],
};

/** The nominations of a decade, all or on the page of a category. */
function decadeHits({ table: { categories } }: Searchable, understood: Understood): Scored[] {
  const { decade, category } = understood;
  if (!decade || !isMeaningOnly(understood)) return [];
  const row = category ? categories.name.values.indexOf(category.name) : -1;
  const href =
    row < 0
      ? nominationsHref('', decade.year, decade.year + 9)
      : withQuery(
          recordHref('categories', categories.id(row), category!.name),
          `${decadeParameter}=${decade.year}`,
        );
  const detail = row < 0 ? 'All categories' : category!.name;
  return [{ href, label: `Nominations of the ${decade.year}s`, detail, won: false, score: worth.page }];
}

const honors: Readonly<
  Record<
    NonNullable<Understood['honors']>['kind'],
    readonly [label: string, filters: Readonly<Record<string, string>>]
  >
> = {
  honorary: ['Honorary awards', { category: 'honorary' }],
  thalberg: ['Irving G. Thalberg Memorial Award', { category: 'thalberg' }],
  hersholt: ['Jean Hersholt Humanitarian Award', { category: 'hersholt' }],
  scientific: ['Scientific and technical awards', { class: 'SciTech' }],
  all: ['All honors', {}],
};

/** The honors of a kind, all or of a year. */
function honorHits(understood: Understood): Scored[] {
  const { honors: meant, year } = understood;
  if (!meant || !isMeaningOnly(understood)) return [];
  const [label, filters] = honors[meant.kind];
  const href = honorsHref({ ...filters, ...(year && { year: String(year.year) }) });
  return [{ href, label, detail: year ? `Honors of ${year.year}` : 'Honors', won: false, score: worth.page }];
}

function pageHits({ page, names, ceremony, ...others }: Understood): Scored[] {
  if (names.length > 0) return [];
  const { year, ordinal, latest, decade, category, honors: honored } = others;
  const isAll = ceremony && !(year ?? ordinal ?? latest ?? decade ?? category ?? honored);
  const asked = page?.page ?? (isAll ? 'ceremonies' : undefined);
  const targets = asked === undefined ? [] : pages[asked]!;
  return targets.map(([label, href, detail], i) => ({
    href,
    label,
    detail,
    won: false,
    score: worth.page - i / 100,
  }));
}
