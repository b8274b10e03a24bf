/** Random requests over a record: every route, random parameters in random order and encoding. */
import fc from 'fast-check';
import type { Target } from '../../api/contract/target.ts';
import { faultyPieces } from './faults.ts';
import { knownNames } from './categories.ts';
import {
  countKeys,
  type FieldKind,
  fieldsIn,
  type Kind,
  type ParameterTable,
  parameterTables,
  recordTables,
  requiredParameters,
  type SortKind,
  sortKinds,
} from './parameters.ts';
import { resources } from './oracle.ts';
import type { PlainRecord } from './record.ts';
import {
  booleans,
  idLists,
  limits,
  pageNumbers,
  pick,
  pieces,
  searchTerms,
  sorts,
  textLists,
  wholeNumbers,
  years,
} from './values.ts';

interface RouteValues {
  path: string;
  table: ParameterTable;
  /** Parameter → its good values. */
  values: Record<string, fc.Arbitrary<string>>;
}

/** Requests with valid parameters and existing ids. The answer is always 200. */
export function anyGoodRequest(record: PlainRecord): fc.Arbitrary<Target> {
  const routes = routesOver(record).map((route) => goodRequest(route));
  return fc.oneof(...routes.map((arbitrary) => ({ weight: 4, arbitrary })), {
    weight: 5,
    arbitrary: recordRequest(record),
  });
}

/** Good and bad requests: about two thirds are answered 200. */
export function anyRequest(record: PlainRecord): fc.Arbitrary<Target> {
  const bad = routesOver(record).map((route) => badRequest(route));
  return fc.oneof(
    { weight: 12, arbitrary: anyGoodRequest(record) },
    { weight: 5, arbitrary: fc.oneof(...bad) },
    { weight: 1, arbitrary: strangePath(record) },
  );
}

function routesOver(record: PlainRecord): RouteValues[] {
  return [...parameterTables].map(([path, table]) => ({
    path,
    table,
    values: Object.fromEntries([...table.keys()].map((name) => [name, valuesOf(record, path, name, table)])),
  }));
}

/** Kind of `include` → good values. */
const includes: Partial<Record<Kind, string[]>> = {
  details: ['details', ' details ', 'details,details'],
  counts: ['counts', 'counts , counts'],
  'details, counts': ['details', 'counts', 'details,counts', 'counts, details'],
  'details, counts, film_year': ['film_year', 'counts', 'film_year,details,counts', 'counts, details'],
  'details, nominations, counts, film_year': [
    'film_year',
    'counts,film_year',
    'film_year,nominations',
    'nominations,details',
    'counts, details,nominations ,film_year',
  ],
  'details, nominations': ['nominations', 'details,nominations', 'nominations , nominations'],
  'details, nominations, counts': [
    'nominations',
    'counts',
    'counts,nominations',
    'nominations,details',
    'counts, details,nominations ',
  ],
};

