/**
 * Finds the record of each thing that a source names. First by identity: the external id, or the name if
 * there is none, compared with the values that sources gave last, with the current values, and with what
 * sources gave of records that an editor deleted. Then by *adoption*: a record without an id, in the same
 * nomination and under the same name, is the thing, which brings its id. A thing whose record was deleted has
 * the id of that record, and is not added again, nor what only it would bring. Things without a record get
 * the id of a new one. Nothing is written.
 */
import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { freeIds } from '../record/edits.ts';
import { allDeleted, allGiven, type Given, type GivenBySource } from '../record/given.ts';
import type { Connection } from '../database/open.ts';
import { allRows, type Columns, forEachResource } from '../record/records.ts';
import {
  honorKey,
  identityKey,
  identityOf,
  isThere,
  type SourceRecord,
  type Thing,
} from './source-record.ts';

/** The references of a nomination are its identity. */
const fields = Object.keys(references) as ReferenceField[];

/** The records of a resource before the import. */
class KnownRecords {
  /** By id, ascending. */
  readonly rows: ReadonlyMap<number, Columns>;
  readonly given: Map<number, GivenBySource>;
  /**
   * What imports gave of records that an editor deleted, by id; by a negative number where another record has
   * the id.
   */
  readonly deleted: ReadonlyMap<number, Columns>;
  readonly #asGiven = new Map<number, Columns>();

  constructor(connection: Connection, resource: ResourceName) {
    this.rows = allRows(connection, resource);
    this.given = allGiven(connection, resource);
    const deleted = allDeleted(connection, resource);
    this.deleted = new Map([...deleted].map(([id, given]) => [id, given.fields]));
    for (const [id, given] of deleted) this.given.set(id, new Map([['import', given]]));
  }

  /** What imports gave of a record last, also of a deleted one. */
  imported(id: number): Given | undefined {
    return this.given.get(id)?.get('import');
  }

  /** A record as imports know it: the values that they gave last, or else the current ones. */
  asGiven(id: number): Columns {
    let known = this.#asGiven.get(id) ?? this.deleted.get(id);
    if (known === undefined) {
      known = { ...this.rows.get(id), ...this.imported(id)?.fields };
      this.#asGiven.set(id, known);
    }
    return known;
  }

  /** Replaces what asGiven() says of a record. */
  renew(id: number, given: Columns): void {
    this.#asGiven.set(id, given);
  }

  /** A record as it is, or as imports gave it before it was deleted; undefined if it is unknown. */
  asIs(id: number): Columns | undefined {
    return this.rows.get(id) ?? this.deleted.get(id);
  }

  /** The ids of all records, then of deleted ones. */
  ids(): number[] {
    return [...this.rows.keys(), ...this.deleted.keys()];
  }

  stateOf(id: number): Thing['state'] {
    if (this.rows.has(id)) return 'found';
    return this.deleted.has(id) ? 'deleted' : 'new';
  }

  /** Treats values as given before by imports, so that other values count as a change. */
  remember(id: number, values: Columns): void {
    const before = this.imported(id) ?? notGiven;
    const given: Given = { ...before, fields: { ...before.fields, ...values } };
    this.given.set(id, new Map([...(this.given.get(id) ?? []), ['import', given]]));
    this.#asGiven.delete(id);
  }
}

const notGiven: Given = { fields: {}, sourceId: null, retrievedAt: null, isAdded: false };

export type Known = Readonly<Record<ResourceName, KnownRecords>>;

export const readKnown = (connection: Connection): Known =>
  forEachResource((resource) => new KnownRecords(connection, resource));

/**
 * Gives an id and a state to each thing of the source, and completes the columns of nominations with their
 * references.
 */
