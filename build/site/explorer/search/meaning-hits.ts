/** What the words of a search mean besides names: awards, ceremonies, categories, rankings, decades and honors. */
import { splitTarget } from '../../../../api/contract/target.ts';
import { fold } from '../../../../api/contract/text.ts';
import type { NominationTexts } from '../../../../api/read/nominations.ts';
import { ceremonyTitle, date, filmYears, joined, together } from '../../shared/format.ts';
import { isPersonal } from '../awards.ts';
import { groupBy, tallyTexts } from '../counts.ts';
import {
  awardHref,
  decadeParameter,
  honorsHref,
  nominationsHref,
  rankingHref,
  recordHref,
  withQuery,
} from '../addresses.ts';
import type { CeremonySummary } from '../record.ts';
import type { Understood } from './meaning.ts';
import { type Scored, type Searchable, worth } from './searchable.ts';

/** Whether no words are left that could be a name. */
const isMeaningOnly = ({ names }: Understood): boolean => names.length === 0;

/** The nominations of a category at the ceremonies that are meant, those of a year before those for its films. */
export function awardHits({ texts, ceremonies }: Searchable, understood: Understood): Scored[] {
  const { table } = texts;
  const { category, year, ordinal, latest } = understood;
  if (!category || !(year || ordinal || latest) || !isMeaningOnly(understood)) return [];
  const row = table.categories.name.values.indexOf(category.name);
  if (row < 0) return [];
  const held = new Set(
    Array.from(table.category.nominationsOf(table.categories.id(row)), (own) => table.ceremony.idAt(own)),
  );
  return meantCeremonies(ceremonies, understood)
    .filter(({ id }) => held.has(id))
    .map((ceremony, i) => ({
      href: awardHref(ceremony, table.categories.id(row)),
      label: `${category.name}, ${ceremony.ceremony_year}`,
      detail: joined(labelled('Won by', winnersAt(texts, row, ceremony)), ceremonyDetail(ceremony)),
      score: worth.award - i / 100,
    }));
}

/**
 * "Tom Hanks for Philadelphia", "“Streets of Philadelphia” from Philadelphia" or "Schindler's List"; empty without a winner.
 * @param category its row
 */