function valuesOf(
  record: PlainRecord,
  path: string,
  name: string,
  table: ParameterTable,
): fc.Arbitrary<string> {
  const { nominations, ceremonies, movies, nominees, categories, songs } = record;
  const idsOf = (records: readonly { id: number }[]) => idLists(records.map((it) => it.id));
  const collection = resources.find((it) => path === `/api/${it}`);
  const isSongs = collection === 'songs';
  const titles = movies.map((movie) => movie.title);
  const filmindexIds = [...movies, ...nominees].map((it) => it.filmindex_id).filter((it) => it !== null);
  const names = nominees.map((nominee) => nominee.name);
  const categoryNames = categories.map((category) => category.category_name);
  const arbitraries: Record<string, () => fc.Arbitrary<string>> = {
    page: () => pageNumbers,
    limit: () => limits,
    ids: () => idsOf(collection === undefined ? nominations : record[collection]),
    ceremony_ids: () => idsOf(ceremonies),
    category_ids: () => idsOf(categories),
    movie_ids: () => idsOf(movies),
    nominee_ids: () => idsOf(nominees),
    class: () => fc.constantFrom('SciTech', 'Special'),
    recipient: () => pieces(record.honors.map((honor) => honor.recipients)),
    winner: () => booleans,
    official: () => booleans,
    fuzzy: () => booleans,
    is_song: () => booleans,
    format: () => fc.constantFrom('csv', 'ndjson', 'json'),
    fields: () => fieldLists(table.get(name) as FieldKind),
    sort: () => {
      const kind = table.get(name)!;
      const keys = kind === 'sort' ? [] : sortKinds[kind as SortKind];
      return kind === 'sort' ? sorts : fc.constantFrom(...keys, ...keys.map((key) => `-${key}`));
    },
    include: () => fc.constantFrom(...includes[table.get(name)!]!),
    q: () => searchTerms(record),
    by: () => fc.constantFrom(...countKeys),
    nominee: () => pieces(names),
    name: () => pieces(names),
    movie: () => pieces(titles),
    title: () => pieces(isSongs ? songs.map((song) => song.original_title) : titles),
    artist: () => pieces(songs.map((song) => song.artist_names)),
    category: () =>
      fc.oneof(pieces(categoryNames), pieces(knownNames), fc.constantFrom(...knownNames, 'best actor')),
    category_name: () => pieces(categoryNames),
    category_group: () => pieces(categories.map((category) => category.category_group)),
    known_for_department: () => pieces(nominees.map((nominee) => nominee.known_for_department)),
    genre: () => pieces(movies.flatMap((movie) => movie.genres)),
    moviedb_id: () => wholeNumbers(movies.map((movie) => movie.moviedb_id)),
    moviedb_person_id: () => wholeNumbers(nominees.map((nominee) => nominee.moviedb_person_id)),
    filmindex_id: () => fc.oneof(pick(filmindexIds, 'tt1'), fc.constantFrom('TT1', 'tt', 'nm1', 'tt1 ')),
    filmindex_ids: () => textLists(filmindexIds),
  };
  const yearValues = () =>
    years(isSongs ? songs.map((song) => song.streaming_year) : ceremonies.map((it) => it.ceremony_year));
  return (arbitraries[name] ?? yearValues)();
}

/** Mostly members that are always there. One of these is always among them, so that something is left. */
function fieldLists(kind: FieldKind): fc.Arbitrary<string> {
  const { always, added } = fieldsIn(kind);
  return fc
    .tuple(
      fc.constantFrom(...always),
      fc.array(fc.constantFrom(...always, ...added, ...added, ...added), { maxLength: 6 }),
      fc.constantFrom(',', ',', ' , '),
    )
    .map(([one, more, comma]) => [...more, one].join(comma));
}

type Encoding = 'usual' | 'plus' | 'superfluous' | 'lowercase';
const encoding = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Encoding>('usual', 'plus') },
  { weight: 1, arbitrary: fc.constantFrom<Encoding>('superfluous', 'lowercase') },
);