export function match(connection: Connection, source: SourceRecord, known: Known): void {
  const settle = (resource: ResourceName) => {
    const things: readonly Thing[] = [...source[resource].values()];
    const taken = new Set(things.map(({ id }) => id));
    const ids = freeIds(connection, resource);
    for (const thing of things) {
      if (thing.id !== 0) thing.state = known[resource].stateOf(thing.id);
      else
        do thing.id = ids.next().value;
        while (taken.has(thing.id));
    }
  };
  settle('ceremonies');
  matchCategories(source, known.categories);
  settle('categories');
  matchByKey(source.movies, known.movies, ({ filmindex_id, title }) => identityKey(filmindex_id, title));
  adoptMovies(source, known);
  settle('movies');
  matchByKey(source.nominees, known.nominees, ({ filmindex_id, name }) => identityKey(filmindex_id, name));
  adoptNominees(source, known);
  settle('nominees');
  matchSongs(source, known);
  settle('songs');
  renewReferences(source, known);
  matchNominations(source, known);
  settle('nominations');
  matchHonors(source, known.honors);
  settle('honors');
  withhold(source);
}

/** Withholds new things that need what an editor deleted, or that only such things need. */
function withhold({ ceremonies, nominations, honors, movies, nominees, songs }: SourceRecord): void {
  const needed = new Set<Thing | null>();
  for (const each of nominations.values()) {
    const needs = [ceremonies.get(each.ceremony)!, each.category, each.movie, each.nominee];
    if (each.state === 'new' && !needs.every(isThere)) each.state = 'withheld';
    if (isThere(each)) for (const thing of [each.movie, each.nominee, each.song]) needed.add(thing);
  }
  for (const each of honors.values()) {
    const brings = [each.movie, ...each.nominees].filter((thing) => thing !== null);
    const needs = [ceremonies.get(each.ceremony)!, ...brings];
    if (each.state === 'new' && !needs.every(isThere)) each.state = 'withheld';
    if (isThere(each)) for (const thing of brings) needed.add(thing);
  }
  for (const things of [movies, nominees, songs] as ReadonlyMap<string, Thing>[])
    for (const each of things.values())
      if (each.state === 'new' && !needed.has(each)) each.state = 'withheld';
}

/**
 * Gives each thing without an id that of the first record with its key that no other thing has.
 * @param all things that share the records @param things in their order, with their keys @param records
 *   likewise
 * @returns the things that got an id
 */
function assign<T extends Thing>(
  all: readonly T[],
  things: () => Iterable<readonly [T, string]>,
  records: () => Iterable<readonly [string, number]>,
): T[] {
  if (all.every(({ id }) => id !== 0)) return [];
  const ids = new Map<string, number[]>();
  for (const [key, id] of records()) {
    const own = ids.get(key);
    if (own === undefined) ids.set(key, [id]);
    else own.push(id);
  }
  if (ids.size === 0) return [];
  const taken = new Set(all.map(({ id }) => id));
  const matched: T[] = [];
  for (const [thing, key] of things()) {
    const id = thing.id === 0 ? ids.get(key)?.find((each) => !taken.has(each)) : undefined;
    if (id === undefined) continue;
    thing.id = id;
    taken.add(id);
    matched.push(thing);
  }
  return matched;
}

/** By identity: as imports gave the records last, as they are, and as imports gave the deleted ones. */
function matchByKey(
  things: ReadonlyMap<unknown, Thing>,
  known: KnownRecords,
  keyOf: (columns: Columns) => string,
): void {
  const all = [...things.values()];
  const keyed = () => all.map((thing) => [thing, keyOf(thing.columns)] as const);
  const records = (ids: Iterable<number>, columnsOf: (id: number) => Columns) =>
    Array.from(ids, (id) => [keyOf(columnsOf(id)), id] as const);
  for (const pairs of [
    () => records(known.rows.keys(), (id) => known.asGiven(id)),
    () => records(known.rows.keys(), (id) => known.rows.get(id)!),
    () => records(known.deleted.keys(), (id) => known.asGiven(id)),
  ])
    assign(all, keyed, pairs);
}

/** By name. A new category gets its id of the reference if that id is free. */
function matchCategories({ categories }: SourceRecord, known: KnownRecords): void {
  matchByKey(categories, known, ({ category_name }) => String(category_name));
  const taken = new Set([...known.ids(), ...[...categories.values()].map(({ id }) => id)]);
  for (const category of categories.values())
    if (category.id === 0 && !taken.has(category.number)) category.id = category.number;
}

