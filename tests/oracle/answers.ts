/** The expected answers of lists, search and rankings, computed by plain loops. */
import type { Category, Movie, Nomination, Nominee, RecordOf, Song } from '../../api/contract/resources.ts';
import { categoryKnownAs } from './categories.ts';
import { csvOf, ndjsonOf } from './files.ts';
import { type Given, idsIn, includesIn, isExport, keysIn } from './parameters.ts';
import type { PlainRecord } from './record.ts';
import { suggestionsFor } from './suggestions.ts';
import { byCodePoints, fold } from './text.ts';
import type { View } from './view.ts';

/** Makes the check of a row for the value of a parameter. */
type Filter<Row> = (value: string, view: View) => (row: Row) => boolean;
/** Parameter → filter. Other parameters select no rows. */
type Filters<Row> = Readonly<Record<string, Filter<Row>>>;

/** A partial match; null matches nothing. */
const part =
  <Row>(textOf: (row: Row) => string | null): Filter<Row> =>
  (value, view) => {
    const sought = fold(value);
    return (row) => {
      const text = textOf(row);
      return text !== null && view.folded(text).includes(sought);
    };
  };
const exactText =
  <Row>(textOf: (row: Row) => string | null): Filter<Row> =>
  (value) =>
  (row) =>
    textOf(row) === value;
const exactNumber =
  <Row>(numberOf: (row: Row) => number | null): Filter<Row> =>
  (value) =>
  (row) =>
    numberOf(row) === Number(value);
const flag =
  <Row>(flagOf: (row: Row) => boolean): Filter<Row> =>
  (value) =>
  (row) =>
    flagOf(row) === (value === 'true');
const among =
  <Row>(idOf: (row: Row) => number): Filter<Row> =>
  (value) => {
    const ids = idsIn(value);
    return (row) => ids.has(idOf(row));
  };
const amongTexts =
  <Row>(textOf: (row: Row) => string | null): Filter<Row> =>
  (value) =>
  (row) =>
    keysIn(value).some((wanted) => wanted === textOf(row));
/** One of the genres equals the value, both folded. */
const genre: Filter<Movie> = (value, view) => (movie) =>
  movie.genres.some((own) => view.folded(own) === fold(value));

/** A partial match; where no category has the text in its name, the category that it names as a whole. */
const category =
  <Row>(nameOf: (row: Row) => string): Filter<Row> =>
  (value, view) => {
    const isPart = view.record.categories.some((it) => view.folded(it.category_name).includes(fold(value)));
    if (isPart) return part(nameOf)(value, view);
    const named = categoryKnownAs(value);
    return (row) => named !== undefined && categoryKnownAs(nameOf(row)) === named;
  };

const ids = among(({ id }: { id: number }) => id);
const winner = flag((it: Nomination) => it.winner);

const official: Filter<Nomination> = (value, view) => (it) =>
  view.record.details.get(it.id)!.official === (value === 'true');

/** By the film of a row and the three parameters of film years, each on its own. */
const filmYears = <Row>(filmOf: (row: Row) => number): Filters<Row> => {
  const test =
    (fits: (year: number, value: number) => boolean): Filter<Row> =>
    (value, view) =>
    (row) => {
      const year = view.filmYear(filmOf(row));
      return year !== null && fits(year, Number(value));
    };
  return {
    filmYear: test((year, value) => year === value),
    filmYearStart: test((year, value) => year >= value),
    filmYearEnd: test((year, value) => year <= value),
  };
};

