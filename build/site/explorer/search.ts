/**
 * Answers typed words with records: the search of the API looks them up, and some mean a year, a category or
 * a page.
 */
import { byCodeUnit, tokens } from '../../../api/contract/text.ts';
import type { OfficialCounts } from '../../../api/contract/resources.ts';
import { filmYearAt, newestFirst } from '../../../api/read/named-columns.ts';
import { findNominations } from '../../../api/read/search.ts';
import { selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import {
  findMisspelledNames,
  findTexts,
  resourceOf,
  rowOf,
  rowsWith,
  type TextKey,
  textKey,
  honoredFilmsOf,
  isOfYear,
  type TextSearch,
  textSearch,
} from '../../../api/read/text-search.ts';
import {
  ceremonyTitle,
  joined,
  nominationsText,
  plainCase,
  summaryText,
  titleCased,
  together,
} from '../shared/format.ts';
import { awardHref, recordHref, withQuery } from './addresses.ts';
import {
  lengthFault,
  type Meaning,
  nearAlias,
  understand,
  withoutAlias,
  withoutQuestionWords,
  wordsOf,
} from './vocabulary.ts';

type Words = readonly string[];
type Match = readonly [key: TextKey, like: number];

export interface Hit {
  href: string;
  label: string;
  /** What a reader sees beside the label. */
  detail: string;
  /** Whether it won at least once; absent for what is not nominated. */
  won?: boolean;
  resource?: keyof typeof kinds | 'ceremonies' | 'honors';
  id?: number;
}

export interface Finding {
  /** At most `maxHits` in all, the group of the best one first. */
  groups: { title: string; hits: Hit[] }[];
  /** Whether no record has all words. */
  isNear?: boolean;
  /** A sentence, if the words ask for what the record does not hold, or are too many. */
  note?: string;
  /** Whether the words are too many to look them up. */
  isTooLong?: boolean;
  /**
   * Address of the API that lists the nominations that are meant; empty for a text without a letter or digit.
   */
  nominations: string;
}

interface Scored extends Hit {
  group: string;
  score: number;
}

type Ranked = Pick<Scored, 'score' | 'href'>;
const byScore = (a: Ranked, b: Ranked): number => b.score - a.score || byCodeUnit(a.href, b.href);

/**
 * Keeps the best hits of each group, each address once. Many records match and few are shown, so only these
 * are described.
 */
class BestHits {
  readonly #groups = new Map<string, Scored[]>();
  /** Number of records that match. */
  count = 0;

  /** Whether a hit of a group would be kept. @param href undefined if it is not known yet */
  takes(group: string, score: number, href?: string): boolean {
    const last = this.#groups.get(group)?.[maxHitsOfGroup - 1];
    return last === undefined || byScore({ score, href: href ?? '' }, last) <= 0;
  }

  add(hit: Scored): void {
    const { group, score } = hit;
    const others = this.#groups.get(group) ?? [];
    const known = others.find(({ href }) => href === hit.href);
    if (known && known.score >= score) return;
    const best = [...others.filter((other) => other !== known), hit].sort(byScore);
    this.#groups.set(group, best.slice(0, maxHitsOfGroup));
  }

  /** The best of all. */
  groups(): Finding['groups'] {
    const groups = new Map<string, Hit[]>();
    for (const { group, score: _, ...hit } of [...this.#groups.values()]
      .flat()
      .sort(byScore)
      .slice(0, maxHits))
      groups.set(group, [...(groups.get(group) ?? []), hit]);
    return [...groups].map(([title, hits]) => ({ title, hits }));
  }
}

/** No name of a category has more; the words after them are not looked up. */
const maxWords = 24;
/**
 * Where no record has all words, records are shown that have one of these: the longest are in the fewest
 * texts.
 */
const maxNearWords = 6;
const maxHits = 12;
const maxHitsOfGroup = 5;

/**
 * Factors of the score of a hit, by its kind; a text that has all words and no others scores `whole` more.
 */
const worth = { page: 1.2, pair: 1.16, award: 1.02, ceremony: 0.97, category: 0.96, note: 0.8, whole: 0.08 };
const filmOf = ({ table, textOf }: TextSearch, row: number) => textOf('movies', table.movie.idAt(row));
const filmFrom = ({ filmYears }: TextSearch, key: TextKey) =>
  joined('Film', filmYears[rowOf(key)]?.film_years);
function songFrom(record: TextSearch, key: TextKey): string {
  const [first] = nominationsOf(record, key);
  return first === undefined ? 'Song' : `Song from ${filmOf(record, first)}`;
}
const kinds = {
  nominees: { group: 'People', worth: 1, weight: 0.02, kindOf: () => '' },
  movies: { group: 'Films', worth: 1, weight: 0.02, kindOf: filmFrom },
  songs: { group: 'Songs', worth: 0.86, weight: 0, kindOf: songFrom },
  categories: { group: 'Categories', worth: 0.96, weight: 0, kindOf: () => 'Category' },
} as const;

/** What typed words name and mean, best first. @throws SnapshotUnavailable */
export async function findRecords(snapshot: Snapshot, typed: string): Promise<Finding> {
  const fault = lengthFault(typed);
  if (fault !== undefined) return { groups: [], note: fault, isTooLong: true, nominations: '' };
  const words = wordsOf(typed).slice(0, maxWords);
  if (words.length === 0) return { groups: [], nominations: '' };
  const plain = [...withoutAlias(words), words];
  const record = await textSearch(snapshot, plain.flat());
  const isTitle = (own: Words) =>
    [...findTexts(record, own).keys()].some((key) => resourceOf(key) !== 'categories');
  const read = understand(words);
  const meaning = { ...read, names: namesMeant(words, read.names, isTitle) };
  const best = new BestHits();
  for (const hit of [...pageHits(record, meaning), ...awardHits(record, meaning)]) best.add(hit);
  const isNear = await addNamed(best, record, plain, meaning);
  for (const hit of await pairHits(record, read)) best.add(hit);
  return {
    groups: best.groups(),
    ...(isNear && { isNear }),
    ...noteOf(words, meaning, isTitle(words)),
    nominations: await nominationsMeant(record, typed, meaning),
  };
}

/** What the page says about words that it cannot answer, or that it leaves out. */
function noteOf(words: Words, meaning: Meaning, isTitle: boolean): { note?: string } {
  const { names, isOfAwards, notHeld } = meaning;
  if (isTitle) return {};
  if (notHeld !== undefined) return { note: notHeld };
  const isLeftOut = isOfAwards && Object.keys(meaning).length === 2 && names.length > 0;
  const left = words.filter((word) => !names.includes(word));
  if (!isLeftOut || withoutQuestionWords(left).length < left.length) return {};
  return { note: `“${left.join(' ')}” is read as the awards: no record has all these words.` };
}

/** Words of a question are names only in a title: "How the West Was Won", "who directed Get Out". */
function namesMeant(words: Words, names: Words, isTitle: (own: Words) => boolean): Words {
  const asked = withoutQuestionWords(names);
  if (asked.length === names.length || isTitle(words)) return names;
  const ends = names.slice(0, names.indexOf(asked[0]!) + 1).map((_, at) => names.slice(at));
  return ends.find(isTitle) ?? asked;
}

/**
 * Adds the records that have all words, or those that are left when the others mean something; near ones
 * where none has.
 * @returns whether they are near ones
 */
async function addNamed(best: BestHits, record: TextSearch, plain: readonly Words[], meaning: Meaning) {
  const names = meaning.names.length === 0 ? [] : withoutAlias(meaning.names);
  const all = [...plain, ...names];
  // Another name has words that were not typed.
  await record.load(names.flat());
  const before = best.count;
  const add = (matches: Iterable<Match>, isPlain = true) => {
    for (const match of matches) addRecord(best, record, match, meaning, isPlain);
  };
  // An other name can stand for one of several records with the same title.
  for (const [word = '', ...more] of all)
    if (more.length === 0 && isImdbId(word)) await addFurther(best, record, [word]);
  const addAll = (edits: number) => {
    for (const [at, words] of all.entries()) add(findTexts(record, words, edits), at < plain.length);
  };
  addAll(0);
  const isWhole = all.some((words) => [...findTexts(record, words).values()].includes(1));
  if (isWhole || meaning.names.join('').length < 2) return false;
  if (best.count - before < maxHitsOfGroup) addAll(1);
  // One word is in many texts. The further tables are large.
  if (meaning.names.length === 1 || best.count === before) await addFurther(best, record, meaning.names);
  if (best.count === before) addAll(2);
  if (best.count > before) return false;
  const meant = nearAlias(meaning.names);
  await record.load(meant);
  if (meant.length > 0) add(findTexts(record, meant), false);
  if (isImdbId(meant.join(' '))) await addFurther(best, record, meant);
  if (best.count === before) add(findMisspelledNames(record, meaning.names), false);
  if (best.count > before) return false;
  const longest = [...meaning.names].sort((a, b) => b.length - a.length).slice(0, maxNearWords);
  const near = [0, 2].flatMap((edits) => longest.map((word) => findTexts(record, [word], edits)));
  // Short words have no edits, and words can stand several times.
  for (const matches of new Set(near)) add(matches);
  return best.count > before;
}

/**
 * What a person, or a category, has with a film, where words name both: "jaws john williams", "who won best
 * score for jaws".
 */
async function pairHits(record: TextSearch, { names, category, outcome }: Meaning): Promise<Scored[]> {
  const { table } = record;
  const pairs = names
    .slice(1)
    .flatMap((_, at) => [
      [names.slice(0, at + 1), names.slice(at + 1)] as const,
      [names.slice(at + 1), names.slice(0, at + 1)] as const,
    ])
    .map(([title, name]) => [withoutAlias(title), withoutAlias(withoutQuestionWords(name))] as const);
  await record.load(pairs.flat(3));
  const found: Scored[] = [];
  for (const [titles, own] of pairs) {
    const films = wholeFilms(record, titles);
    if (films.length === 0) continue;
    const keys = own.filter((name) => name.length > 0).flatMap((name) => [...findTexts(record, name).keys()]);
    const people = new Set(keys.filter((key) => resourceOf(key) === 'nominees').map(rowOf));
    for (const film of films) {
      const rows = [...nominationsOf(record, film)].filter((row) => people.has(table.nominee.rows[row]!));
      found.push(...rows.map((row) => pairHit(record, [row])));
    }
  }
  const wanted = categoryRow(record, category);
  if (wanted < 0 || outcome === undefined) return found;
  const id = table.categories.id(wanted);
  const asked = withoutQuestionWords(names);
  for (const film of wholeFilms(record, [names, asked].flatMap(withoutAlias))) {
    const rows = [...nominationsOf(record, film)].filter((row) => table.category.idAt(row) === id);
    if (rows.length > 0) found.push(pairHit(record, rows));
  }
  return found;
}

/** The films that have one of some titles as their whole title. */
const wholeFilms = (record: TextSearch, titles: readonly Words[]): TextKey[] =>
  titles
    .flatMap((title) => [...findTexts(record, title)])
    .filter(([key, like]) => like === 1 && resourceOf(key) === 'movies')
    .map(([key]) => key);

/** @param rows nominations of a film in one category */
function pairHit(record: TextSearch, rows: readonly number[]): Scored {
  const { table, textOf, yearOf } = record;
  const [row = 0] = rows;
  const [category, ceremony_year] = [table.category.idAt(row), yearOf(row)];
  const won = rows.some((own) => table.winner[own] === 1);
  const names = new Set(rows.map((own) => textOf('nominees', table.nominee.idAt(own))));
  return {
    group: 'Awards',
    score: worth.pair,
    label: `${together(names)}, ${filmOf(record, row)}`,
    detail: joined(`${textOf('categories', category)}, ${ceremony_year}`, won ? 'won' : 'nominated'),
    href: awardHref({ id: table.ceremony.idAt(row), ceremony_year }, category),
    won,
  };
}

/**
 * Adds a record that matches, unless others are better.
 * @param isPlain whether it has all words as they were typed
 */
function addRecord(best: BestHits, record: TextSearch, match: Match, meaning: Meaning, isPlain = true): void {
  best.count += 1;
  const [key, like] = match;
  const rows = nominationsOf(record, key);
  const kind = kinds[resourceOf(key)];
  let score = like === 1 ? 1 + (isPlain ? worth.whole : 0) : like * kind.worth;
  if (!isPlain) score *= likelihood(record, key, rows, meaning);
  // A question about an outcome means one with many nominations.
  const weight = kind.weight * (meaning.outcome && !isPlain ? 2 : 1);
  // Several nominations can be one entry.
  if (!best.takes(kind.group, score + weight * Math.log2(1 + rows.length))) return;
  const counts = record.countsOf(rows);
  if (!isPlain && meaning.outcome === 'won' && !hasWon(counts)) score *= 0.9;
  score += weight * bonusOf(counts);
  if (best.takes(kind.group, score, hrefOf(record, key))) best.add(described(record, key, score));
}

const hasWon = ({ wins, unofficial_wins }: OfficialCounts): boolean => wins + unofficial_wins > 0;
const bonusOf = ({ entries, unofficial }: OfficialCounts): number => Math.log2(1 + entries + unofficial);

function hrefOf({ columns }: TextSearch, key: TextKey): string {
  const resource = resourceOf(key);
  const { ids, text } = columns[resource];
  return recordHref(resource, ids.id(rowOf(key)), text.values[rowOf(key)]!);
}

const nominationsOf = ({ columns }: TextSearch, key: TextKey): Int32Array => {
  const { ids, references } = columns[resourceOf(key)];
  return references.nominationsOf(ids.id(rowOf(key)));
};

/** What the year and the category of a question say about the nominations of a record: 1 for nothing. */
function likelihood(record: TextSearch, key: TextKey, rows: Int32Array, { year, category }: Meaning): number {
  const { table, textOf, yearOf } = record;
  let likely = 1;
  if (year) {
    const years = Array.from(rows, yearOf);
    // Of other records: films of 1997 were nominated in 1998.
    if (isOfYear(record, key, year) ?? years.includes(year + 1)) likely = 1.02;
    else if (!years.includes(year)) likely = 0.6;
  }
  const isOf = (row: number) => textOf('categories', table.category.idAt(row)) === category;
  return category && !rows.some(isOf) ? likely * 0.8 : likely;
}

/** A record with what it has won: "Film · 1997 · Won 11 of 14 nominations". */
function described(record: TextSearch, key: TextKey, score: number): Scored {
  const { columns, textOf } = record;
  const counts = record.countsOf(nominationsOf(record, key));
  const resource = resourceOf(key);
  const id = columns[resource].ids.id(rowOf(key));
  const { group, kindOf } = kinds[resource];
  const text = textOf(resource, id);
  const label = resource === 'songs' ? `“${text}”` : text;
  const isCategory = resource === 'categories';
  const tally = { nominations: counts.entries, ...counts };
  const detail = joined(kindOf(record, key), isCategory ? nominationsText(tally) : summaryText(tally));
  const own = { group, score, label, href: hrefOf(record, key), detail, resource, id };
  return isCategory ? own : { ...own, won: hasWon(counts) };
}

const isImdbId = (word: string): boolean => /^(tt|nm|co)\d+$/.test(word);

/**
 * Adds films and people by IMDb id; people by the names of their credits, notes and honors.
 * @throws SnapshotUnavailable
 */
async function addFurther(best: BestHits, record: TextSearch, names: Words): Promise<void> {
  const { snapshot, table, columns, textOf, countsOf } = record;
  const add = (hit: Scored) => {
    best.count += 1;
    best.add(hit);
  };
  const ofRecord = (resource: 'movies' | 'nominees', id: number): Scored => {
    const key = textKey(resource, columns[resource].ids.row(id));
    const { worth: own, weight } = kinds[resource];
    return described(record, key, 0.99 * own + weight * bonusOf(countsOf(nominationsOf(record, key))));
  };
  const [word = ''] = names;
  if (isImdbId(word)) {
    const [films, people] = await Promise.all([snapshot.table('films'), snapshot.table('people')]);
    const [film, person] = [films.filmindex_id.indexOf(word), people.filmindex_id.indexOf(word)];
    if (film >= 0) add(ofRecord('movies', films.id(film)));
    else if (person >= 0) add(ofRecord('nominees', people.id(person)));
    return;
  }
  const [credits, honors] = await Promise.all([snapshot.table('details'), snapshot.table('honors')]);
  const letters = names.join('');
  for (const row of rowsWith(credits.credited_as, letters)) {
    const own = ofRecord('nominees', table.nominee.idAt(table.row(credits.id(row))));
    add({ ...own, detail: `Credited as ${credits.credited_as.values[row]}` });
  }
  for (const row of rowsWith(credits.note, letters)) {
    const own = table.row(credits.id(row));
    const [category, ceremony_year] = [table.category.idAt(own), record.yearOf(own)];
    const href = awardHref({ id: table.ceremony.idAt(own), ceremony_year }, category);
    best.count += 1;
    if (!best.takes('Notes', worth.note, href)) continue;
    const subjects = new Set([textOf('nominees', table.nominee.idAt(own)), filmOf(record, own)]);
    const detail = joined(
      `${textOf('categories', category)}, ${ceremony_year}`,
      plainCase(credits.note.values[row]!),
    );
    best.add({ group: 'Notes', score: worth.note, label: [...subjects].join(', '), href, detail });
  }
  for (const row of rowsWith(honors.recipients, letters)) {
    const [category, id] = [titleCased(honors.category.values[row]!), honors.id(row)];
    const label = honors.recipients.values[row]!;
    const detail = `${category}, ${table.ceremonies.year[table.ceremonies.row(honors.ceremony[row]!)]}`;
    const [group, resource] = ['Honors', 'honors' as const];
    const href = recordHref(resource, id, label);
    add({ group, score: worth.note, label, href, detail, resource, id });
  }
}

/**
 * Rows of ceremonies by number, as the latest or by year: first those held in the year, then those for its
 * films.
 */
function ceremoniesMeant(record: TextSearch, { year, ordinal, isLatest }: Meaning): number[] {
  const { ceremonies } = record.table;
  const newest = newestFirst(ceremonies);
  if (ordinal !== undefined) return newest.filter((row) => ceremonies.id(row) === ordinal);
  if (year === undefined) return isLatest ? newest.slice(0, 1) : [];
  const held = newest.filter((row) => ceremonies.year[row] === year);
  return [...held, ...newest.filter((row) => !held.includes(row) && honoredFilmsOf(record, row, year))];
}

/** The row of a category; -1 for none. */
const categoryRow = (record: TextSearch, name = ''): number =>
  record.table.categories.name.values.indexOf(name);

/** The category that is meant, the ceremonies, and what the category had there. */
function awardHits(record: TextSearch, meaning: Meaning): Scored[] {
  const { ceremonies, categories } = record.table;
  const category = categoryRow(record, meaning.category);
  const hits = ceremoniesMeant(record, meaning).flatMap((row, i): Scored[] => {
    const { year, show_title } = ceremonies;
    const own = { id: ceremonies.id(row), ceremony_year: year[row]!, show_title: show_title[row]! };
    const when = `films of ${filmYearAt(ceremonies, row).film_years}`;
    const best = winnersAt(record, categoryRow(record, 'Best Picture'), row);
    const winners = winnersAt(record, category, row);
    const href = recordHref('ceremonies', own.id, own.ceremony_year);
    const score = worth.ceremony - i / 100 - (winners === undefined ? 0 : 0.1);
    const shown = {
      group: 'Ceremonies',
      label: ceremonyTitle(own),
      detail: joined(best && `Best Picture: ${best}`, when),
    };
    const ceremony = { ...shown, score, href, resource: 'ceremonies' as const, id: own.id };
    if (winners === undefined) return [ceremony];
    const detail = joined(winners && `Won by ${winners}`, when);
    const award = {
      group: 'Awards',
      score: worth.award - i / 100,
      detail,
      href: awardHref(own, categories.id(category)),
    };
    return [{ ...award, label: `${meaning.category}, ${own.ceremony_year}` }, ceremony];
  });
  // Beside a year or an outcome, those come first.
  const score = Object.keys(meaning).length > 2 ? worth.category : worth.page;
  if (category >= 0) hits.push(described(record, textKey('categories', category), score));
  return meaning.names.length > 0 ? [] : hits;
}

/**
 * "Tom Hanks for Philadelphia", "“Streets of Philadelphia” from Philadelphia" or "Schindler's List"; empty
 * without a winner, undefined without a nomination.
 */
function winnersAt(record: TextSearch, category: number, ceremony: number): string | undefined {
  const { table, textOf } = record;
  if (category < 0) return undefined;
  const given = table.category.nominationsOf(table.categories.id(category));
  const rows = [...given].filter((row) => table.ceremony.rowAt(row) === ceremony);
  if (rows.length === 0) return undefined;
  const winners = rows.filter((row) => table.winner[row] === 1);
  const films = winners.map((row) => filmOf(record, row));
  const isOfPeople = /^(Acting|Direction)$/.test(table.categories.group.values[category] ?? '');
  if (!isOfPeople && winners.every((row) => !table.song.has(row))) return together(new Set(films));
  const nameOf = (row: number) =>
    isOfPeople ? textOf('nominees', table.nominee.idAt(row)) : `“${textOf('songs', table.song.idAt(row))}”`;
  const [names, word] = [winners.map(nameOf), isOfPeople ? 'for' : 'from'];
  if (winners.length === 0) return '';
  // One award can be for several people, or for several films.
  if (new Set(names).size > 1 && new Set(films).size > 1)
    return together(new Set(names.map((own, i) => `${own} ${word} ${films[i]}`)));
  return `${together(new Set(names))} ${word} ${together(new Set(films))}`;
}

/** An address with filters of the API. */
const addressOf = (path: string, filters: object): string =>
  withQuery(path, new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])));