/** By identity. An honor that has no citation in the record, and brings one, is the same honor. */
function matchHonors({ honors }: SourceRecord, known: KnownRecords): void {
  matchByKey(honors, known, honorKey);
  const all = [...honors.values()];
  assign(
    all,
    () => all.map((honor) => [honor, honorKey({ ...honor.columns, citation: null })]),
    () =>
      known
        .ids()
        .map((id) => [known.asIs(id)!, id] as const)
        .filter(([{ citation }]) => citation === null)
        .map(([row, id]) => [honorKey(row), id]),
  );
}

/**
 * A film or nominee to which a nomination refers, under a name that it has, or had from imports, without an
 * external id.
 */
interface Referred {
  nomination: Columns;
  id: number;
  name: unknown;
}

/** What nominations refer to, and referred to before an editor deleted it; that comes last. */
function referred(known: Known, field: 'movie_id' | 'nominee_id', nameField: 'title' | 'name'): Referred[] {
  const { nominations, [references[field]]: records } = known;
  const found = nominations.ids().flatMap((nominationId) => {
    const [nomination, given] = [nominations.asIs(nominationId)!, nominations.asGiven(nominationId)];
    const before = records.deleted.has(given[field] as number) ? [given[field]] : [];
    return [...new Set([nomination[field], ...before] as number[])].flatMap((id) => {
      const states = [records.asIs(id), records.asGiven(id)];
      const names = states.flatMap((state) => (state?.filmindex_id === null ? [state[nameField]] : []));
      return [...new Set(names)].map((name) => ({ nomination, id, name }));
    });
  });
  const isDeleted = ({ id }: Referred) => Number(records.deleted.has(id));
  return found.sort((a, b) => isDeleted(a) - isDeleted(b));
}

/**
 * Films of the same ceremony and title. It can have two of one title, so the same category and nominee come
 * first.
 */
function adoptMovies(source: SourceRecord, known: Known): void {
  const all = [...source.movies.values()];
  const named = () =>
    [...source.nominations.values()].filter(({ movie }) => movie.columns.filmindex_id !== null);
  const titled = () => referred(known, 'movie_id', 'title');
  const nomineesOf = ({ nominee_id }: Columns) => {
    const states = [known.nominees.asIs(nominee_id as number), known.nominees.asGiven(nominee_id as number)];
    return [...new Set(states.map((state) => state?.name))];
  };
  assign(
    all,
    () =>
      named().map((each) => [
        each.movie,
        [each.ceremony, each.titledAs, each.category.id, each.creditedAs].join('\t'),
      ]),
    () =>
      titled().flatMap(({ nomination, id, name: title }) =>
        nomineesOf(nomination).map(
          (name) => [[nomination.ceremony_id, title, nomination.category_id, name].join('\t'), id] as const,
        ),
      ),
  );
  assign(
    all,
    () => named().map(({ ceremony, movie, titledAs }) => [movie, `${ceremony} ${titledAs}`]),
    () => titled().map(({ nomination, id, name }) => [`${nomination.ceremony_id} ${name}`, id]),
  );
}

/** Nominees of the same ceremony, category, film and name. */
function adoptNominees(source: SourceRecord, known: Known): void {
  const named = () =>
    [...source.nominations.values()].filter(({ nominee }) => nominee.columns.filmindex_id !== null);
  assign(
    [...source.nominees.values()],
    () =>
      named().map((each) => [
        each.nominee,
        [each.ceremony, each.category.id, each.movie.id, each.creditedAs].join(' '),
      ]),
    () =>
      referred(known, 'nominee_id', 'name').map(({ nomination, id, name }) => [
        [nomination.ceremony_id, nomination.category_id, nomination.movie_id, name].join(' '),
        id,
      ]),
  );
}

/**
 * By film and title. A song belongs to the films of its nominations. Film and title as imports gave them come
 * first.
 */