const filters: { [R in keyof RecordOf]: Filters<RecordOf[R]> } = {
  nominations: {
    ids,
    ...filmYears((it) => it.movie_id),
    nominee: part((it) => it.nominee),
    movie: part((it) => it.movie),
    category: category((it) => it.category),
    winner,
    official,
    is_song: flag((it) => it.is_song),
    ceremony_ids: among((it) => it.ceremony_id),
    category_ids: among((it) => it.category_id),
    movie_ids: among((it) => it.movie_id),
    nominee_ids: among((it) => it.nominee_id),
  },
  ceremonies: { ids },
  movies: {
    ids,
    ...filmYears((it) => it.id),
    title: part((it) => it.title),
    moviedb_id: exactNumber((it) => it.moviedb_id),
    filmindex_id: exactText((it) => it.filmindex_id),
    filmindex_ids: amongTexts((it) => it.filmindex_id),
    genre,
  },
  nominees: {
    ids,
    name: part((it) => it.name),
    moviedb_person_id: exactNumber((it) => it.moviedb_person_id),
    filmindex_id: exactText((it) => it.filmindex_id),
    filmindex_ids: amongTexts((it) => it.filmindex_id),
    known_for_department: part((it) => it.known_for_department),
  },
  categories: {
    ids,
    category_name: part((it) => it.category_name),
    category_group: part((it) => it.category_group),
  },
  songs: {
    ids,
    title: part((it) => it.original_title),
    artist: part((it) => it.artist_names),
  },
  honors: {
    ids,
    class: exactText((it) => it.class),
    category: part((it) => it.category),
    recipient: part((it) => it.recipients),
    movie: part((it) => it.movie),
    movie_ids: (value) => (it) => it.movie_id !== null && idsIn(value).has(it.movie_id),
    nominee_ids: (value) => (it) => it.nominee_ids.some((id) => idsIn(value).has(id)),
  },
};

function filtered<Row>(rows: readonly Row[], filtersOfRow: Filters<Row>, view: View, given: Given): Row[] {
  const checks = [...given].flatMap(([name, value]) => filtersOfRow[name]?.(value, view) ?? []);
  return rows.filter((row) => checks.every((check) => check(row)));
}

/** The check of a year by all three year parameters; null is in no range. */
function inYears(given: Given): (year: number | null) => boolean {
  const [year, start, end] = ['year', 'yearStart', 'yearEnd'].map((parameter) => given.get(parameter));
  if (year === undefined && start === undefined && end === undefined) return () => true;
  return (value) =>
    value !== null &&
    (year === undefined || value === Number(year)) &&
    (start === undefined || value >= Number(start)) &&
    (end === undefined || value <= Number(end));
}

/** The records that have a nomination in the years asked for; all of them if no year is. */
function nominated<Row extends { id: number }>(
  rows: readonly Row[],
  reference: 'movie_id' | 'nominee_id' | 'category_id',
  view: View,
  given: Given,
): Row[] {
  if (!given.has('year') && !given.has('yearStart') && !given.has('yearEnd')) return [...rows];
  const fits = inYears(given);
  const all = view.record.nominations.filter((nomination) => fits(nomination.ceremony_year));
  const found = new Set(all.map((nomination) => nomination[reference]));
  return rows.filter((row) => found.has(row.id));
}

/** `limit` as answered: 25 by default, at most 100. */
const limitOf = (given: Given): number => Math.min(100, Number(given.get('limit') ?? '25'));

/** A page of the rows; all of them for a file. */
function paginated<Row>(rows: readonly Row[], given: Given) {
  if (isExport(given)) return { data: rows };
  const page = Number(given.get('page') ?? '1');
  const limit = limitOf(given);
  const total = rows.length;
  const totalPages = Math.ceil(total / limit);
  return {
    data: rows.slice((page - 1) * limit, page * limit),
    pagination: { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 },
  };
}

/** A document, or the text of a file. */
export function listAnswer(resource: keyof RecordOf, view: View, given: Given): object | string {
  const answer = plainList(resource, view, given) as { data: { id: number }[] };
  if (isExport(given)) return fileOf(resource, answer.data, view, given);
  return { ...answer, data: answer.data.map((row) => shown(including(resource, view, given, row), given)) };
}

/** The rows as a file. */
function fileOf(resource: keyof RecordOf, rows: readonly { id: number }[], view: View, given: Given): string {
  const whole = rows.map((row) => including(resource, view, given, row));
  return given.get('format') === 'csv'
    ? csvOf(resource, whole as never, given)
    : ndjsonOf(whole.map((row) => shown(row, given)));
}

/** The members of a row that `fields` names, in the order of the row. */
export function shown(row: object, given: Given): object {
  const fields = given.get('fields');
  if (fields === undefined) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => keysIn(fields).includes(name)));
}