/** The years that are meant, in words and as filters. */
function yearsMeant(record: TextSearch, meaning: Meaning): [words: string, filters: object] {
  const { decade } = meaning;
  if (decade) return [` of the ${decade}s`, { yearStart: decade, yearEnd: decade + 9 }];
  const [row = -1] = ceremoniesMeant(record, meaning);
  const year = record.table.ceremonies.year[row];
  return year ? [`, ${year}`, { year }] : ['', {}];
}

/** Rankings, honors, the nominations of a decade, and all ceremonies. */
function pageHits(record: TextSearch, meaning: Meaning): Scored[] {
  const { names, category, decade, outcome, isOfAwards, records } = meaning;
  if (records !== undefined) {
    const [label, href] = records;
    return [{ group: 'Pages', score: worth.page, label, href, detail: 'Records' }];
  }
  const [words, years] = yearsMeant(record, meaning);
  const pages = [...(meaning.pages ?? [])];
  if (decade) pages.push(['Nominations', '/nominations', category ? { category } : {}]);
  const isOfAll = pages.length === 0 && words === '' && !category;
  if (isOfAll && (isOfAwards || outcome)) pages.push(['All ceremonies', '/timeline']);
  return (names.length > 0 ? [] : pages).map(([title, path, filters], i) => {
    const label = path === '/honors' ? title : title + words;
    const href = addressOf(path, { ...filters, ...years });
    return { group: 'Pages', score: worth.page - i / 100, label, href, detail: 'Page' };
  });
}

