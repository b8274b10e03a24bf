/**
 * The oracle: the expected answer to every GET, computed from the plain record by plain loops. It follows the specification
 * alone, and shares no code with the service but the names of categories.
 */
import type { Nomination } from '../../../api/contract/resources.ts';
import { csvOf, ndjsonOf } from './files.ts';
import {
  type Given,
  includesIn,
  isExport,
  isPerson,
  joined,
  keysIn,
  kinds,
  type Parameter,
  readQueryString,
  type Resource,
  type Route,
  type Row,
  routes,
} from './parameters.ts';
import type { PlainRecord } from '../record.ts';
import { search, suggestionsFor } from './search.ts';
import { byCodePoints, type Reference, type View, viewOf, yearsNamed } from './view.ts';

export interface ExpectedAnswer {
  status: number;
  /** The document of a 200, whose text is JSON.stringify(body) + '\n', or the text of a file; null for errors. */
  body: unknown;
  /** For 400: each faulty parameter once, in the order of the query string. */
  faultyParameters?: string[];
}

/** The text of an answer with status 200. */
export const expectedText = ({ body }: ExpectedAnswer): string =>
  typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;

/** The answer to GET `path`?`queryString`; the query string comes without its question mark, '' for none. */
export function expectedAnswer(record: PlainRecord, path: string, queryString: string): ExpectedAnswer {
  const view = viewOf(record);
  const [before, api, resource = '', spelling = '', ...more] = path.split('/');
  const isPage = before === '' && api === 'api' && more.length === 0 && isId(spelling);
  const route = isPage ? routes.get(`/api/${resource}/{id}`) : routes.get(path);
  if (route === undefined || path.includes('{')) return { status: 404, body: null };
  const { given, faulty } = readQueryString(route, isPage ? ownPieces(route, queryString) : queryString);
  if (faulty.length > 0) return { status: 400, body: null, faultyParameters: faulty };
  if (!isPage) return { status: 200, body: (computed[path] ?? listAnswer)(view, route, given) };
  const page = pageOf(view, route.resource, Number(spelling));
  return page
    ? { status: 200, body: shown(including(view, route, page, given), given) }
    : { status: 404, body: null };
}

/** 9007199254740993 and its like read as a neighbouring number. */
const isId = (text: string): boolean =>
  /^[1-9][0-9]*$/.test(text) && String(Number(text)) === text && Number.isSafeInteger(Number(text));

/** Pages of records ignore all parameters but their own. */
const ownPieces = (route: Route, queryString: string): string =>
  queryString
    .split('&')
    .filter((piece) =>
      [...readQueryString(route, piece).given.keys()].some((name) => route.parameters.has(name)),
    )
    .join('&');

/** The rows that all filters and years select. */
function selected<R extends Row>(rows: readonly R[], { parameters }: Route, given: Given, view: View): R[] {
  const checks: [parameter: Parameter, (row: Row) => boolean][] = [...given].flatMap(([name, value]) => {
    const parameter = parameters.get(name)!;
    const { kind, read } = parameter;
    const meaning = kinds[kind];
    if (read === undefined || !('fits' in meaning)) return [];
    const fits = meaning.fits(value, view) as (own: unknown) => boolean;
    return [[parameter, (row: Row) => read(row, view).some((own) => own !== null && fits(own))]];
  });
  for (const prefix of ['year', 'filmYear']) {
    const [year, start, end] = ['', 'Start', 'End'].map((suffix) => given.get(prefix + suffix));
    if (year === undefined && start === undefined && end === undefined) continue;
    const bounds = [
      (own: unknown) => year === undefined || own === Number(year),
      (own: unknown) => start === undefined || Number(own) >= Number(start),
      (own: unknown) => end === undefined || Number(own) <= Number(end),
    ];
    const parameter = parameters.get(prefix)!;
    const read = (row: Row) => parameter.read!(row, view).filter((own) => own !== null);
    // A nomination has one ceremony year, a film can be of two film years.
    checks.push([
      parameter,
      (row) =>
        prefix === 'year'
          ? read(row).some((own) => bounds.every((fits) => fits(own)))
          : read(row).length > 0 && bounds.every((fits) => read(row).some(fits)),
    ]);
  }
  const ofSong = checks.filter(([parameter]) => parameter.ofSong);
  const own = checks.filter(([parameter]) => !parameter.ofSong);
  const pass = (row: Row, some: typeof checks) => some.every(([, check]) => check(row));
  const nominationsOf = (id: number) => view.nominationsOf('song_id', id) as readonly Row[];
  return rows.filter(
    (row) => pass(row, own) && (ofSong.length === 0 || nominationsOf(row.id).some((it) => pass(it, ofSong))),
  );
}

