/** Answers typed words with records: the search of the API looks them up, and some mean a year, a category or a page. */
import { editDistance } from '../../../api/contract/nearest.ts';
import { byCodeUnit, tokens } from '../../../api/contract/text.ts';
import { rowAt, type TextColumn } from '../../../api/read/columns.ts';
import { countFew } from '../../../api/read/counts.ts';
import { findNominations } from '../../../api/read/search.ts';
import { selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { ceremonyTitle, count, filmYears, joined, titleCased, together } from '../shared/format.ts';
import { awardHref, recordHref, withQuery } from './addresses.ts';
import {
  type Meaning,
  sameNumber,
  understand,
  withoutAlias,
  withoutQuestionWords,
  wordsOf,
} from './vocabulary.ts';

type Named = 'movies' | 'nominees' | 'songs' | 'categories';

export interface Hit {
  href: string;
  label: string;
  /** What a reader sees beside the label. */
  detail: string;
  /** Whether it won at least once; absent for what is not nominated. */
  won?: boolean;
  resource?: Named | 'ceremonies' | 'honors';
  id?: number;
}

export interface Finding {
  /** At most `maxHits` in all, the group of the best one first. */
  groups: { title: string; hits: Hit[] }[];
  /** Whether no record has all words. */
  isNear?: boolean;
  /** A sentence, if the words ask for what the record does not hold. */
  note?: string;
  /** Address of the API that lists the nominations that are meant; empty for a text without a letter or digit. */
  nominations: string;
}

interface Scored extends Hit {
  group: string;
  score: number;
}

const maxHits = 12;
const maxHitsOfGroup = 5;
const notHeld = 'The record holds nominations and winners, not box office, hosts, studios or speeches.';

/** What a hit is worth beside a text that has all words, which is 1; one without other words is worth `whole` more. */
const worth = {
  page: 1.2,
  award: 1.02,
  ceremony: 0.97,
  category: 0.96,
  note: 0.8,
  near: 0.7,
  whole: 0.08,
};
/** How well a typed word matches a word of a text. */
const likeness = { prefix: 0.75, numeral: 0.97, joined: 0.95, oneEdit: 0.75, twoEdits: 0.55 };
const kinds = {
  nominees: { group: 'People', one: '', worth: 1, weight: 0.02 },
  movies: { group: 'Films', one: 'Film', worth: 1, weight: 0.02 },
  songs: { group: 'Songs', one: 'Song', worth: 0.86, weight: 0 },
  categories: { group: 'Categories', one: 'Category', worth: 0.96, weight: 0 },
} as const;

/** How well texts match, from 0 to 1, by resource and id; 1 for a text without other words. */
type Matches = ReadonlyMap<string, number>;
type Record = Awaited<ReturnType<typeof recordOf>>;

/** What a search looks through, and what it found so far. @throws SnapshotUnavailable */
async function recordOf(snapshot: Snapshot) {
  const [table, titles, names, songs, index] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    snapshot.table('names'),
    snapshot.table('songs'),
    snapshot.table('search'),
  ]);
  const columns = {
    nominees: { ids: names, text: names.text, references: table.nominee },
    movies: { ids: titles, text: titles.text, references: table.movie },
    songs: { ids: songs, text: songs.title, references: table.song },
    categories: { ids: table.categories, text: table.categories.name, references: table.category },
  };
  const textOf = (resource: Named, id: number) =>
    columns[resource].text.values[columns[resource].ids.row(id)]!;
  const known = new Map<string, Matches>();
  const once = (name: string, make: () => Matches): Matches => {
    known.set(name, known.get(name) ?? make());
    return known.get(name)!;
  };
  return { snapshot, table, songs, index, columns, textOf, once };
}