/**
 * The address of the nominations that are meant. All that a search for the words as typed finds are among
 * them.
 */
async function nominationsMeant(record: TextSearch, typed: string, meaning: Meaning): Promise<string> {
  const { names, outcome, year } = meaning;
  const plain = addressOf('/api/search', { q: typed.trim() });
  const category = categoryRow(record, meaning.category);
  const filters = {
    // A film of 1997 was nominated in 1998.
    ...(year && names.length > 0 ? { yearStart: year, yearEnd: year + 1 } : yearsMeant(record, meaning)[1]),
    ...(outcome === 'won' && { winner: true }),
  };
  const ofCategory =
    category < 0 ? filters : { ...filters, category_ids: [record.table.categories.id(category)] };
  if (names.length === wordsOf(typed).length || Object.keys(ofCategory).length === 0) return plain;
  const { rows } = await findNominations(record.snapshot, [...new Set(tokens(typed))]);
  const q = [...names, ...(meaning.category ? [meaning.category] : [])].join(' ');
  if (names.length > 0) return rows.length > 0 ? plain : addressOf('/api/search', { q, ...filters });
  const meant = await selectNominations(record.snapshot, { page: 1, limit: 1, ...ofCategory }, rows);
  return meant.length < rows.length ? plain : addressOf('/api/nominations', ofCategory);
}