/** A row with what `include` adds. */
export function including<Row extends { id: number }>(
  resource: string,
  view: View,
  given: Given,
  row: Row,
): Row {
  const keys = includesIn(given, `fields of ${resource as keyof RecordOf}`);
  const [, own] = listed.find(([name]) => name === resource) ?? [];
  return {
    ...row,
    ...(keys.includes('nominations') && { nominations: nominationsOf(view, own!, row.id, given) }),
    ...(keys.includes('details') &&
      resource === 'nominations' && { details: view.record.details.get(row.id)! }),
    ...(keys.includes('counts') && { counts: countsOf(view, resource, row.id) }),
    ...(keys.includes('film_year') && { film_year: view.filmYear(row.id) }),
  };
}

const listed = [
  ['movies', 'movie_id'],
  ['nominees', 'nominee_id'],
  ['songs', 'song_id'],
] as const;

/** The nominations that a record page or a list embeds, with their details if these are asked for. */
export function nominationsOf(
  view: View,
  reference: 'movie_id' | 'nominee_id' | 'category_id' | 'song_id',
  id: number,
  given: Given,
): Nomination[] {
  const withDetails = keysIn(given.get('include') ?? '').includes('details');
  const asked = new Map(withDetails ? [['include', 'details']] : []);
  return view
    .nominationsOf(reference, id)
    .map((nomination) => including('nominations', view, asked, nomination));
}

type Value = string | number | null;

/** Resource → key → the value of a row. Keys that are not here have the value of the member of their name. */
const sortValues: Record<string, Record<string, (row: never, view: View) => Value>> = {
  nominations: { year: (row: Nomination) => row.ceremony_year },
  movies: { entries: countFor('movies', 'entries'), wins: countFor('movies', 'wins') },
  nominees: { entries: countFor('nominees', 'entries'), wins: countFor('nominees', 'wins') },
  songs: {
    title: (row: Song) => row.original_title,
    artist: (row: Song) => row.artist_names,
    year: (row: Song) => row.streaming_year,
  },
};

function countFor(resource: string, count: 'entries' | 'wins') {
  return ({ id }: { id: number }, view: View): Value => countsOf(view, resource, id)[count];
}

/**
 * Rows by one key: null last both ways, ties by id.
 * @param rows in the default order
 * @param scores of a search
 */
function sorted<Row extends { id: number }>(
  resource: string,
  rows: readonly Row[],
  view: View,
  sort: string | undefined,
  scores?: ReadonlyMap<number, number>,
): Row[] {
  if (sort === undefined || sort === 'relevance') return [...rows];
  const key = sort.replace('-', '');
  const direction = sort === key ? 1 : -1;
  const own = sortValues[resource]?.[key] as ((row: Row, view: View) => Value) | undefined;
  const keyed = rows.map((row) => {
    const value = key === 'relevance' ? -scores!.get(row.id)! : own ? own(row, view) : (row as never)[key];
    return { row, value: typeof value === 'string' ? view.folded(value) : (value as Value) };
  });
  const compare = (one: Value, other: Value): number => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return (
      direction * (typeof one === 'string' ? byCodePoints(one, other as string) : one - (other as number))
    );
  };
  return keyed
    .sort((one, other) => compare(one.value, other.value) || one.row.id - other.row.id)
    .map(({ row }) => row);
}

/** What counts as one nomination: by entry number, else by film and song, in acting also by nominee. */
function entryOf(
  view: View,
  { id, ceremony_id, category_id, movie_id, song_id, nominee_id }: Nomination,
): string {
  const { entry } = view.record.details.get(id)!;
  const isActing = fold(view.get('categories', category_id).category_group ?? '') === 'acting';
  const own = entry === null ? { movie_id, song_id, nominee: isActing && nominee_id } : { entry };
  return JSON.stringify({ ceremony_id, category_id, ...own });
}

const references: Record<string, 'movie_id' | 'nominee_id' | 'ceremony_id'> = {
  movies: 'movie_id',
  nominees: 'nominee_id',
  ceremonies: 'ceremony_id',
};

function countsOf(view: View, resource: string, id: number) {
  return totalsOf(view, view.nominationsOf(references[resource]!, id));
}

function totalsOf(view: View, own: readonly Nomination[]) {
  const entries = (some: readonly Nomination[]) => new Set(some.map((it) => entryOf(view, it))).size;
  const won = own.filter((it) => it.winner);
  return { entries: entries(own), wins: entries(won), nominations: own.length };
}