/** What typed words name and mean, best first. @throws SnapshotUnavailable */
export async function findRecords(snapshot: Snapshot, typed: string): Promise<Finding> {
  const words = wordsOf(typed);
  if (words.length === 0) return { groups: [], nominations: '' };
  const record = await recordOf(snapshot);
  const plain = [...withoutAlias(words), words];
  await record.index.load(plain.flat().flatMap((word) => [word, ...sameNumber(word)]));
  const isTitle = (own: readonly string[]) =>
    [...find(record, own).keys()].some((key) => !key.startsWith('c'));
  const read = understand(words);
  const meaning = { ...read, names: namesMeant(words, read.names, isTitle) };
  const { hits, isNear } = await namedHits(record, plain, meaning);
  const all = [...pageHits(record, meaning), ...awardHits(record, meaning), ...hits];
  const byGroup = new Map<string, Hit[]>();
  let total = 0;
  for (const { group, score: _, ...own } of all.sort(
    (a, b) => b.score - a.score || byCodeUnit(a.href, b.href),
  )) {
    const others = byGroup.get(group) ?? [];
    const isKnown = others.some(({ href }) => href === own.href);
    if (isKnown || total === maxHits || others.length === maxHitsOfGroup) continue;
    byGroup.set(group, [...others, own]);
    total += 1;
  }
  return {
    groups: [...byGroup].map(([title, own]) => ({ title, hits: own })),
    ...(isNear && { isNear }),
    ...(meaning.isNotHeld && !isTitle(words) && { note: notHeld }),
    nominations: await nominationsMeant(record, typed, words, meaning),
  };
}

type Words = readonly string[];

/** Words of a question are names only in a title: "How the West Was Won", "who directed Get Out". */
function namesMeant(words: Words, names: Words, isTitle: (own: Words) => boolean): Words {
  const asked = withoutQuestionWords(names);
  if (asked.length === names.length || isTitle(words)) return names;
  const ends = names.slice(0, names.indexOf(asked[0]!) + 1).map((_, at) => names.slice(at));
  return ends.find(isTitle) ?? asked;
}

/** What separates words of folded texts; NUL separates texts. */
const gap = '\\x01-/:-`{-\\xa9\\u2000-\\u206f';
/** Around a whole text, or around its part in parentheses: a translation, or the original title. */
const opens = new RegExp(`(^|[([])[${gap}]*(the |an? )?$`);
const closes = new RegExp(`^[${gap}]*$|^( or)? [([]|^[)\\]]`);

/** Where letters begin a word of a text, whatever separates them: "spiderman" is in "Spider-Man 2". */
function* occurrences({ joined: text, starts }: TextColumn, letters: string) {
  const [first = '', ...others] = letters;
  const rest = others.map((letter) => `[${gap}]*${letter}`).join('');
  const end = others.length > 0 ? `[^\\0${gap}]*` : `(?![^\\0${gap}])`;
  let row = 0;
  for (const { 0: match, index } of text.matchAll(
    RegExp(`${first}(?<![^\\0${gap}]${first})${rest}${end}`, 'gu'),
  )) {
    row = rowAt(starts, index, row);
    const before = text.slice(starts[row], index);
    const after = text.slice(index + match.length, (starts[row + 1] ?? text.length + 1) - 1);
    const isEqual = tokens(match).join('').length === letters.length;
    yield { row, isEqual, isWhole: isEqual && opens.test(before) && closes.test(after) };
  }
}

/** The texts that have a word, its beginning, another writing of it or, with `edits`, one like it. */
function textsWith({ index, columns }: Record, word: string, edits: boolean): Matches {
  const found = new Map<string, number>();
  const note = (resource: Named, id: number, like: number) => {
    const key = `${resource} ${id}`;
    if (like > (found.get(key) ?? 0)) found.set(key, like);
  };
  const look = (other: string, equal: number, prefix = 0) => {
    for (const { resource, ids, isEqual } of index.textsWith(other))
      for (const id of ids) note(resource, id, isEqual ? equal : prefix);
  };
  look(word, 1, likeness.prefix);
  for (const { row, isEqual } of occurrences(columns.songs.text, word))
    note('songs', columns.songs.ids.id(row), isEqual ? 1 : likeness.prefix);
  for (const other of sameNumber(word)) look(other, likeness.numeral);
  const allowed = !edits || /\d/.test(word) || word.length < 4 ? 0 : word.length < 6 ? 1 : 2;
  for (const other of new Set(allowed > 0 ? index.wordsLike(word, allowed) : [])) {
    const distance = editDistance(word, other, allowed);
    if (distance <= allowed) look(other, distance === 1 ? likeness.oneEdit : likeness.twoEdits);
  }
  return found;
}