/** `limit` as answered: 25 by default, at most 100. */
const limitOf = (given: Given): number => Math.min(100, Number(given.get('limit') ?? '25'));

function listAnswer(view: View, route: Route, given: Given): object | string {
  const { resource } = route;
  const all: readonly Row[] = view.record[resource];
  const rows = sorted(view, route, selected(all, route, given, view), given);
  const isWhole = resource === 'ceremonies' || resource === 'categories';
  if (resource === 'ceremonies')
    rows.sort((a, b) => Number(b.ceremony_year) - Number(a.ceremony_year) || b.id - a.id);
  if (!isWhole || isExport(given)) return pageOrFile(view, route, rows, given);
  return { data: rows.map((row) => shown(including(view, route, row, given), given)), count: rows.length };
}

/** A page of the rows, or a file with all of them. */
function pageOrFile(view: View, route: Route, rows: readonly Row[], given: Given): object | string {
  const whole = (some: readonly Row[]) => some.map((row) => including(view, route, row, given));
  if (given.get('format') === 'csv') return csvOf(route.resource, whole(rows), given);
  if (isExport(given)) return ndjsonOf(whole(rows).map((row) => shown(row, given)));
  const page = Number(given.get('page') ?? '1');
  const limit = limitOf(given);
  const totalPages = Math.ceil(rows.length / limit);
  return {
    data: whole(rows.slice((page - 1) * limit, page * limit)).map((row) => shown(row, given)),
    pagination: {
      total: rows.length,
      page,
      limit,
      totalPages,
      hasNextPage: page < totalPages,
      hasPrevPage: page > 1,
    },
  };
}

/** The members of a row that `fields` names, in the order of the row. */
function shown(row: object, given: Given): object {
  if (!given.has('fields')) return row;
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => keysIn(given.get('fields')).includes(name)),
  );
}

const references: Partial<Record<Resource, Reference>> = {
  movies: 'movie_id',
  nominees: 'nominee_id',
  ceremonies: 'ceremony_id',
  songs: 'song_id',
  categories: 'category_id',
};

const nominationsOf = (view: View, resource: Resource, id: number) =>
  view.nominationsOf(references[resource]!, id);

function filmYearOf(view: View, id: number) {
  const film_years = view.filmYears(id);
  return { film_year: yearsNamed(film_years).at(-1) ?? null, film_years };
}

/** A row with what `include` adds. */
function including(view: View, { resource }: Route, row: Row, given: Given): Row {
  const keys = includesIn(given, resource);
  const withDetails = (it: Row) => ({ ...it, details: view.record.details.get(it.id)! });
  if (resource === 'nominations') return keys.includes('details') ? withDetails(row) : row;
  const embeds = keys.includes('nominations') || 'nominations' in row;
  const own = embeds ? nominationsOf(view, resource, row.id) : [];
  return {
    ...row,
    ...(keys.includes('film_years') && { film_years: view.record.filmYears.get(row.id) }),
    ...(embeds && { nominations: keys.includes('details') ? own.map(withDetails) : own }),
    ...(keys.includes('counts') && { counts: countsOf(view, nominationsOf(view, resource, row.id)) }),
    ...(keys.includes('film_year') && filmYearOf(view, row.id)),
    ...(keys.includes('honors') && { honors: honorsOf(view, resource, row.id) }),
    ...(keys.includes('other_names') && {
      other_names: view.record.otherNames[resource as 'movies'].get(row.id),
    }),
  };
}