function plainList(resource: keyof RecordOf, view: View, given: Given): object {
  const { record } = view;
  const fits = inYears(given);
  const all = <Row>(rows: Row[]) => ({ data: rows, count: rows.length });
  const pageOf = <R extends keyof RecordOf>(of: R, rows: readonly RecordOf[R][]) => {
    const found = filtered<RecordOf[R]>(rows, filters[of], view, given);
    return paginated(sorted(of, found, view, given.get('sort')), given);
  };
  switch (resource) {
    case 'nominations':
      return pageOf(
        resource,
        record.nominations.filter((it) => fits(it.ceremony_year)),
      );
    case 'ceremonies': {
      const rows = record.ceremonies.filter((it) => fits(it.ceremony_year));
      const found = filtered(rows, filters.ceremonies, view, given);
      return all(found.sort((one, other) => other.ceremony_year - one.ceremony_year || other.id - one.id));
    }
    case 'movies':
      return pageOf(resource, nominated(record.movies, 'movie_id', view, given));
    case 'nominees':
      return pageOf(resource, nominated(record.nominees, 'nominee_id', view, given));
    case 'categories':
      return all(
        filtered(nominated(record.categories, 'category_id', view, given), filters.categories, view, given),
      );
    case 'honors':
      return pageOf(
        resource,
        record.honors.filter((it) => fits(it.ceremony_year)),
      );
    case 'songs':
      return pageOf(
        resource,
        record.songs.filter((it) => fits(it.streaming_year)),
      );
  }
}

/** Key → the values of a nomination, as spelled. No value: null. */
const valuesOf: Record<string, (view: View, nomination: Nomination) => Value[]> = {
  year: (_, it) => [it.ceremony_year],
  decade: (_, it) => [Math.floor(it.ceremony_year / 10) * 10],
  category: (_, it) => [it.category],
  category_group: ({ get }, it) => [get('categories', it.category_id).category_group],
  genre: ({ get }, it) => get('movies', it.movie_id).genres,
  department: ({ get }, it) => [get('nominees', it.nominee_id).known_for_department],
  country: ({ get }, it) => get('movies', it.movie_id).origin_country,
};

/** Key → all values of the record in the order of their records: the first spelling of each is the label. */
const spellingsOf: Record<string, (record: PlainRecord) => Value[]> = {
  year: () => [],
  decade: () => [],
  category: (record) => record.categories.map((it) => it.category_name),
  category_group: (record) => record.categories.map((it) => it.category_group),
  genre: (record) => record.movies.flatMap((it) => it.genres),
  department: (record) => record.nominees.map((it) => it.known_for_department),
  country: (record) => record.movies.flatMap((it) => it.origin_country),
};

/** Nominations that pass the filters, in groups. */
export function countsAnswer(view: View, given: Given) {
  const by = given.get('by')!;
  const fits = inYears(given);
  const rows = view.record.nominations.filter((it) => fits(it.ceremony_year));
  const folded = (value: Value) => (typeof value === 'string' ? view.folded(value) : value);
  const groups = new Map<Value, Nomination[]>();
  for (const nomination of filtered(rows, filters.nominations, view, given)) {
    const values = valuesOf[by]!(view, nomination).map(folded);
    for (const key of new Set(values.length === 0 ? [null] : values))
      groups.set(key, [...(groups.get(key) ?? []), nomination]);
  }
  const labels = new Map<Value, Value>();
  for (const text of spellingsOf[by]!(view.record))
    if (!labels.has(folded(text))) labels.set(folded(text), text);
  const data = [...groups]
    .sort(([one], [other]) => byKey(one, other))
    .map(([key, own]) => ({
      key,
      label: typeof key === 'number' ? `${key}${by === 'decade' ? 's' : ''}` : (labels.get(key) ?? null),
      ...totalsOf(view, own),
      movies: new Set(own.map((it) => it.movie_id)).size,
      nominees: new Set(own.map((it) => it.nominee_id)).size,
    }));
  return { data, by, count: data.length };
}

function byKey(one: Value, other: Value): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return typeof one === 'string' ? byCodePoints(one, other as string) : one - (other as number);
}