/** How much of a text some letters are. A family name alone is common. */
function coverage({ textOf }: Record, key: string, letters: number): number {
  const [resource, id] = key.split(' ') as [Named, string];
  const text = textOf(resource, Number(id)).replace(/( or)? [([].*/, '');
  const missing = Math.max(0, 1 - letters / tokens(text).join('').length);
  return 1 - (resource === 'nominees' ? 0.1 : 0.25) * missing;
}

/** The texts that have all words. @param edits whether words may be mistyped */
function find(record: Record, words: Words, edits = false): Matches {
  const likenesses = (word: string) => record.once(`${word} ${edits}`, () => textsWith(record, word, edits));
  return record.once(`all ${words.join(' ')} ${edits}`, () => {
    // The words that few texts have come first.
    const [rarest = '', ...others] = [...words].sort((a, b) => b.length - a.length);
    let all = [...likenesses(rarest)].map(([key, like]) => [key, like * rarest.length] as const);
    for (const word of all.length > 0 ? others : []) {
      const own = likenesses(word);
      all = all.flatMap(([key, sum]) => (own.has(key) ? [[key, sum + own.get(key)! * word.length]] : []));
    }
    const letters = words.join('').length;
    if (letters === 1) return new Map();
    return new Map(
      all.map(([key, sum]) => [key, Math.min(0.99, (sum / letters) * coverage(record, key, letters))]),
    );
  });
}

/** The texts that have the words side by side, joined or split. */
function findJoined(record: Record, words: Words): Matches {
  const found = new Map<string, number>();
  const text = words.join(' ').replace(/^(the|an?) (?=.)/, '');
  // A title rarely has the number of the first film of a series: "rocky 1", "dune part one".
  for (const own of new Set([text, text.replace(/(?<=.) (1|part (1|one|i))$/, '')]))
    for (const [resource, { ids, text: column }] of Object.entries(record.columns))
      for (const { row, isEqual, isWhole } of occurrences(column, own.replaceAll(' ', ''))) {
        const key = `${resource} ${ids.id(row)}`;
        const like = (isEqual ? likeness.joined : likeness.prefix) * coverage(record, key, own.length);
        const isFound = own === text && (own.length > 1 || resource === 'movies');
        if (isWhole || isFound) found.set(key, isWhole ? 1 : Math.max(like, found.get(key) ?? 0));
      }
  return found;
}

/** The records that have all words, or those that are left when the others mean something; near ones where none has. */
async function namedHits(record: Record, plain: readonly Words[], meaning: Meaning) {
  const names = meaning.names.length === 0 ? [] : withoutAlias(meaning.names);
  const all = [...plain, ...names];
  const hitsOf = (findIn: (words: Words) => Matches) =>
    all.flatMap((words, at) =>
      [...findIn(words)].map((match) => scored(record, match, meaning, at < plain.length)),
    );
  const side = new Map(all.map((words) => [words, findJoined(record, words)]));
  const exact = [...hitsOf((words) => side.get(words)!), ...hitsOf((words) => find(record, words))];
  const isWhole = [...side.values()].some((own) => [...own.values()].includes(1));
  if (isWhole || meaning.names.join('').length < 2) return { hits: exact, isNear: false };
  exact.push(...(await furtherHits(record, meaning.names)));
  const hits =
    exact.length < maxHitsOfGroup ? [...exact, ...hitsOf((words) => find(record, words, true))] : exact;
  if (hits.length > 0) return { hits, isNear: false };
  const near = meaning.names.flatMap((word) => [...find(record, [word], true)]);
  return {
    hits: near.map(([key, like]) => scored(record, [key, like * worth.near], meaning)),
    isNear: near.length > 0,
  };
}

/** A record with its tally: "Film · 1997 · 14 nominations, 11 wins". @param isPlain whether it has all words as they were typed */
function scored(
  record: Record,
  [key, like]: readonly [string, number],
  meaning: Meaning,
  isPlain = true,
): Scored {
  const { table, columns, textOf } = record;
  const resource = key.split(' ')[0] as Named;
  const id = Number(key.split(' ')[1]);
  const { year, category, outcome } = meaning;
  const rows = [...columns[resource].references.nominationsOf(id)];
  const { entries: nominations, wins } = countFew(table, rows);
  const kind = kinds[resource];
  let score = like === 1 ? 1 + (isPlain ? worth.whole : 0) : like * kind.worth;
  if (!isPlain) {
    const years = rows.map((row) => table.yearAt(row));
    // A film of 1997 was nominated in 1998.
    if (year) score *= years.includes(year + 1) ? 1.02 : years.includes(year) ? 1 : 0.6;
    if (category && !rows.some((row) => textOf('categories', table.category.idAt(row)) === category))
      score *= 0.8;
    if (outcome === 'won' && wins === 0) score *= 0.9;
  }
  // A question about an outcome means one with many nominations.
  score += kind.weight * (outcome && !isPlain ? 2 : 1) * Math.log2(1 + nominations);
  const text = textOf(resource, id);
  const [first] = rows;
  const film =
    resource === 'songs' && first !== undefined && `from ${textOf('movies', table.movie.idAt(first))}`;
  const eligible =
    first === undefined ? null : table.ceremonies.columns.movies_eligible[table.ceremony.rowAt(first)]!;
  const tally = [count(nominations, 'nomination'), ...(wins > 0 ? [count(wins, 'win')] : [])].join(', ');
  return {
    group: kind.group,
    score,
    label: resource === 'songs' ? `“${text}”` : text,
    href: recordHref(resource, id, text),
    detail: joined(kind.one, film || null, resource === 'movies' ? filmYears(eligible) : null, tally),
    won: wins > 0,
    resource,
    id,
  };
}

/** Films and people by IMDb id; people by the names of their credits, notes and honors. @throws SnapshotUnavailable */
async function furtherHits(record: Record, names: Words): Promise<Scored[]> {
  const { snapshot, table, textOf } = record;
  const ofRecord = (resource: Named, id: number) => scored(record, [`${resource} ${id}`, 0.99], { names });
  const [word = ''] = names;
  if (/^(tt|nm|co)\d+$/.test(word)) {
    const [films, people] = await Promise.all([snapshot.table('films'), snapshot.table('people')]);
    const [film, person] = [films.filmindexId.indexOf(word), people.filmindexId.indexOf(word)];
    if (film >= 0) return [ofRecord('movies', films.id(film))];
    return person < 0 ? [] : [ofRecord('nominees', people.id(person))];
  }
  const [credits, honors] = await Promise.all([snapshot.table('credits'), snapshot.table('honors')]);
  const found = (column: TextColumn) =>
    [...occurrences(column, names.join(''))].filter(({ isEqual }) => isEqual);
  const credited = found(credits.creditedAs).map(({ row }) => ({
    ...ofRecord('nominees', table.nominee.idAt(table.row(credits.id(row)))),
    detail: `Credited as ${credits.creditedAs.values[row]}`,
  }));
  const noted = found(credits.note).map(({ row }) => {
    const own = table.row(credits.id(row));
    const [category, ceremony_year] = [table.category.idAt(own), table.yearAt(own)];
    const subjects = [textOf('nominees', table.nominee.idAt(own)), textOf('movies', table.movie.idAt(own))];
    return {
      ...{ group: 'Notes', score: worth.note, label: together(new Set(subjects)) },
      href: awardHref({ id: table.ceremony.idAt(own), ceremony_year }, category),
      detail: joined(`${textOf('categories', category)}, ${ceremony_year}`, credits.note.values[row]),
    };
  });
  const honored = found(honors.recipients).map(({ row }) => {
    const [category, id] = [titleCased(honors.category.values[row]!), honors.id(row)];
    const label = honors.recipients.values[row]!;
    const detail = `${category}, ${table.ceremonies.year[table.ceremonies.row(honors.ceremony[row]!)]}`;
    const [group, resource] = ['Honors', 'honors' as const];
    return { group, score: worth.note, label, href: recordHref(resource, id, label), detail, resource, id };
  });
  return [...credited, ...noted, ...honored];
}

/** Rows of ceremonies by number, as the latest or by year: first those held in the year, then those for its films. */
function ceremoniesMeant({ table: { ceremonies } }: Record, { year, ordinal, isLatest }: Meaning): number[] {
  const newest = ceremonies.newestFirst();
  if (ordinal !== undefined) return newest.filter((row) => ceremonies.id(row) === ordinal);
  if (year === undefined) return isLatest ? newest.slice(0, 1) : [];
  const held = newest.filter((row) => ceremonies.year[row] === year);
  const years = (row: number) => filmYears(ceremonies.columns.movies_eligible[row]!)?.split('–') ?? [];
  return [...held, ...newest.filter((row) => !held.includes(row) && years(row).includes(String(year)))];
}

/** The category that is meant, the ceremonies, and what the category had there. */
function awardHits(record: Record, meaning: Meaning): Scored[] {
  const { ceremonies, categories } = record.table;
  const [category, picture] = [meaning.category, 'Best Picture'].map((name) =>
    categories.name.values.indexOf(name ?? ''),
  );
  const hits = ceremoniesMeant(record, meaning).flatMap((row, i): Scored[] => {
    const { year, show_title, movies_eligible } = ceremonies.columns;
    const own = { id: ceremonies.id(row), ceremony_year: year[row]!, show_title: show_title[row]! };
    const when = `films of ${filmYears(movies_eligible[row]!) ?? own.ceremony_year - 1}`;
    const [winners, best] = [winnersAt(record, category!, row), winnersAt(record, picture!, row)];
    const score = worth.ceremony - i / 100 - (winners ? 0.1 : 0);
    const href = recordHref('ceremonies', own.id, own.ceremony_year);
    const detail = joined(best && `Best Picture: ${best}`, when);
    const [group, resource] = ['Ceremonies', 'ceremonies' as const];
    const ceremony = { group, score, label: ceremonyTitle(own), href, detail, resource, id: own.id };
    if (!winners) return [ceremony];
    const label = `${meaning.category}, ${own.ceremony_year}`;
    const award = {
      group: 'Awards',
      score: worth.award - i / 100,
      label,
      detail: joined(`Won by ${winners}`, when),
    };
    return [{ ...award, href: awardHref(own, categories.id(category!)) }, ceremony];
  });
  // Beside a year or an outcome, those come first.
  const score = Object.keys(meaning).length > 2 ? worth.category : worth.page;
  if (category! >= 0)
    hits.push({ ...scored(record, [`categories ${categories.id(category!)}`, 1], meaning), score });
  return meaning.names.length > 0 ? [] : hits;
}

/** "Tom Hanks for Philadelphia", "“Streets of Philadelphia” from Philadelphia" or "Schindler's List"; empty without a winner. */
function winnersAt({ table, textOf }: Record, category: number, ceremony: number): string {
  if (category < 0) return '';
  const isOfPeople = /^(Acting|Direction)$/.test(table.categories.group.values[category] ?? '');
  const winners = [...table.category.nominationsOf(table.categories.id(category))].filter(
    (row) => table.winner[row] === 1 && table.ceremony.rowAt(row) === ceremony,
  );
  const films = winners.map((row) => textOf('movies', table.movie.idAt(row)));
  if (!isOfPeople && winners.every((row) => !table.song.has(row))) return together(new Set(films));
  const name = (row: number) =>
    isOfPeople ? textOf('nominees', table.nominee.idAt(row)) : `“${textOf('songs', table.song.idAt(row))}”`;
  const [names, word] = [winners.map(name), isOfPeople ? 'for' : 'from'];
  // One award can be for several people, or for several films.
  if (new Set(names).size > 1 && new Set(films).size > 1)
    return together(new Set(names.map((own, i) => `${own} ${word} ${films[i]}`)));
  return `${together(new Set(names))} ${word} ${together(new Set(films))}`;
}

/** An address with filters of the API. */
const addressOf = (path: string, filters: object): string =>
  withQuery(path, new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])));