/** The honors of a ceremony or of a film, or those that name a nominee. */
const honorsOf = (view: View, resource: Resource, id: number) =>
  view.record.honors.filter((honor) =>
    resource === 'nominees'
      ? honor.nominee_ids.includes(id)
      : honor[references[resource] as 'movie_id'] === id,
  );

/** The document of the page of a record without what `include` adds. */
function pageOf(view: View, resource: Resource, id: number): Row | undefined {
  const row: Row | undefined = view.find(resource, id);
  if (row === undefined || ['ceremonies', 'honors'].includes(resource)) return row;
  if (resource !== 'nominations') return { ...row, nominations: [] };
  const { ceremony_id, category_id, movie_id, nominee_id, song_id } = row as Nomination;
  return {
    // Replaced members keep their place.
    ...row,
    category: view.get('categories', category_id),
    movie: view.get('movies', movie_id),
    nominee: view.get('nominees', nominee_id),
    ceremony: view.get('ceremonies', ceremony_id),
    ...(song_id !== null && { song: view.get('songs', song_id) }),
  };
}

type Value = string | number | null;

/** Ascending, null last. */
function compare(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return typeof one === 'string' ? byCodePoints(one, other as string) : one - (other as number);
}

/** Resource and key → the member with the values of a sort, where its name is another one. */
const sortMembers: Record<string, string> = {
  'nominations year': 'ceremony_year',
  'songs title': 'original_title',
  'songs artist': 'artist_names',
  'songs year': 'streaming_year',
};

/** Rows by the key of `sort`: null last both ways, ties by id. @param rows in the default order @param scores of a search */
function sorted<R extends Row>(
  view: View,
  { resource }: Route,
  rows: readonly R[],
  given: Given,
  scores?: ReadonlyMap<number, number>,
): R[] {
  const sort = given.get('sort') ?? 'id';
  const key = sort.replace('-', '');
  const direction = sort === key ? 1 : -1;
  if (sort === 'relevance' || !given.has('sort')) return [...rows];
  const keyOf = (row: R): Value => {
    if (key === 'relevance') return -scores!.get(row.id)!;
    if (key === 'entries' || key === 'wins')
      return countsOf(view, nominationsOf(view, resource, row.id))[key];
    if (key === 'film_year') return view.filmYear(row.id);
    const value = row[sortMembers[`${resource} ${key}`] ?? key] as Value;
    return typeof value === 'string' ? view.folded(value) : value;
  };
  const keyed = rows.map((row) => ({ row, value: keyOf(row) }));
  return keyed
    .sort(({ value: one, row: a }, { value: other, row: b }) => {
      const order = compare(one, other);
      return (one === null || other === null ? order : direction * order) || a.id - b.id;
    })
    .map(({ row }) => row);
}

/** Entries (by entry number, else by film and song, in acting also by nominee), those won, and nominations. */
export function countsOf(view: View, own: readonly Nomination[]) {
  const entryOf = ({ id, ceremony_id, category_id, movie_id, song_id, nominee_id }: Nomination) => {
    const { entry } = view.record.details.get(id)!;
    const isActing = view.folded(view.get('categories', category_id).category_group ?? '') === 'acting';
    const rest = entry === null ? { movie_id, song_id, nominee: isActing && nominee_id } : { entry };
    return JSON.stringify({ ceremony_id, category_id, ...rest });
  };
  const entries = (some: readonly Nomination[]) =>
    new Set(some.map((it) => view.once(`entry of ${it.id}`, () => entryOf(it)))).size;
  return { entries: entries(own), wins: entries(own.filter((it) => it.winner)), nominations: own.length };
}

/** Key of counts → where its texts are; the first spelling in the order of these records is the label. */
const texts = {
  category: ['categories', 'category_name'],
  category_group: ['categories', 'category_group'],
  genre: ['movies', 'genres'],
  department: ['nominees', 'known_for_department'],
  country: ['movies', 'origin_country'],
} as const;

/** Groups by the keys of each row. */
function grouped<Key, R>(rows: readonly R[], keysOf: (row: R) => readonly Key[]): [Key, R[]][] {
  const groups = new Map<Key, R[]>();
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      groups.set(key, groups.get(key) ?? []);
      groups.get(key)!.push(row);
    }
  return [...groups];
}