function encode(text: string, how: Encoding): string {
  const usual = encodeURIComponent(text);
  if (how === 'usual') return usual.replaceAll('%2C', ',');
  if (how === 'plus') return usual.replaceAll('%20', '+');
  if (how === 'lowercase') return usual.replaceAll(/%../g, (escaped) => escaped.toLowerCase());
  return [...new TextEncoder().encode(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** Maximum number of parameters of a random request, besides the required one. */
const maxParameters = 4;

/** Encoded `name=value` pieces, in random order, that are valid together. */
function goodPieces({ table, values }: RouteValues): fc.Arbitrary<string[]> {
  const required = requiredParameters.find((name) => table.has(name));
  const optional = [...table.keys()].filter((name) => name !== required);
  const encodings = fc.array(encoding, { minLength: maxParameters + 1, maxLength: maxParameters + 1 });
  return fc
    .tuple(
      fc.shuffledSubarray(optional, { maxLength: maxParameters }),
      fc.record(values),
      encodings,
      fc.nat({ max: maxParameters }),
      fc.nat({ max: 19 }),
    )
    .map(([chosen, drawn, how, place, nameEncoding]) => {
      const names = [...chosen];
      if (required !== undefined) names.splice(place, 0, required);
      const value = { ...drawn };
      for (const prefix of ['year', 'filmYear']) {
        const [start, end] = [`${prefix}Start`, `${prefix}End`];
        const [first, last] = [value[start]!, value[end]!];
        if (names.includes(start) && names.includes(end) && Number(first) > Number(last))
          Object.assign(value, { [start]: last, [end]: first });
      }
      const isFile = names.includes('format') && value.format !== 'json';
      const together = names.filter((name) => !isFile || (name !== 'page' && name !== 'limit'));
      return together.map(
        (name, at) =>
          `${nameEncoding === 0 ? encode(name, 'superfluous') : name}=${encode(value[name]!, how[at]!)}`,
      );
    });
}

function goodRequest(route: RouteValues): fc.Arbitrary<Target> {
  const joint = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(['', '&', '']) },
    { weight: 1, arbitrary: fc.constantFrom(['&', '&&', '&']) },
  );
  return fc.tuple(goodPieces(route), joint).map(([parts, [before, between, after]]) => ({
    path: route.path,
    queryString: `${before}${parts.join(between)}${after}`,
  }));
}

/** Good pieces with one to three faults among them. */
function badRequest(route: RouteValues): fc.Arbitrary<Target> {
  const fault = fc.tuple(fc.nat({ max: 8 }), faultyPieces(route.table));
  const forgets = fc.nat({ max: 3 }).map((chance) => chance === 0);
  return fc
    .tuple(goodPieces(route), fc.array(fault, { minLength: 1, maxLength: 3 }), forgets)
    .map(([good, faults, forgetsRequired]) => {
      const parts = forgetsRequired ? good.filter((part) => !/^(q|by)=/.test(part)) : [...good];
      for (const [place, faulty] of faults) parts.splice(place, 0, ...faulty);
      return { path: route.path, queryString: parts.join('&') };
    });
}

const ignoredQueryStrings = fc.constantFrom('', '', '', '', 'page=0', 'x=%FF', '%', 'ids=&ids=', '?', 'q=+a');

/** The page of an existing record with any query string, which is ignored. */
function recordRequest(record: PlainRecord): fc.Arbitrary<Target> {
  const pages = resources
    .filter((collection) => record[collection].length > 0)
    .map((collection) =>
      fc
        .tuple(
          pick<{ id: number }>(record[collection], { id: 1 }),
          ignoredQueryStrings,
          fc.constantFrom('', '', ...(includes[recordTables.get(collection)!.get('include')!] ?? [])),
          fc.option(fieldLists(`fields of one of ${collection}`), { freq: 2, nil: '' }),
        )
        .map(([{ id }, ignored, include, fields]) => ({
          path: `/api/${collection}/${id}`,
          queryString: [
            ...(include === '' ? [] : [`include=${encode(include, 'plus')}`]),
            ignored,
            ...(fields === '' ? [] : [`fields=${encode(fields, 'usual')}`]),
          ].join('&'),
        })),
    );
  return fc.oneof(...pages);
}

/** Unknown paths: unknown ids, other spellings of ids, unknown routes. */
function strangePath(record: PlainRecord): fc.Arbitrary<Target> {
  const spellings =
    '0 01 +1 -1 1.0 1e0 abc %31 1%20 1/ 1/nominations 1.json %EF%BC%91 9007199254740992 9007199254740993';
  const id = fc.oneof(
    fc.constantFrom('', ...spellings.split(' '), '9'.repeat(40)),
    fc.integer({ min: 1, max: 70_000 }).map(String),
    pick(
      record.nominations.map((nomination) => String(nomination.id)),
      '1',
    ),
  );
  const withId = fc.tuple(fc.constantFrom(...resources), id).map(([name, it]) => `/api/${name}/${it}`);
  const routes = `/api/movie /api/Movies /API/movies /movies /api/search/ /api/search/1 /api/stats /api/stats/
    /api/stats/top-songs /api/stats/top-movies/1 /api/%6Dovies /api/constructor /api/constructor/1 /api/__proto__/1
    /api//movies`;
  const route = fc.constantFrom(...routes.split(/\s+/));
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: withId }, { weight: 1, arbitrary: route }), ignoredQueryStrings)
    .map(([path, queryString]) => ({ path, queryString }));
}