/** Relevance first, then the filters, then the page. */
export function searchAnswer(view: View, given: Given) {
  const query = given.get('q')!;
  const fits = inYears(given);
  const asSent = view.search(query);
  const suggestions = asSent.length === 0 ? suggestionsFor(view, query) : [];
  const corrected = given.get('fuzzy') === 'true' ? suggestions[0] : undefined;
  const scored = corrected === undefined ? asSent : view.search(corrected);
  const found = scored.map((it) => it.nomination).filter((nomination) => fits(nomination.ceremony_year));
  const scores = new Map(scored.map(({ nomination, score }) => [nomination.id, score]));
  const rows = filtered(found, { winner, official }, view, given);
  const inOrder = sorted('nominations', rows, view, given.get('sort'), scores);
  if (isExport(given)) return fileOf('nominations', inOrder, view, given);
  const answer = paginated(inOrder, given);
  const data = answer.data.map((row) => shown(including('nominations', view, given, row), given));
  return {
    query,
    ...(corrected !== undefined && { corrected }),
    ...answer,
    data,
    ...(scored.length === 0 && { suggestions }),
  };
}

/** A nomination with the records that the filters of rankings look at. */
interface Ranked {
  nomination: Nomination;
  movie: Movie;
  nominee: Nominee;
  category: Category;
}

const rankedOfficial: Filter<Ranked> = (value, view) => (it) => official(value, view)(it.nomination);

/** Films by distinct categories nominated and won. */
export function topMovies(view: View, given: Given) {
  const own: Filters<Ranked> = {
    genre: (value) => (it) => genre(value, view)(it.movie),
    official: rankedOfficial,
  };
  const groups = groupedBy(filtered(rankedIn(view, given), own, view, given), (it) => it.movie.id);
  const rows = groups.map((group) => ({
    movie_id: group[0]!.movie.id,
    movie: group[0]!.movie.title,
    ...totals(group, (it) => it.category.id),
  }));
  return ranking(rows, given, (row) => row.movie_id);
}

/** People by nominations and wins; companies and countries are not ranked. */
export function topNominees(view: View, given: Given) {
  const own: Filters<Ranked> = {
    known_for_department: part((it) => it.nominee.known_for_department),
    category: category((it) => it.nomination.category),
    category_group: part((it) => it.category.category_group),
    official: rankedOfficial,
  };
  const people = rankedIn(view, given).filter(({ nominee }) => isPerson(nominee));
  const groups = groupedBy(filtered(people, own, view, given), (it) => it.nominee.id);
  const rows = groups.map((group) => ({
    nominee_id: group[0]!.nominee.id,
    nominee: group[0]!.nominee.name,
    ...totals(group, (it) => it.nomination.id),
  }));
  return ranking(rows, given, (row) => row.nominee_id);
}

function rankedIn({ record, get }: View, given: Given): Ranked[] {
  const fits = inYears(given);
  return record.nominations
    .filter((nomination) => fits(nomination.ceremony_year))
    .map((nomination) => ({
      nomination,
      movie: get('movies', nomination.movie_id),
      nominee: get('nominees', nomination.nominee_id),
      category: get('categories', nomination.category_id),
    }));
}

const isPerson = ({ filmindex_id, known_for_department }: Nominee): boolean =>
  filmindex_id === null ? known_for_department !== null : !filmindex_id.startsWith('co');

function groupedBy(rows: readonly Ranked[], keyOf: (row: Ranked) => number): Ranked[][] {
  const groups = new Map<number, Ranked[]>();
  for (const row of rows)
    groups
      .set(keyOf(row), groups.get(keyOf(row)) ?? [])
      .get(keyOf(row))!
      .push(row);
  return [...groups.values()];
}

/** @param unitOf what counts once */
const totals = (group: readonly Ranked[], unitOf: (row: Ranked) => number) => ({
  total_nominations: new Set(group.map(unitOf)).size,
  total_wins: new Set(group.filter(({ nomination }) => nomination.winner).map(unitOf)).size,
});

/** Best first by the total asked for, then by the other one, then by id; cut at the limit. */
function ranking<Row extends ReturnType<typeof totals>>(
  rows: Row[],
  given: Given,
  idOf: (row: Row) => number,
) {
  const [first, second] =
    given.get('sort') === 'wins'
      ? (['total_wins', 'total_nominations'] as const)
      : (['total_nominations', 'total_wins'] as const);
  const data = rows
    .sort((one, other) => other[first] - one[first] || other[second] - one[second] || idOf(one) - idOf(other))
    .slice(0, limitOf(given));
  return { data, count: data.length };
}