/** The years that are meant, in words and as filters. */
function yearsMeant(record: Record, meaning: Meaning): [words: string, filters: object] {
  const { decade } = meaning;
  if (decade) return [` of the ${decade}s`, { yearStart: decade, yearEnd: decade + 9 }];
  const [row = -1] = ceremoniesMeant(record, meaning);
  const year = record.table.ceremonies.year[row];
  return year ? [`, ${year}`, { year }] : ['', {}];
}

/** Rankings, honors, the nominations of a decade, and all ceremonies. */
function pageHits(record: Record, meaning: Meaning): Scored[] {
  const { names, category, decade, outcome, isOfAwards } = meaning;
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

/** The address of the nominations that are meant. All that a search for the words as typed finds are among them. */
async function nominationsMeant(
  record: Record,
  typed: string,
  words: Words,
  meaning: Meaning,
): Promise<string> {
  const { names, category, outcome, year } = meaning;
  const plain = addressOf('/api/search', { q: typed.trim() });
  const { categories } = record.table;
  const filters = {
    ...(category && { category_ids: [categories.id(categories.name.values.indexOf(category))] }),
    // A film of 1997 was nominated in 1998.
    ...(year && names.length > 0 ? { yearStart: year, yearEnd: year + 1 } : yearsMeant(record, meaning)[1]),
    ...(outcome === 'won' && { winner: true }),
  };
  if (names.length === words.length || Object.keys(filters).length === 0) return plain;
  const { rows } = await findNominations(record.snapshot, tokens(typed));
  const meant = await selectNominations(record.snapshot, { page: 1, limit: 1, ...filters }, rows);
  if (meant.length < rows.length) return plain;
  return names.length > 0
    ? addressOf('/api/search', { q: names.join(' '), ...filters })
    : addressOf('/api/nominations', filters);
}