function countsAnswer(view: View, route: Route, given: Given): object {
  const by = given.get('by')!;
  const folded = (value: Value) => (typeof value === 'string' ? view.folded(value) : value);
  const labels = new Map<Value, Value>();
  let valuesOf = ({ ceremony_year }: Nomination): Value[] => [
    by === 'year' ? ceremony_year : Math.floor(ceremony_year / 10) * 10,
  ];
  if (by in texts) {
    const [resource, member] = texts[by as keyof typeof texts];
    const read = joined(resource, member);
    valuesOf = (it) => (read(it, view) as Value[]).map(folded);
    const all: readonly Row[] = view.record[resource];
    for (const text of all.flatMap((row) => row[member] as Value))
      if (!labels.has(folded(text))) labels.set(folded(text), text);
  }
  const rows = selected(view.record.nominations, route, given, view);
  const groups = grouped(rows, (it) => {
    const values = valuesOf(it);
    return values.length === 0 ? [null] : values;
  });
  const data = groups
    .sort(([one], [other]) => compare(one, other))
    .map(([key, own]) => ({
      key,
      label: typeof key === 'number' ? `${key}${by === 'decade' ? 's' : ''}` : (labels.get(key) ?? null),
      ...countsOf(view, own),
      movies: new Set(own.map((it) => it.movie_id)).size,
      nominees: new Set(own.map((it) => it.nominee_id)).size,
    }));
  return { data, by, count: data.length };
}

/** Relevance first, then the filters, then the page. */
function searchAnswer(view: View, route: Route, given: Given): object | string {
  const query = given.get('q')!;
  const asSent = search(view, query);
  const suggestions = asSent.length === 0 ? suggestionsFor(view, query) : [];
  const corrected = given.get('fuzzy') === 'true' ? suggestions[0] : undefined;
  const found = corrected === undefined ? asSent : search(view, corrected);
  const scores = new Map(found.map(({ nomination, score }) => [nomination.id, score]));
  const rows = selected(
    found.map(({ nomination }) => nomination),
    route,
    given,
    view,
  );
  const answer = pageOrFile(view, route, sorted(view, route, rows, given, scores), given);
  if (typeof answer === 'string') return answer;
  return {
    query,
    ...(corrected !== undefined && { corrected }),
    ...answer,
    ...(found.length === 0 && { suggestions }),
  };
}

/** Companies and countries are not ranked. */
const isRanked = (view: View, nominee: number): boolean => {
  const { filmindex_id, known_for_department } = view.get('nominees', nominee);
  return isPerson(filmindex_id, known_for_department);
};

/** Films by distinct categories nominated and won, people by nominations and wins; cut at the limit. */
function ranking(of: 'movie' | 'nominee') {
  const id = `${of}_id` as const;
  const unitOf = (it: Nomination) => (of === 'movie' ? it.category_id : it.id);
  return (view: View, route: Route, given: Given): object => {
    const rows = selected(view.record.nominations, route, given, view).filter(
      (it) => of === 'movie' || isRanked(view, it.nominee_id),
    );
    const totals = grouped(rows, (it) => [it[id]]).map(([key, own]) => ({
      [id]: key,
      [of]: own[0]![of],
      total_nominations: new Set(own.map(unitOf)).size,
      total_wins: new Set(own.filter((it) => it.winner).map(unitOf)).size,
    }));
    const names = ['total_nominations', 'total_wins'];
    const [first, second] = given.get('sort') === 'wins' ? names.reverse() : names;
    const by = (name: string, one: (typeof totals)[0], other: (typeof totals)[0]) =>
      Number(other[name]) - Number(one[name]);
    const data = totals
      .sort((one, other) => by(first!, one, other) || by(second!, one, other) || by(id, other, one))
      .slice(0, limitOf(given));
    return { data, count: data.length };
  };
}

const computed: Record<string, (view: View, route: Route, given: Given) => object | string> = {
  '/api/search': searchAnswer,
  '/api/stats/counts': countsAnswer,
  '/api/stats/top-movies': ranking('movie'),
  '/api/stats/top-nominees': ranking('nominee'),
};