function winnersAt(
  { table, titles, names, songs }: NominationTexts,
  category: number,
  { id }: CeremonySummary,
): string {
  if (category < 0) return '';
  const { categories, movie, winner } = table;
  const won = Array.from(table.category.nominationsOf(categories.id(category))).filter(
    (row) => winner[row] === 1 && table.ceremony.idAt(row) === id,
  );
  const isOfPeople = isPersonal(categories.group.values[category] ?? null);
  const filmOf = (row: number) => titles.text.values[movie.rows[row]!]!;
  const nameOf = (row: number) => names.text.values[table.nominee.rows[row]!]!;
  const songOf = (row: number) => songs.title.values[table.song.rows[row]!];
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

/** The filters of the API for the nominations that words mean; undefined where they mean a name or no filter. */
export function filtersMeant(
  searchable: Searchable,
  understood: Understood,
): Record<string, string> | undefined {
  const {
    texts: { table },
    ceremonies,
  } = searchable;
  const { category, decade, outcome, page, honors: honored } = understood;
  const isOfNominations = isMeaningOnly(understood) && !page && !honored;
  const row = category ? table.categories.name.values.indexOf(category.name) : -1;
  const categories = row < 0 ? {} : { category_ids: String(table.categories.id(row)) };
  const winners = outcome?.won ? { winner: 'true' } : {};
  const meant = meantCeremonies(ceremonies, understood);
  // A year can have two ceremonies.
  const held = meant.filter(({ ceremony_year }) => ceremony_year === meant[0]!.ceremony_year);
  if (!isOfNominations || (held.length === 0 && !decade && row < 0)) return undefined;
  if (held.length > 0) return { ...categories, ...winners, ceremony_ids: held.map(({ id }) => id).join() };
  const years = decade && { yearStart: String(decade.year), yearEnd: String(decade.year + 9) };
  return { ...categories, ...winners, ...years, sort: '-year' };
}

const labelled = (label: string, text: string): string => text && `${label} ${text}`;

/** Ceremonies by number, as the latest or by year: first those held in the year, then those for its films. */
function meantCeremonies(ceremonies: readonly CeremonySummary[], understood: Understood): CeremonySummary[] {
  const { year, ordinal, latest } = understood;
  if (ordinal) return ceremonies.filter(({ id }) => id === ordinal.number);
  if (!year) return latest ? latestOf(ceremonies) : [];
  const ofFilms = ({ movies_eligible }: CeremonySummary) =>
    filmYears(movies_eligible)?.split('–').includes(String(year.year)) ?? false;
  const held = ceremonies.filter(({ ceremony_year }) => ceremony_year === year.year);
  return [...held, ...ceremonies.filter((ceremony) => ofFilms(ceremony) && !held.includes(ceremony))];
}

const latestOf = (ceremonies: readonly CeremonySummary[]): CeremonySummary[] =>
  [...ceremonies].sort((a, b) => b.ceremony_year - a.ceremony_year || b.id - a.id).slice(0, 1);

export function ceremonyHits({ texts, ceremonies }: Searchable, understood: Understood): Scored[] {
  const { names, category } = understood;
  const picture = texts.table.categories.name.values.indexOf('Best Picture');
  // Beside names the year is a filter.
  if (names.length > 0) return [];
  return meantCeremonies(ceremonies, understood)
    .slice(0, 3)
    .map((ceremony, i) => ({
      href: recordHref('ceremonies', ceremony.id, ceremony.ceremony_year),
      label: ceremonyTitle(ceremony),
      detail: joined(
        labelled('Best Picture:', winnersAt(texts, picture, ceremony)),
        ceremonyDetail(ceremony),
      ),
      score: worth.ceremony * (category ? 0.9 : 1) - i / 100,
    }));
}

function ceremonyDetail(ceremony: CeremonySummary): string {
  const films = filmYears(ceremony.movies_eligible);
  const held = ceremony.date ? `held on ${date(ceremony.date)}` : `held in ${ceremony.ceremony_year}`;
  return joined(held, films && `films of ${films}`);
}

export function categoryHits(
  { texts: { table }, categories, categoryTally }: Searchable,
  plain: readonly string[],
  understood: Understood,
): Scored[] {
  const { category: meant } = understood;
  const { name, group } = table.categories;
  const all = new Map<number, number>();
  const row = meant && isMeaningOnly(understood) ? name.values.indexOf(meant.name) : -1;
  // Beside a year or an outcome, those come first.
  if (row >= 0) all.set(row, meant!.words.length === plain.length ? worth.page : worth.category);
  // "Acting" is a group of categories.
  for (const [own, text] of group.values.entries())
    if (text !== null && fold(text) === plain.join(' ')) all.set(own, worth.page);
  for (const { row: own, score, isWhole } of categories.find(plain))
    if (!all.has(own)) all.set(own, isWhole ? worth.page : score * worth.category);
  return [...all].map(([own, score]) => ({
    href: recordHref('categories', table.categories.id(own), name.values[own]!),
    label: name.values[own]!,
    detail: tallyTexts(categoryTally(table.categories.id(own))!)[0],
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
export function decadeHits({ texts }: Searchable, understood: Understood): Scored[] {
  const { categories } = texts.table;
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
  return [{ href, label: `Nominations of the ${decade.year}s`, detail, score: worth.page }];
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
  special: ['Special awards', { class: 'Special', category: 'special award' }],
  achievement: ['Special achievement awards', { category: 'special achievement' }],
  sawyer: ['Gordon E. Sawyer Award', { category: 'sawyer' }],
  commendation: ['Medals of commendation', { category: 'commendation' }],
  foreign: ['Special foreign-language film awards', { category: 'foreign language' }],
  all: ['All honors', {}],
};

/** The honors of a kind, all or of a year. */
export function honorHits(understood: Understood): Scored[] {
  const { honors: meant, year } = understood;
  if (!meant || !isMeaningOnly(understood)) return [];
  const [label, filters] = honors[meant.kind];
  const href = honorsHref({ ...filters, ...(year && { year: String(year.year) }) });
  return [{ href, label, detail: year ? `Honors of ${year.year}` : 'Honors', score: worth.page }];
}

export function pageHits({ ceremonies }: Searchable, understood: Understood): Scored[] {
  const { page, names, ceremony, outcome, ...others } = understood;
  if (names.length > 0) return [];
  const { year, ordinal, latest, decade, category, honors: honored } = others;
  const isAll = (ceremony ?? outcome) && !(year ?? ordinal ?? latest ?? decade ?? category ?? honored);
  const asked = page?.page ?? (isAll ? 'ceremonies' : undefined);
  const targets = asked === undefined ? [] : pages[asked]!;
  return inCategory(targets, category?.name)
    .flatMap((target) => atTimes(target, ceremonies, understood))
    .map(([label, href, detail], i) => ({ href, label, detail, score: worth.page - i / 100 }));
}

/** The rankings of people in a category, where there are some; films are not ranked by category. */
function inCategory(targets: readonly PageLink[], category: string | undefined): readonly PageLink[] {
  const ofPeople = targets.filter(([, href]) => href.startsWith(rankingHref('top-nominees')));
  if (category === undefined || ofPeople.length === 0) return targets;
  return ofPeople.map((target) => filtered(target, `: ${category}`, { category }));
}

/** A ranking, of the years that are meant; other pages as they are. */
function atTimes(
  target: PageLink,
  ceremonies: readonly CeremonySummary[],
  understood: Understood,
): PageLink[] {
  const { decade } = understood;
  if (!target[1].startsWith('/rankings/')) return [target];
  // A year can have two ceremonies.
  const meant = groupBy(meantCeremonies(ceremonies, understood), ({ ceremony_year }) => ceremony_year);
  if (meant.length > 0)
    return meant.map(([year, [first]]) =>
      filtered(target, `, ${year}`, { year: String(year) }, ceremonyDetail(first!)),
    );
  if (!decade) return [target];
  const years = { yearStart: String(decade.year), yearEnd: String(decade.year + 9) };
  return [filtered(target, ` of the ${decade.year}s`, years)];
}

/** A ranking with more filters. */
function filtered(
  [label, href, detail]: PageLink,
  more: string,
  filters: Readonly<Record<string, string>>,
  ownDetail = detail,
): PageLink {
  const { path, queryString } = splitTarget(href);
  const query = new URLSearchParams(queryString);
  for (const [name, value] of Object.entries(filters)) query.set(name, value);
  return [label + more, withQuery(path, query), ownDetail];
}