function matchSongs(source: SourceRecord, { nominations, songs }: Known): void {
  const all = [...source.songs.values()];
  /**
   * @param state of the songs @param keysOf the keys of a song, by its nomination as imports gave it and as
   *   it is
   */
  const assignSongs = (
    state: Thing['state'],
    keysOf: (given: Columns, current: Columns, titles: unknown[]) => string[],
  ) =>
    assign(
      all,
      () => all.map((song) => [song, `${song.movie.id} ${song.columns.original_title}`]),
      () =>
        nominations.ids().flatMap((nomination) => {
          const [given, current] = [nominations.asGiven(nomination), nominations.asIs(nomination)!];
          const own = [...new Set([given.song_id, current.song_id] as number[])];
          return own
            .filter((id) => songs.asIs(id) !== undefined && songs.stateOf(id) === state)
            .flatMap((id) => {
              const titles = [songs.asGiven(id).original_title, songs.asIs(id)!.original_title];
              return keysOf(given, current, titles).map((key) => [key, id] as const);
            });
        }),
    );
  assignSongs('found', (given, _, [title]) => [`${given.movie_id} ${title}`]);
  assignSongs('found', (given, current, titles) =>
    [given, current].flatMap(({ movie_id }) => titles.map((title) => `${movie_id} ${title}`)),
  );
  assignSongs('deleted', (given, _, [title]) => [`${given.movie_id} ${title}`]);
}

/**
 * Where imports gave a nomination a film, nominee or song that was deleted since, and the source still names:
 * replaces the id by that of the thing. If an import removed it, the table has its identity in place of the
 * id, see apply.ts.
 */
function renewReferences({ movies, nominees, songs }: SourceRecord, known: Known): void {
  const songIds = new Map(
    [...songs.values()].map(({ id, movie, columns }) => [`${movie.id} ${columns.original_title}`, id]),
  );
  const keyOf = (resource: 'movies' | 'nominees' | 'songs', reference: Columns[string] | undefined) => {
    const deleted = known[resource].deleted.get(reference as number);
    return deleted ? identityOf(resource, deleted) : reference;
  };
  for (const id of known.nominations.ids()) {
    const given = known.nominations.asGiven(id);
    const movie = movies.get(String(keyOf('movies', given.movie_id)))?.id ?? given.movie_id!;
    const nominee = nominees.get(String(keyOf('nominees', given.nominee_id)))?.id ?? given.nominee_id!;
    const song = songIds.get(`${movie} ${keyOf('songs', given.song_id)}`) ?? given.song_id!;
    if (movie !== given.movie_id || nominee !== given.nominee_id || song !== given.song_id)
      known.nominations.renew(id, { ...given, movie_id: movie, nominee_id: nominee, song_id: song });
  }
}

/** The references of a nomination. */
export const referencesKey = (row: Columns): string => fields.map((field) => row[field]).join(' ');

/**
 * By references. Otherwise the source gives the id of a namesake now, so that the new nominee counts as a
 * change.
 */
function matchNominations(source: SourceRecord, { nominations, nominees }: Known): void {
  const all = [...source.nominations.values()];
  for (const { columns, ceremony, category, movie, nominee, song } of all)
    Object.assign(columns, {
      ceremony_id: ceremony,
      category_id: category.id,
      movie_id: movie.id,
      nominee_id: nominee.id,
      song_id: song?.id ?? null,
    });
  matchByKey(source.nominations, nominations, referencesKey);
  const namedKey = (row: Columns, name: unknown) => `${referencesKey({ ...row, nominee_id: null })} ${name}`;
  const namesakes = assign(
    all,
    () => all.map((each) => [each, namedKey(each.columns, each.creditedAs)]),
    () =>
      nominations.ids().flatMap((id) => {
        const given = nominations.asGiven(id);
        const { filmindex_id, name } = nominees.asGiven(given.nominee_id as number);
        return filmindex_id === null ? [[namedKey(given, name), id] as const] : [];
      }),
  );
  for (const { id } of namesakes)
    nominations.remember(id, { nominee_id: nominations.asGiven(id).nominee_id! });
}
